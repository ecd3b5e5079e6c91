import type { RecordingRecord } from "../data/recordings.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { t } from "../texts/index.ts";
import css from "./recordings.module.css";

export const addressOfRecording = (recordingId: string): string =>
  `/recordings/${encodeURIComponent(recordingId)}`;

const tones: Readonly<Record<RecordingRecord["state"], Tone>> = {
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
    <Tag tone={tones[state]}>{t.recordings.states[state]}</Tag>
    {error !== null && (
      <span className={`dimmed small ${css.under}`}>{t.recordings.errors[error]}</span>
    )}
  </>
);
