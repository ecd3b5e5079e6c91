import { Alert, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { passwordLength } from "../../contract/plain.ts";
import { fieldErrors, ParleyError, parley, sayFailure } from "../data/client.ts";
import { useOnce } from "../data/use-once.ts";
import { t } from "../texts/index.ts";
import { Dialog } from "./dialog.tsx";
import { notify } from "./notices.tsx";
import { PasswordField } from "./password-field.tsx";

const errorOf = (failure: unknown, field: "password" | "newPassword"): string | undefined => {
  if (field === "password" && failure instanceof ParleyError && failure.code === "wrong_password") {
    return failure.message;
  }
  return fieldErrors(failure).find((error) => error.field === field)?.message;
};

/** Changes the password of the signed-in person; the service ends all other sessions. */
export const ChangePassword = ({ onClose }: { readonly onClose: () => void }) => {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [differs, setDiffers] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const atFields = [errorOf(failure, "password"), errorOf(failure, "newPassword")] as const;

  const submit = useOnce(async () => {
    setDiffers(next !== again);
    setFailure(undefined);
    if (next !== again) return;
    setBusy(true);
    try {
      await parley.changePassword({ password: current, newPassword: next });
      notify({ text: t.password.done });
      onClose();
    } catch (failed) {
      setFailure(failed);
      setBusy(false);
    }
  });

  return (
    <Dialog title={t.password.title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="md">
          <PasswordField
            label={t.password.current}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={atFields[0]}
            data-autofocus
          />
          <PasswordField
            label={t.password.next}
            description={t.password.length(passwordLength.min, passwordLength.max)}
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
            error={atFields[1]}
          />
          <PasswordField
            label={t.password.again}
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            error={differs ? t.password.differs : undefined}
          />
          {failure !== undefined && atFields.every((error) => error === undefined) && (
            <Alert color="red" variant="light" role="alert">
              {sayFailure(failure)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {t.password.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
