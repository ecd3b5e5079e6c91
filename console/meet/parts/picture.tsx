import { useMergedRef, useResizeObserver } from "@mantine/hooks";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { createStore } from "../../kit/store.ts";
import { isShownWhole } from "../call/fit.ts";
import type { Attach } from "../call/media.ts";
import css from "../styles/tile.module.css";

/** `isBlocked`: the browser blocks sound until the person clicks. */
export const sound = createStore({ isBlocked: false });

const notifyBlocked = (): void => sound.set({ isBlocked: true });

/** Plays every sound of the page; to be called on a click. */
export const playAll = async (): Promise<void> => {
  const all = document.querySelectorAll<HTMLAudioElement>("audio[data-sound]");
  await Promise.allSettled([...all].map((audio) => audio.play()));
  sound.set({ isBlocked: false });
};

interface PictureProps {
  readonly attach: Attach;
  /** True to show the whole picture, as of a screen; otherwise it is shown whole if too much would be cut off. */
  readonly whole?: boolean;
  /** This person's own picture is mirrored. */
  readonly mirrored?: boolean;
  readonly label: string;
}

const NOTHING = { width: 0, height: 0 };

/** A picture without its sound. */
export const Picture = ({ attach, whole = false, mirrored = false, label }: PictureProps) => {
  const element = useRef<HTMLVideoElement>(null);
  const [watched, place] = useResizeObserver<HTMLVideoElement>();
  const [size, setSize] = useState(NOTHING);
  useEffect(() => (element.current ? attach(element.current) : undefined), [attach]);
  const measure = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>): void =>
    setSize({ width: currentTarget.videoWidth, height: currentTarget.videoHeight });
  return (
    <video
      ref={useMergedRef(element, watched)}
      className={css.picture}
      data-whole={whole || isShownWhole(size, place) || undefined}
      // A phone that is turned sends pictures of another shape.
      onResize={measure}
      onLoadedMetadata={measure}
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
