import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import type { Person } from "../../contract/people/access.ts";
import { t } from "../texts/index.ts";
import { base } from "./base.ts";
import { ParleyError } from "./client.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { NewPassword, newPasswordError, useNewPassword } from "./new-password.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { PasswordField } from "./password-field.tsx";
import { finishSession, startSession, startWithNewPassword } from "./session.ts";
import { useSubmit } from "./use-submit.ts";
import { ProviderButtons, useWaysIn } from "./ways-in.tsx";

interface SignInFormProps {
  readonly login?: string;
  /** The code of the room to which the page belongs. */
  readonly room?: string;
  readonly onDone?: () => void;
}

/** The next step of a sign-in, and what opens it. */
interface Step {
  readonly is: "code" | "new password";
  readonly ticket: string;
}

/** The step to which a refusal leads; undefined if it ends the sign-in. */
const nextStep = (failure: unknown): Step | undefined => {
  if (!(failure instanceof ParleyError) || failure.ticket === undefined) return undefined;
  const is = failure.code === "password_to_choose" ? "new password" : "code";
  return { is, ticket: failure.ticket };
};

interface StepProps {
  readonly ticket: string;
  readonly onDone: (() => void) | undefined;
  readonly onBack: () => void;
}

/** The last step where the password must be replaced. */
const NewPasswordForm = ({ ticket, onDone, onBack }: StepProps) => {
  const form = useNewPassword(async (newPassword) => {
    await startWithNewPassword(ticket, newPassword);
    onDone?.();
  });
  const atField = newPasswordError(form.failure);
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        <Text size="sm">{t.signIn.newPassword}</Text>
        <NewPassword form={form} error={atField} autoFocus />
        {atField === undefined && <FailureNote failure={form.failure} />}
        <Button type="submit" loading={form.busy} fullWidth mt="xs">
          {t.signIn.submit}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {t.secondFactor.back}
        </Button>
      </Stack>
    </form>
  );
};

interface CodeFormProps extends StepProps {
  readonly onNext: (step: Step) => void;
}

/** The second step: a code of the authenticator app, or a recovery code. */
const CodeForm = ({ ticket, onDone, onNext, onBack }: CodeFormProps) => {
  const [code, setCode] = useState("");
  const form = useSubmit(
    () => finishSession(ticket, code).then(onDone, fail),
    () => code.trim() !== "",
  );
  const fail = (failed: unknown): void => {
    const next = nextStep(failed);
    if (next) onNext(next);
    else form.setFailure(failed);
  };
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        <FailureNote failure={form.failure} />
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
        <Button type="submit" loading={form.busy} fullWidth mt="xs">
          {t.signIn.submit}
        </Button>
        <PasskeySignIn
          ticket={ticket}
          onStart={() => form.setFailure(undefined)}
          onDone={onDone}
          onFailure={fail}
        />
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {t.secondFactor.back}
        </Button>
      </Stack>
    </form>
  );
};

/** Email or username, and password; then a code or a new password, if the account needs them. */
export const SignInForm = ({ login: known = "", room, onDone }: SignInFormProps) => {
  const [step, setStep] = useState<Step>();
  const [login, setLogin] = useState(known);
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const ways = useWaysIn(room);
  const passwordField = useRef<HTMLInputElement>(null);
  const fail = (failed: unknown): void => {
    const next = nextStep(failed);
    if (next) {
      setPassword("");
      setTried(false);
      setStep(next);
      return;
    }
    form.setFailure(failed);
    passwordField.current?.select();
  };
  const form = useSubmit(
    () => startSession(login.trim(), password).then(onDone, fail),
    () => {
      setTried(true);
      return login.trim() !== "" && password !== "";
    },
  );

  if (step !== undefined) {
    const { ticket } = step;
    const way = { ticket, onDone, onBack: () => setStep(undefined) };
    return step.is === "code" ? (
      <CodeForm {...way} onNext={setStep} />
    ) : (
      <NewPasswordForm {...way} />
    );
  }
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        <ProviderButtons
          providers={ways.providers}
          organization={ways.organization}
          login={login.trim()}
          stays={known !== ""}
          beside={ways.password}
        />
        <FailureNote failure={form.failure} />
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
            <Button type="submit" loading={form.busy} fullWidth mt="xs">
              {t.signIn.submit}
            </Button>
            <PasskeySignIn
              onStart={() => form.setFailure(undefined)}
              onDone={onDone}
              onFailure={form.setFailure}
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
