import { FailureNote } from "../kit/failure-note.tsx";
import { refusedBy } from "../kit/session.ts";
import { SignInForm } from "../kit/sign-in-form.tsx";
import { t } from "../texts/index.ts";
import { CardPage } from "./card-page.tsx";
import css from "./sign-in.module.css";

/** Why the provider has not let somebody in. */
const Refused = () => {
  const words: Readonly<Record<string, string>> = t.signIn.refused;
  const why = refusedBy === undefined ? undefined : words[refusedBy];
  return <FailureNote failure={why} className={css.refused} />;
};

export const SignInPage = () => (
  <CardPage
    title={t.signIn.title}
    tab={t.signIn.submit}
    above={
      <>
        <p className={`dimmed ${css.help}`}>{t.signIn.help}</p>
        <Refused />
      </>
    }
  >
    <SignInForm />
  </CardPage>
);
