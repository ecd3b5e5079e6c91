import { Title } from "@mantine/core";
import { useEffect } from "react";
import { base } from "../kit/base.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { LanguageSelect } from "../kit/language-select.tsx";
import { refusedBy } from "../kit/session.ts";
import { SignInForm } from "../kit/sign-in-form.tsx";
import { t } from "../texts/index.ts";
import css from "./sign-in.module.css";

/** Why the provider has not let somebody in. */
const Refused = () => {
  const words: Readonly<Record<string, string>> = t.signIn.refused;
  const why = refusedBy === undefined ? undefined : words[refusedBy];
  return <FailureNote failure={why} className={css.refused} />;
};

export const SignInPage = () => {
  useEffect(() => {
    document.title = `${t.signIn.submit} · ${t.product}`;
  }, []);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src={`${base}/icon.svg`} alt="" className={css.mark} />
        <Title order={1} size="h3">
          {t.signIn.title}
        </Title>
        <p className={`dimmed ${css.help}`}>{t.signIn.help}</p>
        <Refused />
        <div className={`card ${css.card}`}>
          <SignInForm />
        </div>
        <LanguageSelect />
      </div>
    </main>
  );
};
