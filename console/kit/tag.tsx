import type { ReactNode } from "react";
import css from "./tag.module.css";

export type Tone = "calm" | "ok" | "warn" | "bad" | "plain";

/** A state as a word, with a dot whose color only repeats the word. */
export const Tag = ({
  tone = "plain",
  children,
}: {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}) => (
  <span className={css.tag} data-tone={tone}>
    {tone !== "plain" && <span className={css.dot} aria-hidden />}
    {children}
  </span>
);
