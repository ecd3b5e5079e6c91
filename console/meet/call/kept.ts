import { base } from "../../kit/base.ts";

/** The choices that this browser keeps from one meeting to the next. */
export interface Kept {
  readonly name: string;
  readonly audio: boolean;
  readonly video: boolean;
  readonly microphone: string;
  readonly camera: string;
  readonly speaker: string;
  /** True if single-key shortcuts are on; WCAG 2.1.4 requires that they can be switched off. */
  readonly keys: boolean;
  /** True to show captions if a meeting is transcribed. */
  readonly captions: boolean;
  /** The language in which this person last had a meeting transcribed; empty: the engine detects it. */
  readonly speechLanguage: string;
  /** True to hide this person's own picture from them. */
  readonly hidesSelf: boolean;
}

const NAME = `parley-meeting${base}`;
const usual: Kept = {
  name: "",
  audio: true,
  video: true,
  microphone: "",
  camera: "",
  speaker: "",
  keys: true,
  captions: true,
  speechLanguage: "",
  hidesSelf: false,
};

export const kept = (): Kept => {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return usual; // Storage is blocked, or holds something else.
  }
};

export const keep = (change: Partial<Kept>): void => {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // Storage is blocked: the next meeting begins with the defaults.
  }
};
