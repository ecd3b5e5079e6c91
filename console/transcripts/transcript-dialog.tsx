import type { HeldMeeting } from "../data/meetings.ts";
import { Dialog } from "../kit/dialog.tsx";
import { showMoment } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import { Transcript } from "./transcript.tsx";

interface TranscriptDialogProps {
  readonly meeting: HeldMeeting;
  readonly onClose: () => void;
}

/** The transcript of a meeting that may have no recording. */
export const TranscriptDialog = ({ meeting, onClose }: TranscriptDialogProps) => (
  <Dialog title={t.transcripts.of(showMoment(meeting.startedAt))} onClose={onClose} size="56rem">
    <Transcript meetingId={meeting.meetingId} />
  </Dialog>
);
