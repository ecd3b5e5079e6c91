import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { ParleyError, parley, sayFailure } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { errorAt } from "../kit/form.ts";
import { NewPassword, newPasswordError, useNewPassword } from "../kit/new-password.tsx";
import { notify } from "../kit/notices.tsx";
import { PasswordField } from "../kit/password-field.tsx";
import { t } from "../texts/index.ts";

const errorOfCurrent = (failure: unknown): string | undefined =>
  failure instanceof ParleyError && failure.code === "wrong_password"
    ? sayFailure(failure)
    : errorAt(failure, "password", t.password.current);

/** Changes the password of the signed-in person; the service ends all other sessions. */
export const ChangePassword = ({ onClose }: { readonly onClose: () => void }) => {
  const [current, setCurrent] = useState("");
  const form = useNewPassword(async (newPassword) => {
    await parley.changePassword({ password: current, newPassword });
    notify({ text: t.password.done });
    onClose();
  });
  const { failure } = form;
  const atFields = [errorOfCurrent(failure), newPasswordError(failure)] as const;

  return (
    <Dialog title={t.password.title} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md">
          <PasswordField
            label={t.password.current}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            error={atFields[0]}
            data-autofocus
          />
          <NewPassword form={form} error={atFields[1]} />
          {atFields.every((error) => error === undefined) && <FailureNote failure={failure} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={form.busy}>
              {t.password.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
