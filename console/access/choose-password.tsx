import { Button, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { base, pathHere } from "../kit/base.ts";
import { parley } from "../kit/client.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { NewPassword, newPasswordError, useNewPassword } from "../kit/new-password.tsx";
import { useSubmit } from "../kit/use-submit.ts";
import { t } from "../texts/index.ts";
import { CardPage } from "./card-page.tsx";

const texts = t.choosing;

/** The code of the link. It is in the fragment, so it reaches no server's log. */
const codeOfLink = (): string => location.hash.slice(1);

/** The address to which links in emails point. */
export const isPasswordPage = (): boolean => pathHere() === "/password";

const Form = ({ onDone }: { readonly onDone: (username: string) => void }) => {
  const form = useNewPassword(async (newPassword) => {
    const { username } = await parley.choosePassword({ code: codeOfLink(), newPassword });
    onDone(username);
  });
  const { failure } = form;
  const atField = newPasswordError(failure);

  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        <NewPassword form={form} error={atField} />
        {atField === undefined && <FailureNote failure={failure} />}
        <Button type="submit" loading={form.busy}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
};

/** Asks for the email or the username, and sends a link to a new password. */
const AskForLink = ({ onDone }: { readonly onDone: () => void }) => {
  const [login, setLogin] = useState("");
  const [tried, setTried] = useState(false);
  const { busy, failure, onSubmit } = useSubmit(
    () => parley.sendPasswordLink({ login: login.trim() }).then(onDone),
    () => {
      setTried(true);
      return login.trim() !== "";
    },
  );
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <p>{texts.forgotHelp}</p>
        <FailureNote failure={failure} />
        <TextInput
          label={t.signIn.login}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          error={tried && login.trim() === "" ? t.signIn.loginMissing : undefined}
        />
        <Button type="submit" loading={busy}>
          {texts.ask}
        </Button>
        <a href={`${base}/`} className="small">
          {texts.back}
        </a>
      </Stack>
    </form>
  );
};

const ToSignIn = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="md">
    <p role="status">{children}</p>
    <Button component="a" href={`${base}/`}>
      {texts.toSignIn}
    </Button>
  </Stack>
);

const ForgotPassword = () => {
  const [asked, setAsked] = useState(false);
  return (
    <CardPage title={asked ? texts.asked : texts.forgot}>
      {asked ? (
        <ToSignIn>{texts.askedHelp}</ToSignIn>
      ) : (
        <AskForLink onDone={() => setAsked(true)} />
      )}
    </CardPage>
  );
};

const ChoosePassword = () => {
  const [username, setUsername] = useState<string>();
  return (
    <CardPage title={username === undefined ? texts.title : texts.done}>
      {username === undefined ? (
        <Form onDone={setUsername} />
      ) : (
        <ToSignIn>{texts.signIn(username)}</ToSignIn>
      )}
    </CardPage>
  );
};

/** Where a person chooses a password by a link, or asks for one, without being signed in. */
export const ChoosePasswordPage = () =>
  codeOfLink() === "" ? <ForgotPassword /> : <ChoosePassword />;
