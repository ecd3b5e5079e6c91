import { useEffect, useRef } from "react";
import { m } from "../../texts/meet.ts";
import { measure } from "../call/levels.ts";
import css from "../styles/before.module.css";

const EVERY = 100;

/** Shows how loud this person's microphone is, so that they know it works before they enter. */
export const LevelBar = ({ track }: { readonly track: MediaStreamTrack }) => {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const meter = measure(track);
    const timer = setInterval(() => {
      const percent = Math.round(meter.level() * 100);
      bar.current?.style.setProperty("--level", `${percent}%`);
      bar.current?.setAttribute("aria-valuenow", String(percent));
    }, EVERY);
    return () => {
      clearInterval(timer);
      meter.close();
    };
  }, [track]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: each browser draws <meter> differently
    <div
      ref={bar}
      className={css.level}
      role="meter"
      aria-label={m.devices.level}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  );
};
