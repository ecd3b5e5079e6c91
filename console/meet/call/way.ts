/** connecting: a few seconds at most; slow: no connection for ten seconds; broken: the same, after there was one. */
export type WayState = "connecting" | "connected" | "slow" | "broken";

/** Returns whether the page says so. */
export const isDown = (state: WayState | undefined): state is "slow" | "broken" =>
  state === "slow" || state === "broken";

/** The time without a connection after which the page says so, in milliseconds. */
export const SLOW = 10_000;

/** The way on which somebody's pictures and sound come. */
export interface Way {
  readonly isUp: boolean;
  /** True if it was ever up. */
  readonly wasUp: boolean;
  /** When it came up, or went down. */
  readonly since: number;
}

export const newWay = (time: number): Way => ({ isUp: false, wasUp: false, since: time });

/** The way after a look: an unchanged state keeps its time. */
export const wayAfter = (before: Way, isUp: boolean, time: number): Way =>
  before.isUp === isUp ? before : { isUp, wasUp: before.wasUp || isUp, since: time };

export const stateOf = ({ isUp, wasUp, since }: Way, time: number): WayState => {
  if (isUp) return "connected";
  if (time - since < SLOW) return "connecting";
  return wasUp ? "broken" : "slow";
};
