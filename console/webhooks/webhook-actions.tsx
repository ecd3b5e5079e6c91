import { type ReactNode, useState } from "react";
import type { Webhook } from "../data/webhooks.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { notify } from "../kit/notices.tsx";
import { SecretDialog } from "../kit/secrets.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.webhooks;

/** The actions for a webhook, with their confirmation dialogs. */
export interface WebhookActions {
  readonly test: () => void;
  readonly turn: (on: boolean) => void;
  readonly rotate: () => void;
  readonly remove: () => void;
  /** True while a test or a switch is in progress. */
  readonly busy: boolean;
  readonly dialogs: ReactNode;
}

const failed = (failure: unknown): void => notify({ text: sayFailure(failure), kind: "failed" });

export const useWebhookActions = ({ id, url }: Webhook, onRemoved: () => void): WebhookActions => {
  const [asking, setAsking] = useState<"rotate" | "remove">();
  const [secret, setSecret] = useState<string>();
  const testing = useChange(parley.testWebhook);
  const editing = useChange(parley.editWebhook);
  const rotating = useChange(parley.rotateWebhookSecret);
  const removing = useChange(parley.removeWebhook);
  const close = () => setAsking(undefined);
  return {
    test: () =>
      testing.mutate({ id }, { onSuccess: () => notify({ text: texts.tested }), onError: failed }),
    turn: (on) =>
      editing.mutate(
        { id, on },
        {
          onSuccess: () => notify({ text: on ? texts.switchedOn : texts.switchedOff }),
          onError: failed,
        },
      ),
    rotate: () => setAsking("rotate"),
    remove: () => setAsking("remove"),
    busy: testing.isPending || editing.isPending,
    dialogs: (
      <>
        {asking === "rotate" && (
          <Confirm
            title={texts.rotateTitle}
            confirm={texts.rotate}
            onConfirm={async () => setSecret((await rotating.mutateAsync({ id })).webhook.secret)}
            onClose={close}
          >
            {texts.rotateHelp}
          </Confirm>
        )}
        {asking === "remove" && (
          <Confirm
            title={texts.removeTitle}
            confirm={texts.remove}
            danger
            onConfirm={async () => {
              await removing.mutateAsync({ id });
              notify({ text: texts.removed });
              onRemoved();
            }}
            onClose={close}
          >
            <p className="mono">{url}</p>
            {texts.removeHelp}
          </Confirm>
        )}
        {secret !== undefined && (
          <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />
        )}
      </>
    ),
  };
};

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
