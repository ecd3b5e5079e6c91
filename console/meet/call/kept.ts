/** What this browser keeps of one meeting for the next. */
export interface Kept {
  readonly name: string;
  readonly audio: boolean;
  readonly video: boolean;
  readonly microphone: string;
  readonly camera: string;
  readonly speaker: string;
  /** Whether single keys do something; WCAG 2.1.4 wants them to be switched off by who is bothered. */
  readonly keys: boolean;
  /** Whether captions are shown where a meeting is transcribed. */
  readonly captions: boolean;
}

const NAME = "parley-meeting";
const usual: Kept = {
  name: "",
  audio: true,
  video: true,
  microphone: "",
  camera: "",
  speaker: "",
  keys: true,
  captions: true,
};

export const kept = (): Kept => {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return usual; // storage is forbidden, or holds something else
  }
};

export const keep = (change: Partial<Kept>): void => {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // Storage is forbidden: the next meeting begins with what is usual.
  }
};
