import { Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBroadcast,
  IconPlayerRecord,
  IconTextCaption,
} from "@tabler/icons-react";
import { useState } from "react";
import type { View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { meeting } from "../connection.ts";
import css from "../styles/room.module.css";
import { sayWaits, type Waits } from "./waits.ts";
import { SeenButton, WarningBanner } from "./warning-banner.tsx";

/** Tells everybody that the meeting is recorded, until they have dismissed it. */
const RecordedBanner = ({ onSeen }: { readonly onSeen: () => void }) => (
  <div className={css.banner}>
    <span className={css.dot} aria-hidden />
    <span>{m.recording.active}</span>
    <SeenButton text={m.recording.active} onClick={onSeen} />
  </div>
);

/** The captures of a meeting that currently have a recorder. */
const holdersOf = ({ recorder, runs }: View): Waits["holders"] => {
  const isRecorded = recorder?.state === "starting" || recorder?.state === "active";
  const running = runs.filter(({ before }) => before === null).map(({ topic }) => topic);
  return isRecorded ? ["recording", ...running] : running;
};

/** Tells moderators about a recording that has not begun yet, or ended too early. */
const RecorderBanner = ({
  recorder,
  holders,
}: {
  readonly recorder: NonNullable<View["recorder"]>;
} & Pick<Waits, "holders">) => {
  const [seen, setSeen] = useState<string | null>(null);
  const { state, problem, before, error } = recorder;
  if (state === "queued") {
    const isMissing = problem === "recorder_missing";
    const isTriedAgain = error !== null && !isMissing;
    return (
      <div className={css.banner} role="status">
        <IconPlayerRecord size={18} aria-hidden />
        <span>
          {isTriedAgain
            ? m.recording.again
            : `${sayWaits("recording", { before, holders, isMissing })} ${m.recording.nothingYet}`}
        </span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void meeting.command("stopRecording", {})}
        >
          {m.recording.cancel}
        </Button>
      </div>
    );
  }
  if (error === null || error === seen) return null;
  return <WarningBanner text={m.recording.errors[error]} onSeen={() => setSeen(error)} />;
};

const stopCommands = { stream: "stopStream", transcription: "stopTranscription" } as const;

/** Tells moderators about a live stream or a transcription that waits for a recorder, or does not work. */
const RunBanner = ({
  run: { topic, before, error },
  holders,
}: {
  readonly run: View["runs"][number];
} & Pick<Waits, "holders">) => {
  const Icon = topic === "stream" ? IconBroadcast : IconTextCaption;
  if (before !== null) {
    return (
      <div className={css.banner} role="status">
        <Icon size={18} aria-hidden />
        <span>{sayWaits(topic, { before, holders, isMissing: error === "recorder_missing" })}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void meeting.command(stopCommands[topic], {})}
        >
          {m.live.cancel[topic]}
        </Button>
      </div>
    );
  }
  if (error === null) return null;
  return (
    <div className={css.banner} role="status">
      <IconAlertTriangle size={18} aria-hidden />
      <span>{m.live.troubles[topic](error)}</span>
    </div>
  );
};

/** Tells moderators about a live stream or a transcription that has failed. */
const FailedBanner = ({ topic, error }: Omit<View["failed"][number], "endedAt">) => {
  const [isSeen, setSeen] = useState(false);
  if (isSeen) return null;
  return <WarningBanner text={m.live.failed[topic](error)} onSeen={() => setSeen(true)} />;
};

interface RecordingBannersProps {
  readonly view: View;
  /** Unset once this person has seen that the meeting is recorded. */
  readonly onSeen: (() => void) | undefined;
}

/** All notices about the recording, the live stream and the transcription. */
export const RecordingBanners = ({ view, onSeen }: RecordingBannersProps) => {
  const holders = holdersOf(view);
  const { meeting: state, recorder, runs, failed } = view;
  return (
    <>
      {state.recording && onSeen && <RecordedBanner onSeen={onSeen} />}
      {/* Dismissing the notice about one recording does not dismiss the next one's. */}
      {recorder !== null && (
        <RecorderBanner key={recorder.state} recorder={recorder} holders={holders} />
      )}
      {runs.map((run) => (
        <RunBanner key={run.topic} run={run} holders={holders} />
      ))}
      {failed.map(({ topic, endedAt, error }) => (
        <FailedBanner key={endedAt} topic={topic} error={error} />
      ))}
    </>
  );
};
