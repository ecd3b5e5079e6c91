import { parley } from "../../data/client.ts";
import type { Entry } from "./state.ts";

/** Takes a seat. @throws ParleyError with why there is none */
export const askForSeat = (
  roomId: string,
  sessionToken: string | undefined,
  { peerName, password, peerType }: Entry,
) =>
  parley.joinRoom({
    roomId,
    ...(peerName === "" ? {} : { peerName }),
    ...(password === "" ? {} : { password }),
    ...(peerType === undefined ? {} : { peerType }),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });

/** Gives a seat back while the page goes; its person may return. */
export const giveBack = (ticket: string): void => {
  const left = JSON.stringify({ ticket, mayReturn: true });
  navigator.sendBeacon("/api/meeting/leaveRoom", new Blob([left], { type: "application/json" }));
};
