import { Alert, Button, NativeSelect } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { languageOfVtt } from "../../contract/meetings/transcript-files.ts";
import css from "../columns/recordings.module.css";
import type { RecordingMedia, RecordingRecord } from "../data/recordings.ts";
import { t } from "../texts/index.ts";
import { play } from "./play.ts";

const HLS = "application/vnd.apple.mpegurl";

/**
 * Plays a file in an element: natively if the browser can, otherwise with hls.js, which is loaded only then.
 *
 * @returns a function that ends playing
 */
const attach = (
  element: HTMLMediaElement,
  { url, format }: Pick<RecordingMedia, "url" | "format">,
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
    // The worker would be a blob: address, which the page's policy forbids.
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
  /** Reopens the recording, after its cookie expired or its store was unavailable. */
  readonly reopen: () => Promise<unknown>;
  /** The second at which playing begins. */
  readonly from?: number;
  /** Receives the element that plays. */
  readonly player?: RefObject<HTMLMediaElement | null>;
  /** The captions, as WebVTT. */
  readonly captions?: string;
}

/** An address from which a player loads the text; undefined without text. */
const useAddress = (text: string | undefined): string | undefined => {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (text === undefined) return;
    const made = URL.createObjectURL(new Blob([text], { type: "text/vtt" }));
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [text]);
  return address;
};

/**
 * Plays a recording; mp4 in the chosen size, hls in the one that suits the connection. After an
 * interruption or a change of size it continues at the same place.
 */
export const Player = ({ name, type, media, reopen, from = 0, player, captions }: PlayerProps) => {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [tries, setTries] = useState(0);
  const [broken, setBroken] = useState(false);
  const [chosen, setChosen] = useState("");
  const at = useRef(from);
  const wasPlaying = useRef(false);
  const { format, sizes } = media;
  const url = sizes.find(({ resolution }) => resolution === chosen)?.url ?? media.url;
  const address = useAddress(captions);
  // Only a <video> shows captions, even for sound without pictures.
  const isShown = type === "av" || captions !== undefined;
  useEffect(() => {
    if (player) player.current = element.current;
  }, [player]);
  useEffect(() => {
    const current = element.current;
    if (current === null) return;
    const resumed = at.current;
    const seek = (): void => {
      if (resumed > 0) current.currentTime = resumed;
      if (wasPlaying.current) play(current);
      wasPlaying.current = false;
    };
    current.addEventListener("loadedmetadata", seek, { once: true });
    const detach = attach(current, { url, format }, () => setBroken(true));
    return () => {
      detach();
      current.removeEventListener("loadedmetadata", seek);
      current.removeAttribute("src");
      current.load();
    };
  }, [url, format, tries, isShown]);

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
      {isShown ? (
        <video {...shared} playsInline className={(type === "a" && css.sound) || ""}>
          {address && (
            <track
              kind="captions"
              src={address}
              srcLang={languageOfVtt(captions)}
              label={t.transcripts.title}
              default
            />
          )}
        </video>
      ) : (
        <audio {...shared} />
      )}
      {sizes.length > 1 && (
        <NativeSelect
          className={css.size ?? ""}
          label={t.recordings.player.size}
          value={chosen || sizes[0]?.resolution}
          onChange={(event) => {
            wasPlaying.current = element.current?.paused === false;
            setChosen(event.currentTarget.value);
          }}
          data={sizes.map(({ resolution }) => resolution)}
        />
      )}
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
