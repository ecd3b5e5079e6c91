/**
 * The finding of one check of `parley doctor`. A note is worth knowing; a fault keeps Parley from
 * working.
 */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "note" | "fault";
  readonly found: string;
  /** The remedy. */
  readonly advice: string | null;
}

/** A finding before the first start: not a fault, shown at the end. */
export const NO_DATABASE = "There is none yet.";

export const ok = (name: string, found: string): Check => ({
  name,
  status: "ok",
  found,
  advice: null,
});

export const note = (name: string, found: string, advice: string): Check => ({
  name,
  status: "note",
  found,
  advice,
});

export const fault = (name: string, found: string, advice: string): Check => ({
  name,
  status: "fault",
  found,
  advice,
});
