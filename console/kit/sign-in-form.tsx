import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import type { Person } from "../../contract/people/access.ts";
import { t } from "../texts/index.ts";
import { base } from "./base.ts";
import { ParleyError } from "./client.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { PasswordField } from "./password-field.tsx";
import { finishSession, startSession } from "./session.ts";
import { useOnce } from "./use-once.ts";
import { ProviderButtons, useWaysIn } from "./ways-in.tsx";

interface SignInFormProps {
  readonly login?: string;
  /** The code of the room to which the page belongs. */
  readonly room?: string;
  readonly onDone?: () => void;
}

interface CodeFormProps {
  readonly ticket: string;
  readonly onDone: (() => void) | undefined;
  readonly onBack: () => void;
}

/** The second step: a code of the authenticator app, or a recovery code. */
const CodeForm = ({ ticket, onDone, onBack }: CodeFormProps) => {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const submit = useOnce(async () => {
    setFailure(undefined);
    if (code.trim() === "") return;
    setBusy(true);
    try {
      await finishSession(ticket, code);
      onDone?.();
    } catch (failed) {
      setFailure(failed);
    } finally {
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
        <FailureNote failure={failure} />
        <TextInput
          label={t.secondFactor.code}
          description={t.secondFactor.codeHelp}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} fullWidth mt="xs">
          {t.signIn.submit}
        </Button>
        <PasskeySignIn
          ticket={ticket}
          onStart={() => setFailure(undefined)}
          onDone={onDone}
          onFailure={setFailure}
        />
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {t.secondFactor.back}
        </Button>
      </Stack>
    </form>
  );
};

/** Email or username, and password; then a code, if the account has a second factor. */
export const SignInForm = ({ login: known = "", room, onDone }: SignInFormProps) => {
  const [ticket, setTicket] = useState<string>();
  const [login, setLogin] = useState(known);
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const ways = useWaysIn(room);
  const passwordField = useRef<HTMLInputElement>(null);

  const submit = useOnce(async () => {
    setTried(true);
    setFailure(undefined);
    if (login.trim() === "" || password === "") return;
    setBusy(true);
    try {
      await startSession(login.trim(), password);
      onDone?.();
    } catch (failed) {
      if (failed instanceof ParleyError && failed.ticket !== undefined) {
        setPassword("");
        setTried(false);
        setTicket(failed.ticket);
        return;
      }
      setFailure(failed);
      passwordField.current?.select();
    } finally {
      setBusy(false);
    }
  });

  if (ticket !== undefined) {
    return <CodeForm ticket={ticket} onDone={onDone} onBack={() => setTicket(undefined)} />;
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="md">
        <ProviderButtons
          providers={ways.providers}
          login={login.trim()}
          stays={known !== ""}
          beside={ways.password}
        />
        <FailureNote failure={failure} />
        {ways.password ? (
          <>
            <TextInput
              label={t.signIn.login}
              name="username"
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={known === ""}
              value={login}
              onChange={(event) => setLogin(event.currentTarget.value)}
              onBlur={({ relatedTarget }) => {
                // A program that fills in both has a password, and a link leads elsewhere.
                if (known !== "" || password !== "" || relatedTarget?.matches("a")) return;
                void ways.sendOn(login.trim());
              }}
              error={tried && login.trim() === "" ? t.signIn.loginMissing : undefined}
            />
            <PasswordField
              label={t.signIn.password}
              name="password"
              autoComplete="current-password"
              ref={passwordField}
              data-autofocus={known !== "" || undefined}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={tried && password === "" ? t.signIn.passwordMissing : undefined}
            />
            <Button type="submit" loading={busy} fullWidth mt="xs">
              {t.signIn.submit}
            </Button>
            <PasskeySignIn
              onStart={() => setFailure(undefined)}
              onDone={onDone}
              onFailure={setFailure}
            />
            <a href={`${base}/password`} className="small">
              {t.signIn.forgot}
            </a>
          </>
        ) : (
          <p className="dimmed small">{t.signIn.only}</p>
        )}
      </Stack>
    </form>
  );
};

/** Appears over the open page, so that nothing typed there is lost. */
export const SessionEnded = ({ user }: { readonly user: Person }) => (
  <Dialog title={t.signIn.endedTitle} onClose={() => {}} firm>
    <Text size="sm" mb="md">
      {t.signIn.ended}
    </Text>
    <SignInForm login={user.email} />
  </Dialog>
);
