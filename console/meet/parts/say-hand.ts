import { m } from "../../texts/meet.ts";

/** A raised hand, with its place in the line of them. */
export const sayHand = (place: number | undefined): string =>
  place === undefined ? m.stage.hand : m.stage.handPlace(place);
