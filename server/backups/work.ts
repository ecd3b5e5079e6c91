/** A step of a backup, or of the check of one. */
export type BackupStage = "database" | "sending" | "recordings" | "restoring";

/** Gets the progress of long work. */
export type OnWork = (
  stage: BackupStage,
  done: number,
  of: number,
  unit: "bytes" | "pages" | "rows",
) => void;
