// Runs: postgres-first, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { roomSortFields } from "../../contract/rooms/rooms.ts";
import { naturalKey } from "../../server/lib/fold.ts";
import { refusesLate, turnsWrong } from "../twins/lists.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { anyOrder } from "../twins/twins.ts";
import { type Answer, type Ask, askAs } from "../world/ask.ts";
import { addPeople, addRooms } from "../world/many.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const NAMES = ["Straße", "board", "\u{1F600}"];
const ROWS = 1000;

interface Order {
  readonly sortBy: string;
  readonly sortOrder: "ASC" | "DESC";
  readonly limit: number;
}

/** Every page of a list, one after the other. */
const walk = async (ask: (page: number) => Promise<Answer>, order: Order) => {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await ask(page);
    assert.equal(status, 200);
    const { total, totalPages, ...asked } = body.pagination;
    assert.deepEqual(asked, { page, limit: order.limit });
    assert.equal(totalPages, Math.ceil(total / order.limit));
    const found = body.users ?? body.roomSettings;
    rows.push(...found);
    assert.equal(
      found.length,
      Math.min(order.limit, Math.max(0, total - rows.length + found.length)),
    );
    if (page >= totalPages) return { rows, total };
  }
};

const orders = (fields: readonly string[], limit: number): Order[] =>
  fields.flatMap((sortBy) =>
    (["ASC", "DESC"] as const).map((sortOrder) => ({ sortBy, sortOrder, limit })),
  );

const listRooms = (ask: Ask, order: Order) => (page: number) =>
  ask("listRooms", { ...order, page });

const walkRooms = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const rooms = await addRooms(tenant, ROWS, NAMES, [tenant.admin.id]);
  for (const order of orders(roomSortFields, 100)) {
    const { rows, total } = await walk(listRooms(tenant.ask, order), order);
    assert.equal(total, rooms.size);
    assert.equal(rows.length, rooms.size);
    const ids = rows.map(({ room }) => room);
    assert.deepEqual(new Set(ids), new Set(rooms.keys()), "every room exactly once");
    const keys = rows.map((row) => keyOf[order.sortBy]?.(row.name) ?? row[order.sortBy]);
    const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(keys, order.sortOrder === "ASC" ? sorted : sorted.reverse());
    const again = await walk(listRooms(tenant.ask, order), order);
    assert.deepEqual(
      again.rows.map(({ room }) => room),
      ids,
      "the same order again",
    );
    // The list in one page is the same list.
    const whole = await tenant.ask("listRooms", { ...order, limit: 5000 });
    const wholeIds = whole.body.roomSettings.map(({ room }: { readonly room: string }) => room);
    assert.deepEqual(wholeIds, ids);
  }
};

/** By what rows with a name are sorted; all of them are free. */
const keyOf: Readonly<Record<string, (name: string) => string>> = {
  name: (name) => fold(name),
  naturalName: naturalKey,
  status: naturalKey,
};

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

test("P-STA-5: walking the pages of rooms shows every room once, in one stable order", (t) =>
  walkRooms(t));

testTwin(
  "P-STA-5: a twin that orders equal names arbitrarily, and misses a room between pages, is detected",
  async (t) => {
    await assert.rejects(walkRooms(t, anyOrder), { code: "ERR_ASSERTION" });
  },
);

test("P-STA-5: walking the pages of people shows everybody once, in one stable order", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const ids = await addPeople(
    tenant,
    Array.from({ length: ROWS }, (_, n) => ({ name: NAMES[n % NAMES.length] ?? "" })),
  );
  for (const order of orders(["name", "createdAt"], 100)) {
    const ask = (page: number) => tenant.ask("listUsers", { ...order, page, role: "moderator" });
    const { rows, total } = await walk(ask, order);
    assert.deepEqual([total, rows.length], [ROWS, ROWS]);
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(ids));
    const searched = (page: number) =>
      tenant.ask("listUsers", { ...order, page, role: "moderator", search: "STRASS" });
    assert.equal((await walk(searched, order)).total, Math.ceil(ROWS / 3), "ß is ss");
    const found = (page: number) =>
      tenant.ask("listUsers", { ...order, page, role: "moderator", search: "TRAßE" });
    assert.equal((await walk(found, order)).total, Math.ceil(ROWS / 3));
  }
  const { body } = await tenant.ask("fetchUsers", { role: "moderator" });
  assert.equal(new Set(body.users.map(({ id }: { readonly id: string }) => id)).size, ROWS);
});

// From the middle on, pages are found from an end that moves.
test("P-STA-5: by createdAt, oldest first, walking the pages shows every room once while rooms are added", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  const there = await addRooms(tenant, count(500, 5000, 200), NAMES, [tenant.admin.id]);
  const order: Order = { sortBy: "createdAt", sortOrder: "ASC", limit: 10 };
  let walking = true;
  let added = 0;
  const adding = (async () => {
    for (const ask = askAs(second, tenant.token); walking; added += 1) {
      await ask("createRoom", { name: NAMES[added % 3], roomOwnerId: tenant.admin.id });
    }
  })();
  const { rows } = await walk(listRooms(tenant.ask, order), order).finally(() => {
    walking = false;
  });
  await adding;
  const ids = rows.map(({ room }) => room);
  assert.equal(new Set(ids).size, ids.length, "none twice");
  for (const room of there.keys()) assert.ok(ids.includes(room), `${room} was missed`);
  t.diagnostic(`${there.size} rooms walked while ${added} were added`);
});

/** After each change of any kind, on either process, every page is its part of the whole list. */
const changePages = async (t: TestContext, dice: Dice, steps: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const tenant = await world.tenant();
  const rooms = [...(await addRooms(tenant, 120, NAMES, [tenant.admin.id])).keys()];
  const roomOwnerId = tenant.admin.id;
  const moves: ((ask: Ask) => Promise<unknown>)[] = [
    async (ask) => {
      const { body } = await ask("createRoom", { name: dice.pick(NAMES), roomOwnerId });
      rooms.push(body.roomSetting.room);
    },
    (ask) => ask("editRoom", { room: dice.pick(rooms), roomOwnerId, name: dice.pick(NAMES) }),
    (ask) => ask("deleteRoom", { id: dice.pick(rooms) }),
  ];
  if (twin === refusesLate)
    moves.push((ask) => ask("createRoom", { name: "never made", roomOwnerId }));
  for (let step = 0; step < steps; step += 1) {
    const order = dice.pick(orders(roomSortFields, 10));
    const ask = tenant.askAt(dice.pick(urls));
    if (dice.roll(3) === 0) await dice.pick(moves)(ask);
    const page = 1 + dice.roll(12);
    const part = await tenant.askAt(dice.pick(urls))("listRooms", { ...order, page });
    const whole = await ask("listRooms", { ...order, limit: 1000 });
    const ids = (answer: Answer) =>
      answer.body.roomSettings.map(({ room }: { readonly room: string }) => room);
    assert.deepEqual(ids(part), ids(whole).slice(10 * (page - 1), 10 * page), `step ${step}`);
    assert.equal(part.body.pagination.total, ids(whole).length);
  }
};

test("P-STA-5: after every change each page is its part of the list, on every process", (t) =>
  changePages(t, rollDice(t), count(80, 5000, 30)));

test("P-STA-5: a change that is rolled back moves no page", (t) =>
  changePages(t, rollDice(t), count(80, 1000, 30), refusesLate));

testTwin("P-STA-5: a twin that reverses the wrong page is detected", async (t) => {
  await assert.rejects(changePages(t, diceOf(1), 400, turnsWrong), { code: "ERR_ASSERTION" });
});
