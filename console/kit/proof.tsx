import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { parley, sayFailure } from "./client.ts";
import { Dialog } from "./dialog.tsx";
import { PasswordField } from "./password-field.tsx";
import { proofAsked } from "./session.ts";
import { useOnce } from "./use-once.ts";

const texts = t.secondFactor;

const Asking = ({ onDone }: { readonly onDone: (isProven: boolean) => void }) => {
  const [hasApp, setHasApp] = useState<boolean>();
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    parley.fetchFactors({}).then(
      ({ authenticatorSince }) => setHasApp(authenticatorSince !== null),
      (failed: unknown) => setFailure(failed),
    );
  }, []);
  const submit = useOnce(async () => {
    if (value.trim() === "" || hasApp === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await parley.proveMyself(hasApp ? { code: value } : { password: value });
      onDone(true);
    } catch (failed) {
      setFailure(failed);
      setBusy(false);
    }
  });
  return (
    <Dialog title={texts.proveTitle} onClose={() => onDone(false)} firm="outside">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog over a form: its fields are not those of the form.
          event.stopPropagation();
          void submit();
        }}
      >
        <Stack gap="md">
          <Text size="sm">{hasApp ? texts.codeHelp : texts.proveHelp}</Text>
          {hasApp ? (
            <TextInput
              label={texts.code}
              autoComplete="one-time-code"
              spellCheck={false}
              data-autofocus
              autoFocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          ) : (
            <PasswordField
              label={t.signIn.password}
              autoComplete="current-password"
              data-autofocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
          {failure !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {sayFailure(failure)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => onDone(false)}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {texts.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};

/** Asks the person for a proof when a request needs one; the request then goes on. */
export const ProofDialog = () => {
  const { answer } = useSyncExternalStore(proofAsked.subscribe, proofAsked.get);
  return answer === undefined ? null : <Asking onDone={answer} />;
};
