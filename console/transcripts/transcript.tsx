import { Button, Group, Skeleton, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { foldForSearch } from "../../contract/kit/folded.ts";
import { spokenLanguages } from "../../contract/meetings/transcript-files.ts";
import type { HeldMeeting } from "../data/meetings.ts";
import { type Beside, type TranscriptRecord, useTranscript } from "../data/transcripts.ts";
import { Dialog } from "../kit/dialog.tsx";
import { download } from "../kit/export.ts";
import { dayOf, showLanguage, showList, showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import css from "./transcript.module.css";

const texts = t.transcripts;

interface Playing extends Beside {
  /** Seeks to a place in the recording, in seconds. */
  readonly onSeek: (seconds: number) => void;
}

interface TranscriptProps {
  readonly meetingId: string;
  /** The recording; without it the times are plain text, and count from the meeting's beginning. */
  readonly playing?: Playing;
  /** The initial search text. */
  readonly search?: string;
}

const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");

/** The lines with their seconds; with a recording, only those during it. */
const linesOf = ({ spoken, startedAt }: TranscriptRecord, playing: Playing | undefined) => {
  const zero = Date.parse(playing?.from ?? startedAt);
  const secondsTo = (time: string): number => (Date.parse(time) - zero) / 1000;
  return spoken
    .filter(
      (line) =>
        playing === undefined ||
        (secondsTo(line.endedAt) > 0 && secondsTo(line.startedAt) < playing.seconds),
    )
    .map((line) => ({ ...line, seconds: Math.max(0, secondsTo(line.startedAt)) }));
};

const Lines = ({
  transcript,
  playing,
  search: first = "",
}: Pick<TranscriptProps, "playing" | "search"> & { readonly transcript: TranscriptRecord }) => {
  const [search, setSearch] = useState(first);
  const { roomId, startedAt, webVtt, plain } = transcript;
  const lines = linesOf(transcript, playing);
  if (lines.length === 0) return <p className="dimmed">{texts.empty}</p>;
  const languages = spokenLanguages(lines).map(showLanguage);
  const wanted = foldForSearch(search.trim());
  const found = lines.filter(({ text }) => foldForSearch(text).includes(wanted));
  const save = (ending: string, text: string) => () =>
    download(`transcript-${roomId}-${dayOf(startedAt)}.${ending}`, text);
  return (
    <div>
      <Group gap="xs" mb="sm">
        <TextInput
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={save("vtt", webVtt)}
        >
          {texts.webVtt}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={save("txt", plain)}
        >
          {texts.plain}
        </Button>
      </Group>
      {languages.length > 0 && (
        <p className="dimmed small">{texts.languages(showList(languages))}</p>
      )}
      {/* The list scrolls: a person without a mouse must be able to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list is scrolled by keyboard */}
      <ol className={css.lines} aria-label={texts.title} tabIndex={0}>
        {found.map(({ seconds, peerId, peerName, text, language }) => (
          <li key={`${seconds} ${peerId}`}>
            {playing ? (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={texts.playFrom(clockOf(seconds))}
                onClick={() => playing.onSeek(seconds)}
              >
                {clockOf(seconds)}
              </Button>
            ) : (
              <time className="dimmed small">{clockOf(seconds)}</time>
            )}
            <p>
              <strong>
                <bdi>{peerName}</bdi>
              </strong>{" "}
              <bdi lang={language}>{text}</bdi>
            </p>
          </li>
        ))}
      </ol>
      {found.length === 0 && <p className="dimmed">{texts.nothingFound}</p>}
    </div>
  );
};

/** The transcript of a meeting, alone or beside its recording, with a search in it. */
export const Transcript = ({ meetingId, playing, ...props }: TranscriptProps) => {
  const { data, error, refetch } = useTranscript(meetingId, playing);
  if (error && !data) return <Failed failure={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={120} />;
  return <Lines transcript={data} {...(playing && { playing })} {...props} />;
};

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
