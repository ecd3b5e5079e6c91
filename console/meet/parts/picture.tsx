import { useEffect, useRef } from "react";
import type { Attach } from "../call/media.ts";
import { notifyBlocked } from "../call/sound.ts";
import css from "../styles/tile.module.css";

interface PictureProps {
  readonly attach: Attach;
  /** Whether the whole picture must be visible, as for a screen. */
  readonly whole?: boolean;
  /** This person's own picture is mirrored. */
  readonly mirrored?: boolean;
  readonly label: string;
}

/** A picture without its sound. */
export const Picture = ({ attach, whole = false, mirrored = false, label }: PictureProps) => {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => (element.current ? attach(element.current) : undefined), [attach]);
  return (
    <video
      ref={element}
      className={css.picture}
      data-whole={whole || undefined}
      data-mirrored={mirrored || undefined}
      aria-label={label}
      autoPlay
      playsInline
      muted
    />
  );
};

interface SoundProps {
  readonly attach: Attach;
  /** The device that plays it; empty: the default. */
  readonly speaker: string;
}

export const Sound = ({ attach, speaker }: SoundProps) => {
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const audio = element.current;
    if (audio === null) return;
    const detach = attach(audio);
    audio.play().catch((failure: DOMException) => {
      if (failure.name === "NotAllowedError") notifyBlocked();
    });
    return detach;
  }, [attach]);
  useEffect(() => {
    if (element.current && "setSinkId" in element.current) {
      element.current.setSinkId(speaker).catch(() => {});
    }
  }, [speaker]);
  // biome-ignore lint/a11y/useMediaCaption: live speech has no caption track
  return <audio ref={element} autoPlay data-sound />;
};
