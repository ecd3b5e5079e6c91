import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type PeerType, peerTypes } from "../../contract/meetings/meetings.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import { mayStay } from "../../server/meetings/doors/right-to-stay.ts";
import {
  awaitsHosts,
  kindOfUser,
  needsPassword,
  offeredRoles,
  rolesFor,
  type Visitor,
  waitsOutside,
} from "../../server/meetings/doors/visitor.ts";
import { isHigher } from "../../server/meetings/seats/role-limits.ts";
import { hasPassword } from "../../server/records/room-secrets.ts";
import { aPerson, aRoom, everyOf, flags, MOMENT } from "./people.ts";

const kinds = ["host", "member", "invited", "guest"] as const;
const visitor = (facts: Partial<Visitor>): Visitor => ({
  person: "guest:1",
  userId: null,
  name: null,
  kind: "guest",
  role: undefined,
  ...facts,
});
/** A room in which each role has seats. */
const seated = { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 1 } as const;

suite("the roles of a visitor", () => {
  test("hosts take any role, others none above the usual or the invited one, and nobody a role that was taken", () => {
    const limits = [undefined, ...peerTypes];
    const cases = everyOf({ kind: kinds, role: limits, limit: limits, roomType: roomTypes });
    for (const { kind, role, limit, roomType } of cases) {
      const roles = rolesFor(aRoom({ ...seated, roomType }), visitor({ kind, role, limit }));
      const usual = roomType === "event" ? "viewer" : "participant";
      const own = role ?? usual;
      const highest = limit !== undefined && isHigher(own, limit) ? limit : own;
      const expected =
        kind === "host" ? peerTypes : peerTypes.filter((one) => !isHigher(one, highest));
      assert.deepEqual(roles, expected, JSON.stringify({ kind, role, limit, roomType }));
    }
  });

  test("participantType names the usual role, and unknown words leave the type's", () => {
    for (const [participantType, conference, event] of [
      [null, "participant", "viewer"],
      ["", "participant", "viewer"],
      ["guest", "participant", "viewer"],
      [" Viewer ", "viewer", "viewer"],
      ["ATTENDEE", "viewer", "viewer"],
      ["participant", "participant", "participant"],
      ["Presenter", "participant", "participant"],
      ["moderator", "participant", "viewer"],
    ] as const) {
      const first = (roomType: "conferencing" | "event") =>
        rolesFor(aRoom({ ...seated, roomType, participantType }), visitor({}))[0];
      assert.deepEqual(
        [first("conferencing"), first("event")],
        [conference, event],
        `${participantType}`,
      );
    }
  });

  test("roles without seats come last, and are offered only where the room has no seats", () => {
    for (const [seats, roles, offered] of [
      [
        [1, 1, 1],
        ["participant", "viewer"],
        ["participant", "viewer"],
      ],
      [[1, 0, 1], ["viewer", "participant"], ["viewer"]],
      [[1, 1, 0], ["participant", "viewer"], ["participant"]],
      [
        [1, 0, 0],
        ["participant", "viewer"],
        ["participant", "viewer"],
      ],
    ] as const) {
      const [noOfModerators, noOfParticipants, noOfViewers] = seats;
      const room = aRoom({
        roomType: "conferencing",
        noOfModerators,
        noOfParticipants,
        noOfViewers,
      });
      assert.deepEqual(rolesFor(room, visitor({})), roles);
      assert.deepEqual(offeredRoles(room, visitor({})), offered);
    }
  });

  test("the order of roles is total: moderator, participant, viewer", () => {
    const higher = everyOf({ one: peerTypes, other: peerTypes })
      .filter(({ one, other }) => isHigher(one, other))
      .map(({ one, other }) => `${one} > ${other}`);
    assert.deepEqual(higher, [
      "moderator > participant",
      "moderator > viewer",
      "participant > viewer",
    ]);
  });
});

suite("the checks at the door", () => {
  test("the password: members and guests, where the room has one", () => {
    for (const [roomPassword, has] of [
      [null, false],
      ["", false],
      ["x", true],
    ] as const) {
      const room = aRoom({ roomPassword });
      assert.equal(hasPassword(room), has);
      const asked = kinds.filter((kind) => needsPassword(room, { kind }));
      assert.deepEqual(asked, has ? ["member", "guest"] : []);
    }
  });

  test("the lobby: guests, where the room has one", () => {
    for (const authenticationRequired of flags) {
      const waiting = kinds.filter((kind) =>
        waitsOutside(aRoom({ authenticationRequired }), { kind }),
      );
      assert.deepEqual(waiting, authenticationRequired ? ["guest"] : []);
    }
  });

  test("the wait for a host: guests, and the invited who are no moderators", () => {
    for (const { kind, role } of everyOf({ kind: kinds, role: [undefined, ...peerTypes] })) {
      const expected = kind === "guest" || (kind === "invited" && role !== "moderator");
      assert.equal(awaitsHosts({ kind, role }), expected, `${kind} ${role}`);
    }
  });

  test("owners and administrators are hosts, other people of the organization members", () => {
    for (const { id, admin } of everyOf({ id: ["owner", "second", "other"], admin: flags })) {
      const kind = kindOfUser({ owners: ["owner", "second"] }, { id, admin });
      assert.equal(kind, admin || id !== "other" ? "host" : "member");
    }
  });
});

test("a seat gives a right to stay once its person was inside, or a moderator admitted them", () => {
  const table: readonly (readonly [Parameters<typeof aPerson>[0], boolean])[] = [
    [{ state: "inside" }, true],
    [{ state: "away" }, true],
    [{ state: "returning" }, true],
    [{ state: "waiting" }, false],
    [{ state: "leaving" }, false],
    [{ state: "left" }, false],
    [{ state: "claimed", last_seen: MOMENT }, true],
    [{ state: "claimed", last_seen: null, person: "guest:1", claimed_from: "address" }, false],
    [{ state: "claimed", last_seen: null, person: "guest:1", claimed_from: null }, true],
    [{ state: "claimed", last_seen: null, person: "user:1", claimed_from: null }, false],
    [{ state: "claimed", last_seen: null, person: "key:1", claimed_from: null }, false],
  ];
  for (const [facts, stays] of table) {
    assert.equal(mayStay(aPerson(facts)), stays, JSON.stringify(facts));
  }
  const role: PeerType = "viewer";
  assert.ok(mayStay(aPerson({ role, state: "inside" })));
});
