import { Alert, Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { RecordingMedia, RecordingRecord } from "../data/recordings.ts";
import css from "../styles/recordings.module.css";
import { t } from "../texts/index.ts";

const HLS = "application/vnd.apple.mpegurl";

/**
 * Lets an element play: by itself where the browser can, otherwise by hls.js, which is loaded only then.
 *
 * @returns ends it
 */
const attach = (
  element: HTMLMediaElement,
  { url, format }: RecordingMedia,
  onBroken: () => void,
): (() => void) => {
  element.addEventListener("error", onBroken);
  let end = (): void => element.removeEventListener("error", onBroken);
  if (format === "mp4" || element.canPlayType(HLS) !== "") {
    element.src = url;
    return end;
  }
  let isOver = false;
  import("hls.js/light").then(({ default: Hls }) => {
    if (isOver) return;
    // Its worker would be a blob, which the page's policy forbids.
    const hls = new Hls({ enableWorker: false });
    hls.on(Hls.Events.ERROR, (_, { fatal }) => {
      if (fatal) onBroken();
    });
    hls.loadSource(url);
    hls.attachMedia(element);
    const before = end;
    end = () => {
      before();
      hls.destroy();
    };
  }, onBroken);
  return () => {
    isOver = true;
    end();
  };
};

interface PlayerProps {
  readonly name: string;
  readonly type: RecordingRecord["type"];
  readonly media: RecordingMedia;
  /** Opens the recording again: its cookie has ended, or its store was away. */
  readonly reopen: () => Promise<unknown>;
}

/** Plays a recording. When it breaks off, it goes on where it was. */
export const Player = ({ name, type, media, reopen }: PlayerProps) => {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [tries, setTries] = useState(0);
  const [broken, setBroken] = useState(false);
  const at = useRef(0);
  const { url, format } = media;
  useEffect(() => {
    const current = element.current;
    if (current === null) return;
    const from = at.current;
    const seek = (): void => {
      if (from > 0) current.currentTime = from;
    };
    current.addEventListener("loadedmetadata", seek, { once: true });
    const detach = attach(current, { url, format, expiresAt: "" }, () => setBroken(true));
    return () => {
      detach();
      current.removeEventListener("loadedmetadata", seek);
      current.removeAttribute("src");
      current.load();
    };
  }, [url, format, tries]);

  const again = async (): Promise<void> => {
    await reopen();
    setBroken(false);
    setTries(tries + 1);
  };
  const shared = {
    ref: element,
    controls: true,
    preload: "metadata",
    "aria-label": name,
    onTimeUpdate: () => {
      if (!broken) at.current = element.current?.currentTime ?? 0;
    },
  } as const;
  return (
    <div className={css.player}>
      {type === "a" ? <audio {...shared} /> : <video {...shared} playsInline />}
      {broken && (
        <Alert color="red" variant="light" role="alert" className={css.broken ?? ""}>
          {t.recordings.player.broken}{" "}
          <Button size="compact-sm" variant="default" onClick={() => void again()}>
            {t.recordings.player.again}
          </Button>
        </Alert>
      )}
    </div>
  );
};
