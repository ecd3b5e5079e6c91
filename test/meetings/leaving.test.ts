import assert from "node:assert/strict";
import { test } from "node:test";
import { digestOf } from "../../server/digest.ts";
import { connectMedia, disconnectMedia } from "../../server/meetings/presence.ts";
import { claimSeat, releaseSeat } from "../../server/meetings/seats.ts";
import { startSweep } from "../../server/meetings/sweep.ts";
import { findRoom } from "../../server/rooms/queries.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { emptyDatabase } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { makers, numbered } from "../world/world.ts";

test("a seat counts until the media engine has let its person go, however often it fails", async (t) => {
  const database = await emptyDatabase(t);
  const tenant = await makers(database, "", numbered()).tenant();
  const settings = { name: "R", roomOwnerId: [tenant.admin.id], noOfParticipants: 1 };
  await tenant.change((change) => createRoom(change, { ...settings, room: "r" } as never));
  const claim = (name: string) =>
    tenant.change(async (change) => {
      const row = await findRoom(change.tx, tenant.id, "r");
      assert.ok(row);
      const who = { person: `guest:${name}`, userId: null, peerName: name, waits: false };
      const comer = { ...who, role: "participant" as const, ticketDigest: digestOf(name) };
      return claimSeat(change, row, comer, "livekit");
    });
  const stateOf = async (id: string) => {
    const rows = database.read.selectFrom("seats").select("state").where("id", "=", id);
    return (await rows.executeTakeFirstOrThrow()).state;
  };
  const seat = await claim("Ann");
  const connected = await connectMedia(database, "Ann", "q");
  assert.ok(connected);
  assert.equal(await stateOf(seat.id), "inside", "the connection to the engine is enough");
  await tenant.change((change) => releaseSeat(change, connected.seat, "removed"));
  assert.equal(await stateOf(seat.id), "leaving");
  assert.equal(await connectMedia(database, "Ann", "q"), undefined, "the ticket is over");
  await disconnectMedia(database, connected);
  assert.equal(await stateOf(seat.id), "leaving");

  let asked = 0;
  let isAway = true;
  const engine = {
    remove: async (meetingId: string, seatId: string) => {
      asked += 1;
      assert.deepEqual([meetingId, seatId], [seat.meeting_id, seat.id]);
      if (isAway) throw new Error("The engine is away.");
    },
  };
  const warned: unknown[] = [];
  const log = { warn: (what: unknown) => void warned.push(what) };
  const sweep = await startSweep(database, { processId: "q", engine, log: log as never });
  try {
    await until("the engine was asked again", () => asked >= 2);
    await assert.rejects(claim("Bob"), { code: "seats_full" });
    assert.ok(warned.length >= 1);
    isAway = false;
    await until("the seat is free", async () => (await stateOf(seat.id)) === "left");
    await claim("Bob");
  } finally {
    await sweep.stop();
  }
});
