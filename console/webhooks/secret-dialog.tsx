import { Button, Group, Stack, Text } from "@mantine/core";
import { Dialog } from "../parts/dialog.tsx";
import { Secret } from "../parts/secret.tsx";
import { t } from "../texts/index.ts";

/** The secret of a webhook, shown only once. */
export const SecretDialog = ({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) => (
  <Dialog title={t.webhooks.secretTitle} onClose={onClose} size="lg" firm>
    <Stack gap="md">
      <Text size="sm">{t.webhooks.once}</Text>
      <Secret label={t.webhooks.secret} value={secret} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t.actions.done}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);
