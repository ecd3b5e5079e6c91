import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { looksUnderTheRow } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { cookieOf, insist, outcomeOf } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { holdChanges, newPlace } from "./place.ts";

/** People come whom a room does not let in, while somebody else's change holds every organization's row. */
const refusedMeanwhile = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const { url, open } = world;
  const full = await newPlace(world, { noOfParticipants: 1, noOfViewers: 1 });
  // Keeps the meeting, and with it the link.
  await enter(t, { url, ask: full.asAdmin }, "r");
  const join = (code: string, more: object = {}, headers = {}) =>
    open("joinRoom", { roomId: code, peerName: "Gus", ...more }, headers);
  const come = async () => {
    const answer = await join(full.code);
    const { ticket, peer } = answer.body;
    const inside = await openSocket(t, url, { ticket, peerId: peer.peerId });
    await inside.sees("everything", ({ you }) => you.peerId === peer.peerId);
    return { cookie: cookieOf(answer), peerId: peer.peerId };
  };
  const excluded = await come();
  const { peerId } = excluded;
  const removed = await full.tenant.ask("removePeer", { roomId: "r", peerId, ban: "always" });
  assert.equal(removed.status, 200);
  const ann = await come();
  const locked = await newPlace(world);
  await enter(t, { url, ask: locked.asAdmin }, "r");
  await locked.tenant.ask("lockRoom", { roomId: "r", action: "lock" });
  const secret = await newPlace(world, { roomPassword: "open sesame" });
  const empty = await newPlace(world, { noOfParticipants: 0, noOfViewers: 0, noOfModerators: 0 });

  // From the first one on whom a room refuses, it looks at the others before the row.
  for (const { code } of [full, locked, secret, empty])
    assert.notEqual((await join(code)).status, 200);

  const letGo = await holdChanges(t, world);
  const kept = insist(open)(
    "joinRoom",
    { roomId: full.code, peerName: "Ann" },
    { cookie: ann.cookie },
  );
  try {
    const answers = await Promise.all([
      join(full.code),
      join(full.code, {}, { cookie: excluded.cookie }),
      join(full.code, { peerType: "moderator" }),
      join(locked.code),
      join(secret.code),
      join(empty.code),
    ]);
    assert.deepEqual(answers.map(outcomeOf), [
      "seats_full",
      "banned",
      "role_not_allowed",
      "room_locked",
      "wrong_room_password",
      "seats_full",
    ]);
    assert.deepEqual(
      answers[0]?.body.errors.map(({ field }: { readonly field: string }) => field),
      ["peerType.moderator", "peerType.viewer"],
      "with the roles that have seats",
    );
  } finally {
    await letGo();
    await kept;
  }
  assert.equal((await kept).body.peer?.peerId, ann.peerId, "a person with a seat keeps it");
  assert.equal((await join(full.code, { peerType: "viewer" })).status, 200);
};

test("a room that has refused somebody refuses others without a chance of a seat without waiting for the organization's row, and nobody with a seat", (t) =>
  refusedMeanwhile(t));

testTwin("a twin that checks only under the row refuses nobody while it is held", async (t) => {
  await assert.rejects(
    refusedMeanwhile(t, looksUnderTheRow),
    /AssertionError|deepEqual|deep-equal/,
  );
});
