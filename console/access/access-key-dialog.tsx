import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { type Scope, scopes } from "../../contract/kit/scopes.ts";
import {
  type AccessKey,
  type AccessKeySettings,
  accessKeySettings,
  initialAccessKeySettings,
} from "../../contract/organization/access-keys.ts";
import { parley } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { asTyped, useForm } from "../kit/form.ts";
import { notify } from "../kit/notices.tsx";
import { longest } from "../kit/schema.ts";
import { SchemaField } from "../kit/schema-field.tsx";
import { useChange } from "../kit/use-change.ts";
import { useClosing } from "../kit/use-closing.ts";
import { t } from "../texts/index.ts";

/** A new key, with the secret that is shown only now. */
export type Made = AccessKey & { readonly secretAccessKey: string };

interface AccessKeyDialogProps {
  /** The key to edit; undefined for a new one. */
  readonly edited: AccessKey | undefined;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
}

const LENGTH = longest(accessKeySettings.name.create) ?? 0;

/** Asks for the name, the scope and the end of an access key. */
export const AccessKeyDialog = ({ edited, onMade, onClose }: AccessKeyDialogProps) => {
  const { name, scope, expiresAt } = edited ?? initialAccessKeySettings;
  const form = useForm<AccessKeySettings>({ name, scope, expiresAt }, t.keys.labels);
  const create = useChange(parley.createAccessKey);
  const edit = useChange(parley.editAccessKey);
  const save = async (): Promise<void> => {
    if (edited === undefined) onMade((await create.mutateAsync(asTyped(form.values))).accessKey);
    else if (form.dirty) {
      await edit.mutateAsync({ accessKey: edited.accessKey, ...asTyped(form.changes) });
      notify({ text: t.keys.saved });
    }
  };
  const { run, close } = useClosing(save, { onClose, onFailure: form.fail });
  const { values, errors, set } = form;
  return (
    <Dialog title={edited ? t.keys.editTitle : t.keys.create} onClose={close}>
      <form
        ref={form.element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t.keys.labels.name}
            description={t.keys.nameHelp}
            name="name"
            autoComplete="off"
            maxLength={LENGTH}
            value={values.name}
            error={errors.name}
            onChange={(event) => set("name", event.currentTarget.value)}
            data-autofocus
          />
          <NativeSelect
            label={t.keys.labels.scope}
            description={t.keys.scopeHelp[values.scope]}
            name="scope"
            data={scopes.map((value) => ({ value, label: t.keys.scopes[value] }))}
            value={values.scope}
            error={errors.scope}
            onChange={(event) => set("scope", event.currentTarget.value as Scope)}
          />
          <SchemaField
            name="expiresAt"
            schema={accessKeySettings.expiresAt.create}
            label={t.keys.labels.expiresAt}
            help={t.keys.expiresHelp}
            value={values.expiresAt}
            error={errors.expiresAt}
            onChange={(value) => set("expiresAt", value as string | null)}
          />
          <FailureNote failure={form.failure} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={create.isPending || edit.isPending}>
              {edited ? t.keys.save : t.keys.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
