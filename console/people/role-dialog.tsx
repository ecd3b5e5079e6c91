import { Autocomplete, Button, Group, Stack } from "@mantine/core";
import { defaultRole } from "../../contract/people/settings.ts";
import { parley } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { asTyped, useForm } from "../kit/form.ts";
import { notify } from "../kit/notices.tsx";
import { useOrganization } from "../kit/queries.ts";
import { useChange } from "../kit/use-change.ts";
import { useClosing } from "../kit/use-closing.ts";
import { t } from "../texts/index.ts";
import { explainRefusal } from "./bulk-confirm.tsx";
import type { Someone } from "./heirs-field.tsx";

interface RoleDialogProps {
  readonly people: readonly Someone[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks which role several people get. */
export const RoleDialog = ({ people, onDone, onClose }: RoleDialogProps) => {
  const roles = useOrganization().data?.roles ?? [];
  const form = useForm({ role: defaultRole }, t.people.labels);
  const change = useChange(parley.changeRoles);
  const save = async (): Promise<void> => {
    const { role } = asTyped(form.values);
    await change.mutateAsync({ userIds: people.map(({ id }) => id), role });
    notify({ text: t.people.roleChanged(people.length, people[0]?.name ?? "", role) });
    onDone();
  };
  const { run, close } = useClosing(save, { onClose, onFailure: form.fail });
  return (
    <Dialog title={t.people.roleTitle(people.length, people[0]?.name ?? "")} onClose={close}>
      <form
        ref={form.element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack gap="md">
          <Autocomplete
            label={t.people.labels.role}
            description={t.people.roleHelp}
            name="role"
            data={[...roles]}
            value={form.values.role}
            error={form.errors.role}
            onChange={(role) => form.set("role", role)}
            data-autofocus
          />
          <FailureNote failure={form.failure} explain={explainRefusal(people)} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t.people.changeRole}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
