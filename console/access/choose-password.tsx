import { Alert, Button, Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { base, pathHere } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { NewPassword, newPasswordError, useNewPassword } from "../kit/new-password.tsx";
import { t } from "../texts/index.ts";
import css from "./sign-in.module.css";

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
        {failure !== undefined && atField === undefined && (
          <Alert color="red" variant="light" role="alert">
            {sayFailure(failure)}
          </Alert>
        )}
        <Button type="submit" loading={form.busy}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  );
};

/** Where an imported person chooses a password, without being signed in. */
export const ChoosePasswordPage = () => {
  const [username, setUsername] = useState<string>();
  const title = username === undefined ? texts.title : texts.done;
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title]);
  return (
    <main className={css.page}>
      <div className={css.box}>
        <img src={`${base}/icon.svg`} alt="" className={css.mark} />
        <Title order={1} size="h3">
          {title}
        </Title>
        <div className={`card ${css.card}`}>
          {username === undefined ? (
            <Form onDone={setUsername} />
          ) : (
            <Stack gap="md">
              <p>{texts.signIn(username)}</p>
              <Button component="a" href={`${base}/`}>
                {texts.toSignIn}
              </Button>
            </Stack>
          )}
        </div>
      </div>
    </main>
  );
};
