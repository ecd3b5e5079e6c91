// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { texts } from "../../contract/kit/texts.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { emailsByLower, roomsWithoutIndex } from "../twins/twins.ts";
import { insist } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";
import { type Event, startHistory, tally } from "./history.ts";

/** Spellings of addresses, by the mailbox that they all reach. */
const classes = (number: number): Record<string, string[]> => ({
  ann: [`Ann@x${number}.org`, `ANN@X${number}.ORG`, `ann@x${number}.org`, `aNN@x${number}.Org`],
  "a domain beyond ASCII": [
    `b@b\u00fccher${number}.org`,
    `b@bu\u0308cher${number}.org`,
    `B@B\u00dcCHER${number}.org`,
    new URL(`http://b\u00fccher${number}.org`).hostname.replace(/^/, "b@"),
  ],
  "the Kelvin sign is a K in a domain": [`c@\u212Aelvin${number}.org`, `c@kelvin${number}.org`],
});

const person = (email: string) => ({ email, name: "Ann", loginUrl: "https://x.org" });

/** Creates every address several times at the same time, in two organizations, over two processes. */
const round = async (world: World, urls: readonly string[], number: number): Promise<number> => {
  const tenants = [await world.tenant(), await world.tenant()];
  const spare = await tenants[0]?.addPerson(`spare${number}@example.org`);
  const history = startHistory();
  const groups = Object.entries(classes(number));
  const all = groups.flatMap(([group, emails]) =>
    [...emails, ...emails, ...emails].map((email) => ({ group, email })),
  );
  const events = await Promise.all(
    all.map(async ({ group, email }, n): Promise<[string, Event]> => {
      const tenant = tenants[n % 2] as Tenant;
      const ask = insist(tenant.askAt(urls[(n >> 1) % 2] ?? ""));
      // Now and then an existing person gets the address.
      const edits = n % 7 === 0;
      return edits
        ? [group, await history.ask(n, ask, "editUser", { userId: spare?.id, email })]
        : [group, await history.ask(n, ask, "createUser", person(email))];
    }),
  );
  // An edit by the other organization does not find the account.
  const asked = events.filter(([, { outcome }]) => outcome !== "user_not_found");
  for (const [, { outcome, answer }] of asked) {
    assert.ok(outcome === "ok" || outcome === "email_taken", outcome);
    if (outcome !== "ok") assert.equal(answer?.body.message, texts.email_taken.text);
  }
  const rows = await world.database.read
    .selectFrom("users")
    .select(["email", "email_key"])
    .execute();
  for (const [group, emails] of groups) {
    const mine = asked.filter(([name]) => name === group).map(([, event]) => event);
    const held = rows.filter(({ email }) => emails.includes(email)).length;
    assert.ok(held <= 1, `${held} accounts have one mailbox: ${group}`);
    const created = mine.filter(
      ({ id, outcome }) => id === "createUser" && outcome === "ok",
    ).length;
    const edited = mine.some(({ id, outcome }) => id === "editUser" && outcome === "ok");
    // An account that got the address may have got another one after it.
    assert.ok(created === 1 || edited, `${group}: ${created} created`);
    if (!edited) assert.equal(held, 1);
  }
  return all.length;
};

const rounds = async (t: TestContext, many: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  let asked = 0;
  for (let n = 0; n < many; n += 1) asked += await round(world, urls, n);
  t.diagnostic(`${asked} requests at once in ${many} rounds`);
};

test("P-UNI-1: one mailbox is one account, however it is written and however many requests arrive at once", (t) =>
  rounds(t, count(2, 50, 1)));

testTwin(
  "P-UNI-1: a twin that compares lower(), and allows two accounts for one mailbox, is detected",
  async (t) => {
    await assert.rejects(rounds(t, 3, emailsByLower), /accounts have one mailbox|created/);
  },
);

const chosenRooms = async (t: TestContext, many: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  for (let n = 0; n < many; n += 1) {
    const tenants = [await world.tenant(), await world.tenant()] as const;
    const history = startHistory();
    const room = n % 2 === 0 ? 4711 : "board";
    await Promise.all(
      Array.from({ length: 40 }, (_, client) => {
        const { askAt, admin } = tenants[client % 2] as Tenant;
        const input = { name: "Board", roomOwnerId: admin.id, room };
        const ask = insist(askAt(urls[(client >> 1) % 2] ?? ""));
        return history.ask(client, ask, "createRoom", input);
      }),
    );
    assert.deepEqual(tally(history.events), { ok: 2, room_taken: 38 });
  }
};

test("P-UNI-2: a chosen room ID is given once in each organization", (t) =>
  chosenRooms(t, count(4, 50, 2)));

testTwin(
  "P-UNI-2: a twin that checks a room ID first, and assigns it twice, is detected",
  async (t) => {
    await assert.rejects(chosenRooms(t, 4, roomsWithoutIndex), { code: "ERR_ASSERTION" });
  },
);

test("P-UNI-2: generated IDs never collide and follow no order that could be guessed", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const [ask, { admin }] = [insist(tenant.ask), tenant];
  const many = count(400, 20_000);
  const rooms: string[] = [];
  while (rooms.length < many) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask("createRoom", { name: "Room", roomOwnerId: admin.id })),
    );
    rooms.push(...answers.map(({ body }) => body.roomSetting.room));
  }
  assert.equal(new Set(rooms).size, rooms.length);
  for (const room of rooms) assert.match(room, /^\d{10}$/);
  // Neither the next ID nor a nearby one: differences between neighbors are spread over the whole range.
  const steps = rooms.slice(1).map((room, n) => Math.abs(Number(room) - Number(rooms[n])));
  assert.ok(steps.filter((step) => step < 1e6).length < rooms.length / 100);
  // Every digit at every position about as often as any other.
  for (let place = 0; place < 10; place += 1) {
    const counts = Array.from(
      { length: 10 },
      (_, digit) => rooms.filter((room) => Number(room[place]) === digit).length,
    );
    assert.ok(Math.min(...counts) > rooms.length / 25, `${counts} at place ${place}`);
  }
  t.diagnostic(`${rooms.length} rooms`);
});

test("P-UNI-2: people with one name who are created at once get different usernames", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const [ask, { id }] = [insist(tenant.ask), tenant];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => ask("createUser", person(`n${n}@${id}.example.org`))),
  );
  const usernames = answers.map(({ body }) => body.user.username);
  assert.equal(new Set(usernames).size, 30);
  for (const username of usernames) assert.match(username, /^ann_\d{6}$/);
});

test("P-UNI-3: an ID or address that another organization used brings none of its data", async (t) => {
  const world = await startWorld(t);
  const [first, second] = [await world.tenant(), await world.tenant()];
  const mine = {
    name: "SENTINEL",
    roomOwnerId: first.admin.id,
    room: "once",
    roomAgenda: "SENTINEL",
  };
  await first.ask("createRoom", mine);
  await first.ask("deleteRoom", { id: "once" });
  const user = {
    ...person("once@example.org"),
    name: "SENTINEL",
    location: "SENTINEL",
    tags: ["SENTINEL"],
  };
  const { body: old } = await first.ask("createUser", user);
  await first.ask("revokeUsers", [{ userId: old.user.id }]);
  await first.ask("deleteUsers", [old.user.id]);

  const room = await second.ask("createRoom", {
    name: "Mine",
    roomOwnerId: second.admin.id,
    room: "once",
  });
  const created = await second.ask("createUser", person("once@example.org"));
  assert.deepEqual([room.status, created.status], [201, 201]);
  assert.notEqual(created.body.user.id, old.user.id);
  assert.notEqual(created.body.user.username, old.user.username);
  const seen = await Promise.all([
    second.ask("listRooms", {}),
    second.ask("fetchRoom", { id: "once" }),
    second.ask("listUsers", { role: "moderator,admin" }),
    second.ask("listRevokedUsers", { role: "moderator,admin" }),
    second.ask("listLetters", {}),
    second.ask("editRoom", { room: "once", roomOwnerId: second.admin.id }),
  ]);
  for (const { text, status } of [room, created, ...seen]) {
    assert.ok(status < 300 && !text.includes("SENTINEL") && !text.includes(old.user.id), text);
    assert.ok(!text.includes(first.id) && !text.includes(first.admin.id), text);
  }
  assert.equal((await first.ask("fetchRoom", { id: "once" })).status, 404);
  assert.equal((await first.ask("editUser", { userId: created.body.user.id })).status, 404);
  const letters = await first.ask("listLetters", {});
  assert.ok(!letters.text.includes(created.body.user.id), "their letters stay theirs");
});
