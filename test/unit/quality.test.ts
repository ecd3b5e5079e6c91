import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bestOf,
  carriedBy,
  type OwnQuality,
  qualityBetween,
  type Stat,
} from "../../console/meet/call/quality.ts";

/** Statistics as browsers give them (W3C, webrtc-stats). */
const stats = ({
  received = 0,
  lost = 0,
  lostThere = 0,
  roundTrip = 0.05,
  limited = "none",
}: {
  readonly received?: number;
  readonly lost?: number;
  readonly lostThere?: number;
  readonly roundTrip?: number | undefined;
  readonly limited?: string;
}): readonly Stat[] =>
  [
    { type: "inbound-rtp", packetsReceived: received, packetsLost: lost },
    { type: "remote-inbound-rtp", fractionLost: lostThere },
    { type: "outbound-rtp", qualityLimitationReason: limited },
    { type: "candidate-pair", nominated: true, currentRoundTripTime: roundTrip },
    { type: "candidate-pair", nominated: false, currentRoundTripTime: 9 },
  ] as never;

const between = (before: Parameters<typeof stats>[0], now: Parameters<typeof stats>[0]) =>
  qualityBetween(carriedBy(stats(before)), carriedBy(stats(now)));

test("a connection is as good as its loss, its delay and the computer allow", () => {
  const good = { level: "good", why: undefined };
  assert.deepEqual(between({}, { received: 100 }), good);
  // Earlier losses no longer count.
  assert.deepEqual(between({ lost: 50 }, { received: 100, lost: 50 }), good);
  assert.deepEqual(between({}, { received: 96, lost: 4 }), { level: "fair", why: "loss" });
  assert.deepEqual(between({}, { received: 90, lost: 10 }), { level: "poor", why: "loss" });
  assert.deepEqual(between({}, { lostThere: 0.2 }), { level: "poor", why: "loss" });
  assert.deepEqual(between({}, { roundTrip: 0.4 }), { level: "fair", why: "delay" });
  assert.deepEqual(between({}, { roundTrip: 0.7, lostThere: 0.03 }), {
    level: "poor",
    why: "delay",
  });
  assert.deepEqual(between({}, { limited: "cpu" }), { level: "fair", why: "computer" });
});

test("a connection that is not there yet has no quality", () => {
  const pair = [{ type: "candidate-pair", nominated: true }] as never;
  assert.equal(qualityBetween(carriedBy([]), carriedBy(pair)), undefined);
});

test("a fault of one of several connections does not count against the person", () => {
  const of = (level: OwnQuality["level"]): OwnQuality => ({ level, why: undefined });
  assert.equal(bestOf([of("poor"), of("good"), of("fair")])?.level, "good");
  assert.equal(bestOf([of("poor"), of("fair")])?.level, "fair");
  assert.equal(bestOf([]), undefined);
});
