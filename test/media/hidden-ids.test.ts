// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConnectionQualityUpdate,
  ParticipantInfo_State,
  ParticipantUpdate,
  type SignalResponse,
  SpeakersChanged,
  StreamStateUpdate,
  SubscriptionPermissionUpdate,
  SubscriptionResponse,
} from "@livekit/protocol";
import fc from "fast-check";
import { Filter } from "../../server/media/filter.ts";
import type { See } from "../../server/media/view.ts";
import { filterOf, forgetsWhoIsHidden, tellsWhoSpeaks } from "../twins/filters.ts";
import { testTwin } from "../twins/test-twin.ts";
import { joined, joinRequest, person, response } from "./messages.ts";

const seats = ["seat-aaa", "seat-bbb", "seat-ccc", "seat-ddd", "seat-eee"];

/** A message of LiveKit that names people, or a change of who may be seen. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        "join",
        "update",
        "gone",
        "speakers",
        "quality",
        "stream",
        "permission",
        "failed",
      ),
      named: fc.subarray(seats, { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant("look"), named: fc.subarray(seats) }),
  ),
  { maxLength: 30 },
);

const message = (kind: string, named: readonly string[]): Uint8Array => {
  const first = named[0] ?? "";
  const kinds: Readonly<Record<string, () => SignalResponse["message"]>> = {
    update: () => ({
      case: "update",
      value: new ParticipantUpdate({ participants: named.map((seat) => person(seat)) }),
    }),
    gone: () => ({
      case: "update",
      value: new ParticipantUpdate({
        participants: named.map((seat) => person(seat, ParticipantInfo_State.DISCONNECTED)),
      }),
    }),
    speakers: () => ({
      case: "speakersChanged",
      value: new SpeakersChanged({ speakers: named.map((seat) => ({ sid: `PA_${seat}` })) }),
    }),
    quality: () => ({
      case: "connectionQuality",
      value: new ConnectionQualityUpdate({
        updates: named.map((seat) => ({ participantSid: `PA_${seat}` })),
      }),
    }),
    stream: () => ({
      case: "streamStateUpdate",
      value: new StreamStateUpdate({
        streamStates: named.map((seat) => ({
          participantSid: `PA_${seat}`,
          trackSid: `TR_V${seat}`,
        })),
      }),
    }),
    permission: () => ({
      case: "subscriptionPermissionUpdate",
      value: new SubscriptionPermissionUpdate({
        participantSid: `PA_${first}`,
        trackSid: `TR_V${first}`,
      }),
    }),
    failed: () => ({
      case: "subscriptionResponse",
      value: new SubscriptionResponse({ trackSid: `TR_A${first}` }),
    }),
  };
  const make = kinds[kind];
  return make ? response(make()) : joined("me", named);
};

/** Passes messages to a filter in any order; fails at the first that reveals a hidden person. */
const check = (Tested: typeof Filter): void => {
  let told = 0;
  fc.assert(
    fc.property(steps, fc.subarray(seats), (all, first) => {
      let visible = new Set(first);
      const see: See = (seat) => (visible.has(seat) ? "all" : "none");
      const filter = new Tested({ seat: "me", see, ice: [] }, joinRequest());
      /** Their end is the last thing that a client learns about people whom it knew. */
      const knew = new Set<string>();
      for (const { kind, named } of all) {
        let step: {
          readonly client: readonly Uint8Array[];
          readonly engine: readonly Uint8Array[];
        };
        let ending = new Set<string>();
        if (kind === "look") {
          visible = new Set(named);
          ending = new Set(knew);
          step = filter.look(see);
        } else step = filter.fromEngine(message(kind, named));
        const texts = step.client.map((bytes) => Buffer.from(bytes).toString("latin1"));
        for (const seat of seats) {
          const named = texts.some((text) => text.includes(seat));
          if (visible.has(seat)) {
            if (named) {
              told++;
              knew.add(seat);
            }
            continue;
          }
          assert.ok(!named || ending.has(seat), `${kind} told of ${seat}`);
          knew.delete(seat);
          if (kind === "look") continue;
          const asked = step.engine.map((bytes) => Buffer.from(bytes).toString("latin1"));
          assert.ok(!asked.some((text) => text.includes(seat)), `${kind} subscribed ${seat}`);
        }
      }
    }),
    { numRuns: 500 },
  );
  // The property detects a filter that does reveal people.
  assert.ok(told > 100);
};

test("no ID of a hidden person reaches a client, and no track of theirs is subscribed, in any order of LiveKit's messages", () => {
  check(Filter);
});

for (const twin of [tellsWhoSpeaks, forgetsWhoIsHidden]) {
  testTwin(
    `a filter that ${twin.name} is detected`,
    async () => {
      const broken = await filterOf(twin);
      assert.throws(
        () => check(broken),
        (error) => error instanceof Error && /told of seat-/.test(String(error.cause)),
      );
    },
    { onSqlite: true },
  );
}
