/** What a backup, or a check of one, works on. */
export type Stage = "database" | "sending" | "recordings" | "restoring";

/** Gets the progress of long work. */
export type OnWork = (
  stage: Stage,
  done: number,
  of: number,
  unit: "bytes" | "pages" | "rows",
) => void;
