import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import type { Dice } from "./dice.ts";

/** The time over which the organization seems to have grown. */
const SPAN_MS = 1000 * DAY_MS;

/** When each of these things was made and last changed, oldest first, ending now. */
export const timesOf = (
  dice: Dice,
  {
    index,
    total,
    currentTime,
  }: { readonly index: number; readonly total: number; readonly currentTime: number },
): { readonly created: string; readonly updated: string } => {
  const created = currentTime - SPAN_MS * (1 - (index + dice.next()) / total);
  const isEdited = dice.happens(0.3);
  const updated = isEdited ? created + (currentTime - created) * dice.next() : created;
  return { created: new Date(created).toISOString(), updated: new Date(updated).toISOString() };
};

/** A time of day within the next weeks, for a meeting that is planned. */
export const plannedTime = (dice: Dice, currentTime: number): string =>
  new Date(
    (Math.floor(currentTime / DAY_MS) + 1 + dice.roll(60)) * DAY_MS +
      (8 + dice.roll(10)) * HOUR_MS +
      dice.roll(4) * 900_000,
  ).toISOString();
