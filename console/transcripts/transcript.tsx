import { Button, Group, Skeleton, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../data/client.ts";
import { download } from "../data/export.ts";
import { Failed } from "../parts/states.tsx";
import css from "../styles/transcript.module.css";
import { t } from "../texts/index.ts";

const texts = t.transcripts;

interface TranscriptProps {
  readonly meetingId: string;
  /** The moment that is 0: a recording's beginning; the meeting's by default. */
  readonly from?: string;
  /** Goes to a place in the recording, in seconds; without it the times are text. */
  readonly onSeek?: (seconds: number) => void;
}

const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");

/** What was said in a meeting, beside its recording or alone, with a search in it. */
export const Transcript = ({ meetingId, from, onSeek }: TranscriptProps) => {
  const [search, setSearch] = useState("");
  const { data, error, refetch } = useQuery({
    queryKey: ["transcript", meetingId, from],
    queryFn: async ({ signal }) =>
      (await parley.getTranscript({ meetingId, ...(from && { from }) }, { signal })).transcript,
  });
  if (error && !data) return <Failed failure={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={120} />;
  if (data.spoken.length === 0) return <p className="dimmed">{texts.empty}</p>;
  const zero = Date.parse(from ?? data.startedAt);
  const wanted = search.trim().toLowerCase();
  const found = data.spoken.filter(({ text }) => text.toLowerCase().includes(wanted));
  const save = (ending: string, text: string) => () =>
    download(`transcript-${data.roomId}-${data.startedAt.slice(0, 10)}.${ending}`, text);
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
          onClick={save("vtt", data.webVtt)}
        >
          {texts.webVtt}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={save("txt", data.plain)}
        >
          {texts.plain}
        </Button>
      </Group>
      <ol className={css.lines} aria-label={texts.title}>
        {found.map(({ startedAt, peerId, peerName, text }) => {
          const seconds = Math.max(0, (Date.parse(startedAt) - zero) / 1000);
          return (
            <li key={`${startedAt} ${peerId}`}>
              {onSeek ? (
                <Button size="compact-xs" variant="subtle" onClick={() => onSeek(seconds)}>
                  {clockOf(seconds)}
                </Button>
              ) : (
                <time className="dimmed small">{clockOf(seconds)}</time>
              )}
              <p>
                <strong>{peerName}</strong> {text}
              </p>
            </li>
          );
        })}
      </ol>
      {found.length === 0 && <p className="dimmed">{texts.nothingFound}</p>}
    </div>
  );
};
