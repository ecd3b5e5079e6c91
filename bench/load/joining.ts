import { runOwn } from "./run-process.ts";

/** People who join and leave without a pause. */
export interface Joining {
  readonly url: string;
  /** The codes of the rooms' links. */
  readonly codes: readonly string[];
  readonly people: number;
  readonly seconds: number;
}

/** How often they joined. */
export interface Joined {
  readonly perSecond: number;
}

/** Lets people join and leave, from a separate process. */
export const joinAndLeave = (joining: Joining): Promise<Joined> =>
  runOwn<Joined>("joining-process.ts", joining);
