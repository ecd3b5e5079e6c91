import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sight } from "../../server/media/view.ts";
import { Followed } from "../../server/meetings/engine/followed-seats.ts";

const privacy = { participantPrivacy: false, participantVideoPrivacy: false };
const everybody = { Mo: "moderator", Ann: "participant", Bob: "participant", Vic: "viewer" };

/** The result of a look. @param who roles by the IDs of the seats */
const found = (who: Readonly<Record<string, string>>, rules: object = {}) =>
  ({
    meeting: { presenter: null },
    room: { roomType: "conferencing", ...privacy, ...rules },
    seats: Object.entries(who).map(([id, role]) => ({ id, role, video: true })),
  }) as never as Parameters<Followed["take"]>[0];

const open = (first = found(everybody)): Followed => {
  const followed = new Followed("meeting");
  followed.take(first);
  return followed;
};

const sightsOf = (followed: Followed, seatId: string, others: readonly string[]) =>
  others.map((other): Sight => followed.seeOf(seatId)(other));

test("nobody is seen before the first look, and a first look changes nothing", () => {
  const followed = new Followed("meeting");
  assert.equal(followed.seeOf("Ann")("Mo"), "none");
  const { isOther, seesLess } = followed.take(found(everybody));
  assert.equal(isOther, false);
  assert.equal(seesLess("Ann"), false);
  assert.equal(followed.seeOf("Ann")("Mo"), "all");
});

test("sights follow the room and the roles of the last look, also for earlier questions", () => {
  const followed = open();
  const ann = followed.seeOf("Ann");
  assert.equal(ann("Bob"), "all");
  followed.take(found(everybody, { participantVideoPrivacy: true }));
  assert.equal(ann("Bob"), "audio");
  followed.take(found(everybody, { participantPrivacy: true }));
  assert.equal(ann("Bob"), "none");
  assert.equal(ann("Mo"), "all");
  followed.take(found({ ...everybody, Bob: "moderator" }, { participantPrivacy: true }));
  assert.equal(ann("Bob"), "all");
});

test("a look changes who sees whom by a rule of the room, by a role, or by who was a stranger", () => {
  assert.equal(open().take(found(everybody)).isOther, false);
  assert.equal(open().take(found({ ...everybody, Zoe: "viewer" })).isOther, false, "somebody new");
  assert.equal(open().take(found({ Mo: "moderator" })).isOther, false, "somebody gone");
  assert.equal(open().take(found(everybody, { participantPrivacy: true })).isOther, true);
  assert.equal(open().take(found({ ...everybody, Ann: "viewer" })).isOther, true);
  const followed = open();
  followed.seeOf("Ann")("Zoe");
  const withZoe = found({ ...everybody, Zoe: "moderator" });
  assert.equal(followed.take(withZoe).isOther, true, "the engine knew of her first");
  assert.equal(followed.take(withZoe).isOther, false, "she is no stranger any more");
});

test("a stranger is seen as little as the least visible person", () => {
  assert.deepEqual(sightsOf(open(), "Ann", ["Zoe"]), ["all"]);
  const hiding = open(found(everybody, { participantPrivacy: true }));
  assert.deepEqual(sightsOf(hiding, "Ann", ["Zoe"]), ["none"]);
  assert.deepEqual(sightsOf(hiding, "Mo", ["Zoe"]), ["all"]);
});

test("a person sees less if somebody who is still there is hidden, and not if somebody left", () => {
  const lessAfter = (next: ReturnType<typeof found>, first = found(everybody)) => {
    const { seesLess } = open(first).take(next);
    return Object.keys(everybody).filter((id) => seesLess(id));
  };
  assert.deepEqual(lessAfter(found(everybody)), []);
  assert.deepEqual(lessAfter(found({ Mo: "moderator", Ann: "participant" })), []);
  assert.deepEqual(lessAfter(found(everybody, { participantVideoPrivacy: true })), [
    "Ann",
    "Bob",
    "Vic",
  ]);
  assert.deepEqual(lessAfter(found(everybody), found(everybody, { participantPrivacy: true })), []);
  assert.deepEqual(
    lessAfter(
      found({ ...everybody, Mo: "viewer" }, { roomType: "event" }),
      found(everybody, { roomType: "event" }),
    ),
    ["Mo", "Vic"],
    "two viewers of an event",
  );
});

test("after the end of a meeting there is no seat, and everybody is a stranger", () => {
  const followed = open();
  assert.ok(followed.grantOf("Ann"));
  const { isOther, seesLess } = followed.take(undefined);
  assert.deepEqual([isOther, seesLess("Ann"), followed.seats.size], [false, false, 0]);
  assert.equal(followed.grantOf("Ann"), undefined);
});

test("an entry stays until it is forgotten, and forgetting a former one keeps the newer one", () => {
  const followed = open();
  const ann = followed.enter("Ann");
  assert.equal(followed.enter("Ann"), ann);
  const bob = followed.enter("Bob");
  assert.equal(followed.forget(ann), false, "Bob is still there");
  assert.equal(followed.forget(ann), false, "it is forgotten already");
  const again = followed.enter("Ann");
  assert.notEqual(again, ann);
  assert.equal(followed.forget(ann), false);
  assert.equal(followed.entries.get("Ann"), again);
  followed.forget(again);
  assert.equal(followed.forget(bob), true, "nobody is left");
});
