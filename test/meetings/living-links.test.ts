import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { endsWithEveryVisit } from "../twins/links.ts";
import { testTwin } from "../twins/test-twin.ts";
import { cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { enterInvited, invite, leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { url, open } = world;

const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

type Place = Awaited<ReturnType<typeof newPlace>>;

/** `true` if a link opens its room; otherwise the code of the refusal. */
const opens = async ({ code }: Place, here = world): Promise<true | string> => {
  const { status, body } = await here.open("fetchInvitation", { roomId: code });
  return status === 200 ? true : body.code;
};

/** Waits until nobody is inside and no meeting is open. */
const over = async ({ tenant }: Place): Promise<void> => {
  await until("the meeting is over", async () => {
    const { meetings } = (await tenant.ask("listMeetings", { roomId: "r" })).body;
    return meetings.every(({ endedAt }: { readonly endedAt: string | null }) => endedAt !== null);
  });
};

/** An event in a room, and whether its link lives afterwards. */
interface Case {
  readonly name: string;
  readonly settings?: object;
  readonly happens: (t: TestContext, place: Place, here: World) => Promise<unknown>;
  readonly lives: boolean;
}

const guest = (t: TestContext, { code }: Place, here: World, peerName = "Gus", cookie?: string) =>
  enter(t, { url: here.url, ask: here.open }, code, { peerName, ...(cookie && { cookie }) });

const host = (t: TestContext, { asAdmin }: Place, here: World) =>
  enter(t, { url: here.url, ask: asAdmin }, "r");

const leaveAll = async ({ tenant }: Place, ...people: readonly Somebody[]): Promise<void> => {
  for (const somebody of people) await leave(tenant, somebody);
};

/** A guest whose page is reloaded while it is inside. */
const reloads = async (t: TestContext, place: Place, here: World): Promise<Somebody> => {
  const first = await here.open("joinRoom", { roomId: place.code, peerName: "Gus" });
  const cookie = cookieOf(first);
  const inside = await openSocket(t, here.url, { ticket: first.body.ticket });
  await inside.sees("the meeting", () => true);
  await here.open("leaveRoom", { ticket: first.body.ticket, mayReturn: true });
  return guest(t, place, here, "Gus", cookie);
};

const cases: readonly Case[] = [
  {
    name: "a lone guest",
    happens: async (t, place, here) => leaveAll(place, await guest(t, place, here)),
    lives: true,
  },
  {
    name: "the host alone",
    happens: async (t, place, here) => leaveAll(place, await host(t, place, here)),
    lives: true,
  },
  {
    name: "the host alone, while a guest waits in the lobby in vain",
    settings: { authenticationRequired: true },
    happens: async (t, place, here) => {
      await guest(t, place, here);
      await leaveAll(place, await host(t, place, here));
    },
    lives: true,
  },
  {
    name: "a guest who reloads the page",
    happens: async (t, place, here) => leaveAll(place, await reloads(t, place, here)),
    lives: true,
  },
  {
    name: "a host who continues on another device",
    happens: async (t, place, here) => {
      const first = await host(t, place, here);
      const second = await host(t, place, here);
      await until("the first device is left", () => first.ended !== undefined);
      await leaveAll(place, second);
    },
    lives: true,
  },
  {
    name: "a host who opens the link as a guest in the same browser",
    happens: async (t, place, here) => {
      const { asAdmin, code } = place;
      const joined = await asAdmin("joinRoom", { roomId: "r" });
      const asHost = await openSocket(t, here.url, { ticket: joined.body.ticket });
      await asHost.sees("the meeting", () => true);
      const asGuest = await enter(t, { url: here.url, ask: here.open }, code, {
        peerName: "Gus",
        cookie: cookieOf(joined),
      });
      await leaveAll(place, asGuest, asHost);
    },
    lives: true,
  },
  {
    name: "one invited person with two invitations",
    happens: async (t, place, here) => {
      const { tenant } = place;
      const first = await enterInvited(t, here.url, tenant, "r", "Ina");
      const sessionToken = await invite(tenant, "r", "Ina");
      const again = await enter(t, { url: here.url, ask: here.open }, "r", { sessionToken });
      await until("the first window is left", () => first.ended !== undefined);
      await leaveAll(place, again);
    },
    lives: true,
  },
  {
    name: "two people one after the other",
    happens: async (t, place, here) => {
      await leaveAll(place, await guest(t, place, here, "Gus"));
      await leaveAll(place, await guest(t, place, here, "Ida"));
    },
    lives: true,
  },
  {
    name: "two people one after the other in one meeting",
    happens: async (t, place, here) => {
      const first = await guest(t, place, here, "Gus");
      await here.open("leaveRoom", { ticket: first.ticket, mayReturn: true });
      await leaveAll(place, await guest(t, place, here, "Ida"));
      await here.database.change(async (tx) => {
        await tx
          .updateTable("seats")
          .set({ lease_until: new Date(0).toISOString() })
          .where("state", "=", "returning")
          .execute();
      });
    },
    lives: true,
  },
  {
    name: "a claim of another person that nobody entered",
    happens: async (t, place, here) => {
      const ada = await guest(t, place, here, "Ada");
      const claim = await here.open("joinRoom", { roomId: place.code, peerName: "Bo" });
      await leaveAll(place, claim.body, ada);
    },
    lives: true,
  },
  {
    name: "two people together before the date",
    settings: { scheduledDateTime: inDays(1) },
    happens: async (t, place, here) =>
      leaveAll(place, await host(t, place, here), await guest(t, place, here)),
    lives: true,
  },
  {
    name: "two people together in a room with a permanent link",
    settings: { roomPermaLink: true },
    happens: async (t, place, here) =>
      leaveAll(place, await host(t, place, here), await guest(t, place, here)),
    lives: true,
  },
  {
    name: "a lone guest after the date",
    settings: { scheduledDateTime: inDays(-1) },
    happens: async (t, place, here) => leaveAll(place, await guest(t, place, here)),
    lives: true,
  },
  {
    name: "two people together after the date",
    settings: { scheduledDateTime: inDays(-1) },
    happens: async (t, place, here) =>
      leaveAll(place, await host(t, place, here), await guest(t, place, here)),
    lives: false,
  },
  {
    name: "a host and a guest together",
    happens: async (t, place, here) =>
      leaveAll(place, await host(t, place, here), await guest(t, place, here)),
    lives: false,
  },
  {
    name: "two guests together, without a host",
    happens: async (t, place, here) =>
      leaveAll(place, await guest(t, place, here, "Gus"), await guest(t, place, here, "Ida")),
    lives: false,
  },
  {
    name: "three people of whom the first and the last did not meet",
    happens: async (t, place, here) => {
      const ada = await guest(t, place, here, "Ada");
      const bo = await guest(t, place, here, "Bo");
      await leaveAll(place, ada);
      const cy = await guest(t, place, here, "Cy");
      await leaveAll(place, bo, cy);
    },
    lives: false,
  },
  ...[true, false].map(
    (lives): Case => ({
      name: `a meeting of two people ${lives ? "within" : "after"} a series`,
      happens: async (t, place, here) => {
        const count = lives ? 5 : 2;
        const dates = { startsAt: inDays(-3), repetition: { every: "day", count } };
        const { status } = await place.tenant.ask("editSchedule", { roomId: "r", ...dates });
        assert.equal(status, 200);
        await leaveAll(place, await host(t, place, here), await guest(t, place, here));
      },
      lives,
    }),
  ),
];

for (const { name, settings, happens, lives } of cases) {
  test(`a link ${lives ? "lives after" : "ends with"} ${name}`, async (t) => {
    const place = await newPlace(world, settings);
    await happens(t, place, world);
    await over(place);
    assert.equal(await opens(place), lives ? true : "link_ended");
  });
}

const survivesVisits = async (t: TestContext, here = world): Promise<void> => {
  const place = await newPlace(here);
  await leaveAll(place, await guest(t, place, here));
  await leaveAll(place, await host(t, place, here));
  assert.equal(await opens(place, here), true);
};

test("a link survives any number of lone visits, and ends with the first meeting of two people", async (t) => {
  const place = await newPlace(world);
  for (let visit = 0; visit < 3; visit += 1) {
    await leaveAll(place, await guest(t, place, world));
    assert.equal(await opens(place), true);
  }
  const people = [await host(t, place, world), await guest(t, place, world)];
  await place.tenant.ask("closeRoom", { roomId: "r" });
  await until("both are out", () => people.every(({ ended }) => ended !== undefined));
  assert.equal(await opens(place), "link_ended");
  const next = await place.tenant.ask("getRoomLink", { roomId: "r" });
  assert.notEqual(next.body.code, place.code);
  assert.equal((await open("fetchInvitation", { roomId: next.body.code })).status, 200);
  assert.match(next.body.url, new RegExp(`^${url}/m/`));
});

testTwin("a twin that ends a link with a lone visit is detected", async (t) => {
  const here = await startWorld(t, { twin: endsWithEveryVisit });
  await assert.rejects(survivesVisits(t, here), assert.AssertionError);
});

test("a link survives a visit of a guest and a later one of the host", (t) => survivesVisits(t));
