import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { looksAtBeginnings } from "../twins/usage.ts";
import { addRooms } from "../world/many.ts";
import { until } from "../world/process.ts";
import { count, diceOf, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { addPast, type Past, wakeMender } from "./past.ts";

const HOUR_MS = 3_600_000;
const FIRST = Date.UTC(2026, 2, 27);
const HOURS = 4 * 24;
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"];

interface Counted {
  readonly day: string;
  readonly from: string;
  readonly to: string;
  readonly [count: string]: string | number;
}

/** How long somebody was there, on whatever number of devices. */
const secondsOf = (stays: Past["stays"]): number => {
  let seconds = 0;
  let last = "";
  for (const { from, to } of stays.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const begin = from < last ? last : from;
    if (to <= begin) continue;
    seconds += (Date.parse(to) - Date.parse(begin)) / 1000;
    last = to;
  }
  return seconds;
};

/** The usage of a period, counted again for each of its moments. */
const naive = (meetings: readonly Past[], { from, to }: Counted) => {
  const stays = meetings.flatMap((meeting) => meeting.stays);
  const insideAt = (moment: string): number =>
    meetings.reduce((sum, meeting) => {
      const there = meeting.stays.filter((stay) => stay.from <= moment && moment < stay.to);
      return sum + new Set(there.map(({ who }) => who)).size;
    }, 0);
  const moments = [from, ...stays.map((stay) => stay.from)];
  const here = meetings.filter((meeting) => {
    const began = meeting.stays.map((stay) => stay.from).toSorted()[0] ?? "";
    return from <= began && began < to;
  });
  const seconds = here
    .flatMap((meeting) => [...Map.groupBy(meeting.stays, ({ who }) => who).values()])
    .reduce((sum, theirs) => sum + secondsOf(theirs), 0);
  return {
    meetings: here.length,
    people: here.reduce((sum, one) => sum + new Set(one.stays.map(({ who }) => who)).size, 0),
    minutes: Math.round(seconds / 60),
    peak: Math.max(...moments.filter((at) => from <= at && at < to).map(insideAt)),
  };
};

/** Counts random meetings, which overlap, and compares each period with a naive count. */
const compare = async (t: TestContext, seed: number | undefined, twin?: Twin): Promise<void> => {
  const dice = seed === undefined ? rollDice(t) : diceOf(seed);
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  await addRooms(tenant, 2, ["Room"], [tenant.admin.id]);
  const rooms = await world.database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", tenant.id)
    .orderBy("room")
    .execute();
  const some = (most: number): number[] => Array.from({ length: 1 + dice.roll(most) }, (_, n) => n);
  const time = (ms: number): string => new Date(FIRST + ms).toISOString();
  const meetings = Array.from({ length: count(60, 600) }, (): Past => {
    const began = dice.roll(HOURS * HOUR_MS);
    // Some last for hours, most for minutes; many begin and end at full minutes.
    const most = dice.roll(5) === 0 ? 30 * HOUR_MS : HOUR_MS;
    const stays = some(6).map((who) => {
      const from = Math.floor((began + dice.roll(most)) / 60_000) * 60_000;
      return {
        who: `${dice.roll(2) * who}`,
        from: time(from),
        to: time(from + 1000 + Math.floor(dice.roll(most) / 1000) * 1000),
      };
    });
    return { roomId: dice.pick(rooms).id, stays };
  });
  await addPast(tenant, meetings);
  await wakeMender(tenant);
  await until("all are counted", async () => {
    const { body } = await tenant.ask("getUsage", {});
    return body.usage.filling === false;
  });
  const days = { from: "2026-03-26", to: "2026-04-03" };
  for (const timeZone of ZONES) {
    for (const by of ["day", "week"]) {
      const { body } = await tenant.ask("getUsage", { ...days, by, timeZone });
      for (const period of body.usage.periods as readonly Counted[]) {
        const { meetings: held, people, minutes, peak } = period;
        const expected = naive(meetings, period);
        assert.deepEqual({ meetings: held, people, minutes, peak }, expected, "as counted naively");
      }
    }
  }
};

test("meetings that overlap are counted as a naive count does, in every time zone", (t) =>
  compare(t, undefined));

testTwin(
  "a twin that counts a peak without the meetings that began earlier is detected",
  async (t) => {
    await assert.rejects(compare(t, 1, looksAtBeginnings), /as counted naively/);
  },
);
