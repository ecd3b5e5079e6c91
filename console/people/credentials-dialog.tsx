import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { CopyButton } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Secret } from "../parts/secret.tsx";
import { t } from "../texts/index.ts";

interface CredentialsProps {
  readonly title: string;
  readonly email: string;
  readonly username?: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** What a person signs in with, shown once; closed only by its button. */
export const CredentialsDialog = ({
  title,
  email,
  username,
  password,
  onClose,
}: CredentialsProps) => {
  const both = username === undefined ? password : `${username}\n${password}`;
  return (
    <Dialog title={title} onClose={onClose} firm>
      <Stack gap="md">
        <Text size="sm">{t.people.credentials.once}</Text>
        {username !== undefined && <Secret label={t.people.username} value={username} />}
        <Secret label={t.people.password} value={password} />
        <Alert variant="light" icon={<IconMail size={18} />}>
          {t.people.credentials.letter(email)}
        </Alert>
        <Group justify="flex-end" gap="sm">
          {username !== undefined && (
            <CopyButton text={both} label={t.people.credentials.copyBoth} />
          )}
          <Button onClick={onClose} data-autofocus>
            {t.actions.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
