import { Button } from "@mantine/core";
import { IconBroadcast } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { m } from "../../texts/meet.ts";
import { playStream } from "../call/player.ts";
import { meeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";
import css from "../styles/watching.module.css";

interface WatchingPageProps {
  readonly roomName: string;
  readonly playlist: string | undefined;
}

/** The live stream of a room, watched without a seat. */
export const WatchingPage = ({ roomName, playlist }: WatchingPageProps) => {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null || playlist === undefined) return;
    const stop = playStream(element, playlist, () => meeting.watchAgain());
    return () => {
      stop();
      setPlaying(false);
    };
  }, [playlist]);
  const progress = isPlaying ? m.watching.behind : m.watching.loading;
  return (
    <main className={css.page}>
      <header className={css.header}>
        <Heading size="h5" className={css.title ?? ""} document={m.watching.document(roomName)}>
          {roomName}
        </Heading>
        <span className={css.live}>
          <IconBroadcast size={15} aria-hidden /> {m.header.live}
        </span>
        <Button variant="default" size="compact-sm" onClick={() => meeting.stopWatching()}>
          {m.watching.leave}
        </Button>
      </header>
      {/* Captions are for people inside. */}
      {/* biome-ignore lint/a11y/useMediaCaption: a live stream has no caption track */}
      <video
        ref={video}
        className={css.video}
        controls
        autoPlay
        playsInline
        aria-label={m.watching.label(roomName)}
        onPlaying={() => setPlaying(true)}
      />
      <p className="dimmed small" role="status">
        {playlist === undefined ? m.watching.again : progress}
      </p>
    </main>
  );
};
