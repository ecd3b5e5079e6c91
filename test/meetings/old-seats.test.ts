import assert from "node:assert/strict";
import { test } from "node:test";
import { REMOVAL_PIECE } from "../../server/change/removals.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { removeOldRows } from "../../server/meetings/doors/lost-processes.ts";
import { freshSeat } from "../../server/meetings/seats/seat.ts";
import type { Ask } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter } from "./inside.ts";
import { leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { database, open, url } = world;

const HOUR_MS = 3_600_000;

test("the seat of a guest who never came in goes an hour after its end, and all others stay", async (t) => {
  const { tenant, code, asMember, asAdmin } = await newPlace(world);
  const moderator = await enter(t, { url, ask: asAdmin }, "r", { peerName: "Mo" });
  const claim = async (ask: Ask, peerName: string): Promise<{ ticket: string; peerId: string }> => {
    const { body } = await ask("joinRoom", { roomId: code, peerName });
    return { ticket: body.ticket, peerId: body.peer.peerId };
  };
  const gone = await claim(open, "never came");
  const recent = await claim(open, "left a moment ago");
  const came = await enter(t, { url, ask: open }, code, { peerName: "came" });
  const member = await claim(asMember, "Mia Member");
  const banned = await claim(open, "banned");
  const ban = { peerId: banned.peerId, ban: "always" } as const;
  assert.equal(await moderator.do("removePeer", ban), "ok");
  for (const one of [gone, recent, came, member]) await leave(tenant, one);
  const waits = await claim(open, "has not left");
  const ended = (ids: readonly string[], agoMs: number) =>
    database.change(async (tx) => {
      const left_at = new Date(Date.now() - agoMs).toISOString();
      await tx.updateTable("seats").set({ left_at }).where("id", "in", ids).execute();
    });
  const old = [gone, came, member, banned].map(({ peerId }) => peerId);
  await ended(old, HOUR_MS + 60_000);
  await ended([recent.peerId], HOUR_MS - 60_000);
  await removeOldRows(database);
  const left = async () => {
    const seats = database.read.selectFrom("seats").select("id");
    const rows = await seats.where("organization_id", "=", tenant.id).execute();
    return new Set(rows.map(({ id }) => id));
  };
  // The service itself may be about to remove it.
  await until("the seat is gone", async () => !(await left()).has(gone.peerId));
  assert.deepEqual(
    await left(),
    new Set([moderator, recent, came, member, banned, waits].map(({ peerId }) => peerId)),
  );
});

test("seats that were never entered and meetings without visitors go in one round, in pieces", async (t) => {
  const alone = await startWorld(t);
  const { database } = alone;
  const { tenant } = await newPlace(alone);
  // It removes such rows too.
  await alone.parley.stop();
  const { id: room_id } = await database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", tenant.id)
    .executeTakeFirstOrThrow();
  const at = new Date(Date.now() - HOUR_MS - 60_000).toISOString();
  const ofRoom = { organization_id: tenant.id, room_id };
  const ended = { opened_at: at, started_at: null, ended_at: at, seconds: 0 };
  const kind = { media: "direct", room_type: "conferencing", locked: false } as const;
  const meetings = Array.from({ length: REMOVAL_PIECE + 1 }, () => ({
    ...ofRoom,
    ...ended,
    ...kind,
    presenter: null,
    id: uuid7(),
  }));
  const seats = Array.from({ length: 2 * REMOVAL_PIECE + 1 }, (_, n) => ({
    ...freshSeat({ ...ofRoom, id: meetings[0]?.id ?? "" }, `${tenant.id} ${n}`),
    ...({ role: "participant", state: "left", left_at: at, lease_until: null } as const),
    person: `guest:${n}`,
    user_id: null,
    peer_name: "",
    device: null,
  }));
  await database.change(async (tx) => {
    await tx.insertInto("meetings").values(meetings).execute();
    await tx.insertInto("seats").values(seats).execute();
  });
  let changes = 0;
  const change: typeof database.change = (...of) => {
    changes += 1;
    return database.change(...of);
  };
  await removeOldRows({ ...database, change });
  const left = (table: "meetings" | "seats") =>
    database.read.selectFrom(table).select("id").where("room_id", "=", room_id).execute();
  assert.deepEqual([await left("seats"), await left("meetings")], [[], []]);
  assert.ok(changes > 3, `${changes} changes`);
});
