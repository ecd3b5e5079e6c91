import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { errorOf } from "../../contract/kit/reasons.ts";
import { DIRECT_SEATS, peerTypes } from "../../contract/meetings/meetings.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import {
  allSeats,
  emptyRoom,
  freeSeats,
  lobbyPlaces,
  moveSeat,
  occupancyFrom,
  statusOf,
  whyFull,
} from "../../server/meetings/seats/places.ts";
import { aRoom } from "./people.ts";

const count = fc.integer({ min: 0, max: 5 });
const byRole = fc.record({ moderator: count, participant: count, viewer: count });
const limits = fc.record({
  roomType: fc.constantFrom(...roomTypes),
  noOfModerators: count,
  noOfParticipants: count,
  noOfViewers: count,
});
const sum = (some: Readonly<Record<string, number>>): number =>
  Object.values(some).reduce((all, one) => all + one, 0);

test("roles do not share seats, except in a p2p room, which has two; free seats are never negative", () => {
  fc.assert(
    fc.property(limits, byRole, (room, taken) => {
      const free = freeSeats(room, taken);
      const own = {
        moderator: room.noOfModerators - taken.moderator,
        participant: room.noOfParticipants - taken.participant,
        viewer: room.noOfViewers - taken.viewer,
      };
      for (const role of peerTypes) {
        const left = room.roomType === "p2p" ? Math.min(own[role], 2 - sum(taken)) : own[role];
        assert.equal(free[role], Math.max(0, left));
      }
    }),
  );
});

test("a room that fills seat by seat takes exactly as many people as it has seats", () => {
  const order = fc.infiniteStream(fc.constantFrom(...peerTypes));
  fc.assert(
    fc.property(limits, order, (room, comers) => {
      const taken = { moderator: 0, participant: 0, viewer: 0 };
      for (let tries = 0; tries < 60; tries += 1) {
        const role = comers.next().value as (typeof peerTypes)[number];
        if (freeSeats(room, taken)[role] > 0) taken[role] += 1;
      }
      // All have tried often enough, unless the dice never showed a role.
      const missing = allSeats(room) - sum(taken);
      assert.ok(missing >= 0);
      const full = sum(freeSeats(room, taken)) === 0;
      assert.equal(full, missing === 0);
    }),
  );
});

test("the refusal names the roles with free seats, how many of each unless people are hidden", () => {
  const taken = { moderator: 1, participant: 2, viewer: 0 };
  const settings = {
    roomType: "conferencing",
    noOfModerators: 3,
    noOfParticipants: 2,
    noOfViewers: 1,
  } as const;
  const fullOf = (more: object) =>
    whyFull(aRoom({ ...settings, ...more }), { media: "livekit" }, taken, "participant");
  const offered = fullOf({});
  assert.equal(offered?.code, "seats_full");
  const texts = (offered?.errors ?? [])
    .map(errorOf)
    .map(({ field, message }) => `${field}: ${message}`);
  assert.equal(texts.length, 2);
  assert.match(texts[0] ?? "", /^peerType\.moderator: .*2/);
  assert.match(texts[1] ?? "", /^peerType\.viewer: .*1/);
  const hidden = (fullOf({ participantPrivacy: true })?.errors ?? [])
    .map(errorOf)
    .map(({ message }) => message);
  assert.equal(hidden.length, 2);
  for (const message of hidden) assert.doesNotMatch(message, /\d/);
});

test("without a media engine nobody enters beyond the direct seats, whatever seats the room has", () => {
  const room = aRoom({
    roomType: "conferencing",
    noOfModerators: 50,
    noOfParticipants: 50,
    noOfViewers: 50,
  });
  for (let inside = 0; inside < DIRECT_SEATS + 3; inside += 1) {
    const taken = { moderator: 0, participant: inside, viewer: 0 };
    for (const role of peerTypes) {
      const direct = whyFull(room, { media: "direct" }, taken, role)?.code;
      assert.equal(direct, inside < DIRECT_SEATS ? undefined : "media_engine_needed");
      assert.equal(whyFull(room, { media: "livekit" }, taken, role), undefined);
    }
  }
});

test("a room is free, busy while a seat is left, then occupied; waiting and returning people take no seat", () => {
  const room = {
    roomType: "conferencing",
    noOfModerators: 1,
    noOfParticipants: 1,
    noOfViewers: 0,
  } as const;
  const seats = (...some: (readonly [role: (typeof peerTypes)[number], state: string])[]) =>
    occupancyFrom(
      some.map(
        ([role, state]) =>
          ({ role, state, count: "1" }) as Parameters<typeof occupancyFrom>[0][number],
      ),
    );
  const table = [
    [[], "free"],
    [[["moderator", "waiting"]], "free"],
    [[["moderator", "returning"]], "free"],
    [[["moderator", "claimed"]], "free"],
    [[["moderator", "inside"]], "busy"],
    [[["moderator", "away"]], "busy"],
    [
      [
        ["moderator", "inside"],
        ["participant", "waiting"],
      ],
      "busy",
    ],
    [
      [
        ["moderator", "inside"],
        ["participant", "claimed"],
      ],
      "occupied",
    ],
    [
      [
        ["moderator", "inside"],
        ["participant", "leaving"],
      ],
      "occupied",
    ],
    [
      [
        ["moderator", "away"],
        ["participant", "inside"],
      ],
      "occupied",
    ],
  ] as const;
  for (const [some, status] of table) {
    assert.equal(statusOf(room, seats(...some)), status, JSON.stringify(some));
  }
  assert.equal(statusOf(room, emptyRoom), "free");
  assert.deepEqual(seats(), emptyRoom);
});

test("a meeting with only waiting people is empty, and one without a seat is over", () => {
  for (const [states, expected] of [
    [[], { isEmpty: true, isAwaited: false, isOver: true, isEntered: false }],
    [["waiting"], { isEmpty: true, isAwaited: true, isOver: false, isEntered: false }],
    [["returning"], { isEmpty: false, isAwaited: false, isOver: false, isEntered: false }],
    [["claimed"], { isEmpty: false, isAwaited: false, isOver: false, isEntered: false }],
    [["leaving"], { isEmpty: false, isAwaited: false, isOver: false, isEntered: false }],
    [["away"], { isEmpty: false, isAwaited: false, isOver: false, isEntered: true }],
    [["inside", "waiting"], { isEmpty: false, isAwaited: true, isOver: false, isEntered: true }],
  ] as const) {
    const found = occupancyFrom(states.map((state) => ({ role: "viewer", state, count: 2 })));
    const { taken: _, ...rest } = found;
    assert.deepEqual(rest, expected, states.join());
  }
});

test("as many people wait as the room has seats, at least 50 and at most 300", () => {
  for (const [seats, places] of [
    [0, 50],
    [49, 50],
    [50, 50],
    [51, 51],
    [300, 300],
    [301, 300],
    [10_000, 300],
  ]) {
    const room = aRoom({
      roomType: "event",
      noOfModerators: 0,
      noOfParticipants: 0,
      noOfViewers: seats ?? 0,
    });
    assert.equal(lobbyPlaces(room), places);
  }
});

const states = ["waiting", "returning", "claimed", "inside", "away", "leaving"] as const;
const aSeat = fc.record({
  role: fc.constantFrom(...peerTypes),
  state: fc.constantFrom(...states),
});

test("seats that were counted are right after one of them has moved or ended", () => {
  const next = fc.constantFrom(...states, undefined);
  fc.assert(
    fc.property(fc.array(aSeat, { minLength: 1 }), fc.nat(), next, (seats, index, to) => {
      const counted = seats.map((seat) => ({ ...seat, count: 1 }));
      const at = index % seats.length;
      const seat = seats[at];
      assert.ok(seat);
      const grouped = [
        ...Map.groupBy(counted, ({ role, state }) => `${role} ${state}`).values(),
      ].flatMap((same) => (same[0] ? [{ ...same[0], count: String(same.length) }] : []));
      const others = counted.filter((_, n) => n !== at);
      const after =
        to === undefined ? others : [...others, { role: seat.role, state: to, count: 1 }];
      assert.deepEqual(occupancyFrom(moveSeat(grouped, seat, to)), occupancyFrom(after));
    }),
  );
});
