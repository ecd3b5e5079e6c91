import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { parley } from "./client.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { askPasskey, canUsePasskeys } from "./passkeys.ts";
import { PasswordField } from "./password-field.tsx";
import { proofAsked } from "./session.ts";
import { useSubmit } from "./use-submit.ts";

const texts = t.secondFactor;

const Asking = ({ onDone }: { readonly onDone: (isProven: boolean) => void }) => {
  const [has, setHas] = useState<{ readonly factor: boolean; readonly passkey: boolean }>();
  const [value, setValue] = useState("");
  const prove = async (proof: Parameters<typeof parley.proveMyself>[0] | undefined) => {
    if (proof === undefined) return;
    await parley.proveMyself(proof);
    onDone(true);
  };
  const typed = useSubmit(
    () => {
      byPasskey.setFailure(undefined);
      return prove(has?.factor ? { code: value } : { password: value });
    },
    () => value.trim() !== "" && has !== undefined,
  );
  const byPasskey = useSubmit(async () => {
    typed.setFailure(undefined);
    const passkey = await askPasskey((await parley.beginProof({})).options);
    await prove(passkey && { passkey });
  });
  useEffect(() => {
    Promise.all([parley.fetchFactors({}), parley.listPasskeys({})]).then(
      ([{ authenticatorSince }, { passkeys }]) => {
        const passkey = passkeys.length > 0;
        setHas({ factor: passkey || authenticatorSince !== null, passkey });
      },
      typed.setFailure,
    );
  }, []);
  return (
    <Dialog title={texts.proveTitle} onClose={() => onDone(false)} firm="outside">
      <form noValidate onSubmit={typed.onSubmit}>
        <Stack gap="md">
          {has?.passkey && canUsePasskeys() && (
            <Button
              variant="default"
              onClick={() => void byPasskey.submit()}
              disabled={typed.busy || byPasskey.busy}
            >
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
          <FailureNote failure={typed.failure ?? byPasskey.failure} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => onDone(false)}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={typed.busy || byPasskey.busy}>
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
