import type { Webhook } from "../data/webhooks.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { t } from "../texts/index.ts";

const tones: Record<Webhook["state"], Tone> = { on: "ok", off: "calm", failed: "bad" };

/** Whether a webhook is on, and whether anything is wrong with it. */
export const WebhookState = ({
  webhook: { state, failingSince },
}: {
  readonly webhook: Webhook;
}) => (
  <Tag tone={state === "on" && failingSince !== null ? "warn" : tones[state]}>
    {t.webhooks.states[state]}
  </Tag>
);

export const addressOfWebhook = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;
