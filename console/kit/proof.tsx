import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { parley } from "./client.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { askPasskey, canUsePasskeys } from "./passkeys.ts";
import { PasswordField } from "./password-field.tsx";
import { proofAsked } from "./session.ts";
import { useOnce } from "./use-once.ts";

const texts = t.secondFactor;

const Asking = ({ onDone }: { readonly onDone: (isProven: boolean) => void }) => {
  const [has, setHas] = useState<{ readonly factor: boolean; readonly passkey: boolean }>();
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    Promise.all([parley.fetchFactors({}), parley.listPasskeys({})]).then(
      ([{ authenticatorSince }, { passkeys }]) => {
        const passkey = passkeys.length > 0;
        setHas({ factor: passkey || authenticatorSince !== null, passkey });
      },
      (failed: unknown) => setFailure(failed),
    );
  }, []);
  const prove = async (
    give: () => Promise<Parameters<typeof parley.proveMyself>[0] | undefined>,
  ): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const proof = await give();
      if (proof !== undefined) {
        await parley.proveMyself(proof);
        return onDone(true);
      }
    } catch (failed) {
      setFailure(failed);
    }
    setBusy(false);
  };
  const submit = useOnce(async () => {
    if (value.trim() === "" || has === undefined) return;
    await prove(async () => (has.factor ? { code: value } : { password: value }));
  });
  const byPasskey = useOnce(() =>
    prove(async () => {
      const passkey = await askPasskey((await parley.beginProof({})).options);
      return passkey && { passkey };
    }),
  );
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
          {has?.passkey && canUsePasskeys() && (
            <Button variant="default" onClick={() => void byPasskey()} disabled={busy}>
              {t.passkeys.use}
            </Button>
          )}
          <Text size="sm">{has?.factor ? texts.codeHelp : texts.proveHelp}</Text>
          {has?.factor ? (
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
          <FailureNote failure={failure} />
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
