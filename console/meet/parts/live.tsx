import { Menu } from "@mantine/core";
import {
  IconBroadcast,
  IconBroadcastOff,
  IconMessage2,
  IconMessage2Off,
  IconTextCaption,
} from "@tabler/icons-react";
import type { View } from "../../../contract/meetings/socket.ts";
import { spokenLanguages } from "../../../contract/meetings/transcript-files.ts";
import { showLanguage, showList } from "../../kit/show.ts";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";
import css from "../styles/room.module.css";

interface LiveProps {
  readonly view: View;
}

/** Tells everybody that the meeting is streamed, and that it is transcribed. */
export const LiveStates = ({ view: { meeting: now } }: LiveProps) => {
  const { liveStream: stream, transcribing } = now;
  return (
    <>
      {stream !== null && (
        <span
          className={css.state}
          title={stream.kind === "rtmp" ? m.live.sent(stream.target ?? "") : m.live.watched}
        >
          <IconBroadcast size={15} aria-hidden />
          {stream.state === "live" ? m.header.live : m.live.states[stream.state]}
        </span>
      )}
      {transcribing && (
        <span className={css.state} title={m.live.transcribedHelp}>
          <IconTextCaption size={15} aria-hidden /> {m.header.transcribed}
        </span>
      )}
    </>
  );
};

/** For moderators, in the menu: begin and end the live stream and the transcription. */
export const LiveItems = ({
  view: { allowed, meeting: now, runs },
  onStream,
  onTranscribe,
}: LiveProps & { readonly onStream: () => void; readonly onTranscribe: () => void }) => {
  const { liveStream: stream } = now;
  const transcribing = runs.some(({ topic }) => topic === "transcription");
  const transcribe = (): void => {
    if (transcribing) void meeting.command("stopTranscription", {});
    else if (allowed.speechLanguage) onTranscribe();
    else void meeting.command("startTranscription", {});
  };
  return (
    <>
      {(allowed.stream || stream !== null) && (
        <Menu.Item
          leftSection={
            stream === null ? <IconBroadcast size={18} /> : <IconBroadcastOff size={18} />
          }
          onClick={() => (stream === null ? onStream() : void meeting.command("stopStream", {}))}
        >
          {stream === null ? m.live.start : m.live.stop}
        </Menu.Item>
      )}
      {(allowed.transcribe || transcribing) && (
        <Menu.Item
          leftSection={transcribing ? <IconMessage2Off size={18} /> : <IconMessage2 size={18} />}
          onClick={transcribe}
        >
          {transcribing ? m.live.stopTranscription : m.live.startTranscription}
        </Menu.Item>
      )}
    </>
  );
};

/** For everybody while the meeting is transcribed: show the captions, or hide them; with their language. */
export const CaptionsItem = ({ view }: LiveProps) => {
  const { captions, showsCaptions } = useMeeting();
  if (!view.meeting.transcribing) return null;
  const languages = spokenLanguages(captions).map(showLanguage);
  return (
    <Menu.Item
      leftSection={<IconTextCaption size={18} />}
      onClick={() => meeting.showCaptions(!showsCaptions)}
    >
      {showsCaptions ? m.live.hideCaptions : m.live.showCaptions}
      {languages.length > 0 && <span className="dimmed small"> {showList(languages)}</span>}
    </Menu.Item>
  );
};

/**
 * The newest captions, below the stage. Screen readers read them only on request: otherwise they would talk
 * over the speakers.
 */
export const Captions = ({ view }: LiveProps) => {
  const { captions, showsCaptions } = useMeeting();
  if (!view.meeting.transcribing || !showsCaptions) return null;
  return (
    <section className={css.captions} aria-label={m.live.captions} aria-live="off">
      {captions.map(({ startedAt, peerId, peerName, text, language }) => (
        <p key={`${startedAt} ${peerId}`}>
          <strong>
            <bdi>{peerName}</bdi>
          </strong>{" "}
          <bdi lang={language}>{text}</bdi>
        </p>
      ))}
    </section>
  );
};
