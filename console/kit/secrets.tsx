import { Button, Group, Stack, Text } from "@mantine/core";
import { t } from "../texts/index.ts";
import { CopyIcon } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import css from "./secret.module.css";

/** A value to hand over: its label, the literal value, and a button that copies it. */
export const Secret = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className={css.secret}>
    <div className={css.what}>
      <Text size="xs" className="dimmed">
        {label}
      </Text>
      <code className={css.value}>{value}</code>
    </div>
    <CopyIcon text={value} what={label} />
  </div>
);

interface SecretDialogProps {
  readonly title: string;
  /** Why it is shown, and what to do with it. */
  readonly help: string;
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  /** For something shown only once: a stray click does not close it. */
  readonly firm?: boolean;
  readonly onClose: () => void;
}

/** Shows values to hand over. */
export const SecretDialog = ({ title, help, secrets, firm, onClose }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose} size="lg" firm={firm ?? false}>
    <Stack gap="md">
      <Text size="sm">{help}</Text>
      {secrets.map(({ label, value }) => (
        <Secret key={label} label={label} value={value} />
      ))}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t.actions.done}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
