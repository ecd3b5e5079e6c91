/** What one check of `parley doctor` found. A note is worth knowing; a fault keeps Parley from working. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "note" | "fault";
  readonly found: string;
  /** What to do about it. */
  readonly advice: string | null;
}

/** What is found before the first start: no fault, and worth saying at the end. */
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
