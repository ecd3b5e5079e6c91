import type { RecordingRecord } from "../data/recordings.ts";
import type { Webhook } from "../data/webhooks.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { t } from "../texts/index.ts";
import css from "./recordings.module.css";

export const addressOfRecording = (recordingId: string): string =>
  `/recordings/${encodeURIComponent(recordingId)}`;

const recordingTones: Readonly<Record<RecordingRecord["state"], Tone>> = {
  queued: "warn",
  starting: "warn",
  active: "bad",
  ending: "warn",
  ready: "ok",
  failed: "bad",
};

/** The state of a recording, and the reason if something went wrong. */
export const RecordingStateTag = ({
  recording: { state, error },
}: {
  readonly recording: Pick<RecordingRecord, "state" | "error">;
}) => (
  <>
    <Tag tone={recordingTones[state]}>{t.recordings.states[state]}</Tag>
    {error !== null && (
      <span className={`dimmed small ${css.under}`}>{t.recordings.errors[error]}</span>
    )}
  </>
);

const webhookTones: Record<Webhook["state"], Tone> = { on: "ok", off: "calm", failed: "bad" };

/** Returns whether a webhook is on, and whether anything is wrong with it. */
export const WebhookState = ({
  webhook: { state, failingSince },
}: {
  readonly webhook: Webhook;
}) => (
  <Tag tone={state === "on" && failingSince !== null ? "warn" : webhookTones[state]}>
    {t.webhooks.states[state]}
  </Tag>
);

/** The page of a provider by which people sign in. */
export const addressOfProvider = (id: string): string => `/sign-in/${encodeURIComponent(id)}`;
export const addressOfWebhook = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;
