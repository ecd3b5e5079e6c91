/**
 * A process that has not renewed its row for this long is dead, in milliseconds: its seats are lost, and it
 * has no recorders.
 */
export const SILENT_MS = 15_000;
