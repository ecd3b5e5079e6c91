import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Room } from "../../contract/rooms/record.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import { permissionsOf, sees, seesVideo } from "../../server/meetings/seats/allowed.ts";
import { isPerson } from "../../server/meetings/seats/seat.ts";
import type { Snapshot } from "../../server/meetings/state/snapshot.ts";
import { type KnownPeer, viewsOf } from "../../server/meetings/state/view.ts";
import { aMeeting, aRoom, aSeat, MOMENT, roles } from "./people.ts";

const recorder = { problem: null, state: "active", before: 0, error: null } as unknown;

const snapshotOf = (facts: Partial<Snapshot>): Snapshot => ({
  meeting: aMeeting(),
  row: {} as Snapshot["row"],
  room: aRoom(),
  nextAt: null,
  seats: [],
  runs: [],
  runStates: [],
  failed: [],
  recorder: recorder as Snapshot["recorder"],
  ...facts,
});

const rooms = fc
  .record({
    roomType: fc.constantFrom(...roomTypes),
    participantPrivacy: fc.boolean(),
    participantVideoPrivacy: fc.boolean(),
    enablePresenters: fc.boolean(),
    enableScreenSharing: fc.boolean(),
    enableChatOption: fc.boolean(),
    recordModerator: fc.boolean(),
    recordParticipant: fc.boolean(),
    noOfUpgradeRequests: fc.nat(2),
  })
  .map((settings): Room => aRoom(settings));

const someSeats = fc
  .array(
    fc.record({
      role: fc.constantFrom(...roles),
      state: fc.constantFrom("waiting", "claimed", "inside", "away"),
      upgrade: fc.constantFrom("asked", "offered", null),
      waits_for: fc.constantFrom("host", "seat", null),
      share: fc.boolean(),
      quality: fc.constantFrom("good", "poor", null),
      user_id: fc.constantFrom("owner", "other", null),
    }),
    { maxLength: 8 },
  )
  .map((facts) =>
    facts.map((fact, n) =>
      aSeat({ ...fact, id: `seat${n}`, upgrade_at: fact.upgrade === null ? null : MOMENT }),
    ),
  );

const snapshots = fc
  .record({
    room: rooms,
    seats: someSeats,
    presenter: fc.option(fc.nat(8)),
    media: fc.constantFrom("direct", "livekit"),
  })
  .map(({ room, seats, presenter, media }) => {
    const seat = presenter === null ? undefined : seats[presenter];
    const meeting = aMeeting({ media, presenter: seat && isPerson(seat) ? seat.id : null });
    return snapshotOf({ room, seats, meeting });
  });

/** Checks something of each person in random meetings. */
const each = (
  check: (
    snapshot: Snapshot,
    seat: Snapshot["seats"][number],
    views: ReturnType<typeof viewsOf>,
  ) => void,
) =>
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const views = viewsOf(snapshot, new Map());
      for (const seat of snapshot.seats) check(snapshot, seat, views);
    }),
    { numRuns: 300 },
  );

test("people of one role share one list, which has everybody inside or away that they see", () => {
  each(({ room, seats }, seat, views) => {
    const expected = seats
      .filter(({ state }) => state === "inside" || state === "away")
      .filter((other) => sees(room, { id: "", role: seat.role }, other))
      .map(({ id }) => id);
    assert.deepEqual([...views.peersOf(seat).keys()].sort(), expected.sort());
    for (const other of seats.filter(({ role }) => role === seat.role))
      assert.equal(views.peersOf(other), views.peersOf(seat));
  });
});

test("waiting people, the recorder and all requests are for moderators; others get their own request", () => {
  each(({ seats }, seat, views) => {
    const view = views.of(seat);
    const asking = seats.filter(
      ({ state, waits_for }) => state === "waiting" && waits_for !== "seat",
    );
    const moderates = seat.role === "moderator";
    const ids = (some: readonly { readonly peerId: string }[]) => some.map(({ peerId }) => peerId);
    assert.deepEqual(ids(view.waiting), moderates ? asking.map(({ id }) => id) : []);
    assert.equal(view.recorder, moderates ? recorder : null);
    const asked = seats.filter(({ upgrade }) => upgrade !== null).map(({ id }) => id);
    assert.deepEqual(
      ids(view.upgrades),
      asked.filter((id) => moderates || id === seat.id),
    );
    assert.equal(view.allowed.moderate, moderates);
  });
});

test("the view allows what the rules allow; where one person presents, everybody may ask for the place", () => {
  each(({ room, meeting }, seat, views) => {
    const { audio, video, share, chat } = views.of(seat).allowed;
    const presenter = room.enablePresenters ? meeting.presenter : seat.id;
    assert.deepEqual({ audio, video, share, chat }, permissionsOf(room, { presenter }, seat));
    assert.equal(views.readsChat(seat), seat.state !== "waiting" && chat);
  });
  assert.equal(viewsOf(snapshotOf({}), new Map()).readsChat(undefined), false);
});

test("an invisible presenter is hidden: neither named nor missing", () => {
  each((snapshot, seat, views) => {
    const { room, meeting, seats } = snapshot;
    const shown = views.of(seat).meeting.presenter;
    const presenting = seats.find(({ id }) => id === meeting.presenter);
    const isThere = presenting !== undefined && presenting.state !== "waiting";
    const presents =
      isThere && !room.enablePresenters && permissionsOf(room, meeting, presenting).share;
    if (!presents) assert.equal(shown, null);
    else assert.equal(shown, sees(room, seat, presenting) ? presenting.id : "hidden");
  });
});

test("captures of direct meetings are shown only to the people that they receive", () => {
  each(({ room, meeting, seats }, seat, views) => {
    const receivers = seats
      .filter((one) => meeting.media === "direct" && !isPerson(one))
      .filter(({ state }) => state === "inside" || state === "away")
      .filter((capture) => isPerson(seat) && sees(room, capture, seat))
      .map((capture) => ({ peerId: capture.id, video: seesVideo(room, capture, seat) }));
    assert.deepEqual(views.of(seat).receivers, receivers);
  });
});

test("a person is shown with the devices that are allowed, and a quality only while connected", () => {
  each((snapshot, seat, views) => {
    for (const [id, peer] of views.peersOf(seat)) {
      const other = snapshot.seats.find((one) => one.id === id);
      assert.ok(other);
      const may = permissionsOf(snapshot.room, snapshot.meeting, other);
      assert.equal(peer.share, other.share && may.share);
      assert.equal(peer.away, other.state === "away");
      assert.equal(peer.quality, other.state === "inside" ? other.quality : null);
      assert.equal(peer.guest, other.user_id === null);
    }
  });
});

test("an unchanged person is the same object in the next view, and a changed one is not", () => {
  const known = new Map<string, KnownPeer>();
  const [ann, ben] = [aSeat({ id: "ann" }), aSeat({ id: "ben" })];
  const look = (seats: Snapshot["seats"]) => {
    const views = viewsOf(snapshotOf({ seats }), known);
    const people = views.peersOf(aSeat({ id: "me", role: "moderator" }));
    return [people.get("ann"), people.get("ben")];
  };
  const before = look([ann, ben]);
  const after = look([ann, { ...ben, hand_at: MOMENT }]);
  assert.equal(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
  assert.equal(after[1]?.hand, MOMENT);
});
