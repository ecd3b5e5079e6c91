import { Alert, Button, Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { passwordLength } from "../../contract/plain.ts";
import { fieldErrors, parley, sayFailure } from "../data/client.ts";
import { useOnce } from "../data/use-once.ts";
import { PasswordField } from "../parts/password-field.tsx";
import css from "../styles/sign-in.module.css";
import { t } from "../texts/index.ts";

const texts = t.choosing;

/** The code of the link, which is in the fragment: it reaches no server's log. */
const codeOfLink = (): string => location.hash.slice(1);

/** The address to which the links of emails lead. */
export const isPasswordPage = (): boolean => location.pathname === "/password";

const Form = ({ onDone }: { readonly onDone: (username: string) => void }) => {
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [differs, setDiffers] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const atField = fieldErrors(failure).find(({ field }) => field === "newPassword")?.message;

  const submit = useOnce(async () => {
    setDiffers(next !== again);
    setFailure(undefined);
    if (next !== again) return;
    setBusy(true);
    try {
      const { username } = await parley.choosePassword({ code: codeOfLink(), newPassword: next });
      onDone(username);
    } catch (failed) {
      setFailure(failed);
      setBusy(false);
    }
  });

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="md">
        <PasswordField
          label={t.password.next}
          description={t.password.length(passwordLength.min, passwordLength.max)}
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          error={atField}
        />
        <PasswordField
          label={t.password.again}
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={differs ? t.password.differs : undefined}
        />
        {failure !== undefined && atField === undefined && (
          <Alert color="red" variant="light" role="alert">
            {sayFailure(failure)}
          </Alert>
        )}
        <Button type="submit" loading={busy}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
};

/** Where somebody who was imported chooses a password, without being signed in. */
export const ChoosePasswordPage = () => {
  const [username, setUsername] = useState<string>();
  const title = username === undefined ? texts.title : texts.done;
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title]);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src="/icon.svg" alt="" className={css.mark} />
        <Title order={1} size="h3">
          {title}
        </Title>
        <div className={`card ${css.card}`}>
          {username === undefined ? (
            <Form onDone={setUsername} />
          ) : (
            <Stack gap="md">
              <p>{texts.signIn(username)}</p>
              <Button component="a" href="/">
                {texts.toSignIn}
              </Button>
            </Stack>
          )}
        </div>
      </div>
    </main>
  );
};
