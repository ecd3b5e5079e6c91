import { SecretDialog } from "../kit/secret-dialog.tsx";
import { t } from "../texts/index.ts";

interface WebhookSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The secret of a webhook, shown only once. */
export const WebhookSecret = ({ secret, onClose }: WebhookSecretProps) => (
  <SecretDialog
    title={t.webhooks.secretTitle}
    help={t.webhooks.once}
    secrets={[{ label: t.webhooks.secret, value: secret }]}
    firm
    onClose={onClose}
  />
);
