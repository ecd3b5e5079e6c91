import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconMail, IconMailOff } from "@tabler/icons-react";
import { CopyButton } from "../kit/copy.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useMailLeaves } from "../kit/mail-notice.tsx";
import { Secret } from "../kit/secrets.tsx";
import { t } from "../texts/index.ts";

interface CredentialsProps {
  readonly title: string;
  readonly email: string;
  readonly username?: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** The username and password of a person, shown once; only the dialog's button closes it. */
export const CredentialsDialog = ({
  title,
  email,
  username,
  password,
  onClose,
}: CredentialsProps) => {
  const leaves = useMailLeaves();
  const both = username === undefined ? password : `${username}\n${password}`;
  return (
    <Dialog title={title} onClose={onClose} firm>
      <Stack gap="md">
        <Text size="sm">{t.people.credentials.once}</Text>
        {username !== undefined && <Secret label={t.people.username} value={username} />}
        <Secret label={t.people.password} value={password} />
        {leaves === false ? (
          <Alert variant="light" color="yellow" icon={<IconMailOff size={18} />}>
            {t.people.credentials.noMail}
          </Alert>
        ) : (
          <Alert variant="light" icon={<IconMail size={18} />}>
            {t.people.credentials.email(email)}
          </Alert>
        )}
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
