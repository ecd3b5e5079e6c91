import assert from "node:assert/strict";
import { until } from "../world/process.ts";
import type { Host, Meetings } from "./people.ts";

/** Waits until a service has found its media engine: before that it lets nobody into a room that needs one. */
export const engineFound = ({ client }: Pick<Host, "client">, roomId: string): Promise<number> =>
  until("the engine is found", () =>
    client.joinRoom({ roomId, peerName: "Early" }).then(
      () => true,
      () => false,
    ),
  );

/** The meetings of a service that has found its media engine. */
export const withEngine = async <M extends Meetings>(meetings: M | undefined): Promise<M> => {
  assert.ok(meetings, "There is no media engine.");
  const { room } = await meetings.room();
  await engineFound(meetings.service, room);
  return meetings;
};
