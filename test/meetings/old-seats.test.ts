import assert from "node:assert/strict";
import { test } from "node:test";
import { removeOldRows } from "../../server/meetings/lost.ts";
import type { Ask } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { enter } from "./inside.ts";
import { leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { database, open, url } = world;

const HOUR_MS = 3_600_000;

test("the seat of a guest who never came in goes an hour after its end, all others stay", async (t) => {
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
  await database.change(removeOldRows);
  const left = await database.read
    .selectFrom("seats")
    .select("id")
    .where("organization_id", "=", tenant.id)
    .execute();
  assert.deepEqual(
    new Set(left.map(({ id }) => id)),
    new Set([moderator, recent, came, member, banned, waits].map(({ peerId }) => peerId)),
  );
});
