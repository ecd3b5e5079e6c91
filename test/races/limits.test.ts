// Runs: both

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { texts } from "../../contract/kit/texts.ts";
import { checkCounters } from "../properties/model.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { readsBefore } from "../twins/twins.ts";
import { insist, type OperationId } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { count, rollDice } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";
import { startHistory, tally } from "./history.ts";

const LIMIT = 10;
const USED = 7;
const PARALLEL = 60;

const roomOf = ({ admin }: Tenant, number: number) => ({
  name: `Room ${number}`,
  roomOwnerId: admin.id,
});
const userOf = ({ id }: Tenant, number: number) => ({
  email: `p${number}@${id}.example.org`,
  name: `P ${number}`,
  loginUrl: "https://x.org",
});
const kinds = {
  rooms: { id: "createRoom", input: roomOf, code: "room_limit" },
  users: { id: "createUser", input: userOf, code: "user_limit" },
} as const;
type Kind = keyof typeof kinds;

/** Fills an organization until three more fit, then creates many at the same time over A and B. */
const round = async (world: World, urls: readonly string[], kind: Kind): Promise<void> => {
  const { id, input, code } = kinds[kind];
  const tenant = await world.tenant({ [kind]: LIMIT });
  if (kind === "users") {
    // The administrator is the first of the seven.
    await addPeople(tenant, Array(USED - 1).fill({}));
  } else {
    for (let n = 0; n < USED; n += 1) await tenant.ask(id, input(tenant, 1000 + n));
  }
  const history = startHistory();
  await Promise.all(
    Array.from({ length: PARALLEL }, (_, n) =>
      history.ask(n, insist(tenant.askAt(urls[n % urls.length] ?? "")), id, input(tenant, n)),
    ),
  );
  assert.deepEqual(tally(history.events), { ok: LIMIT - USED, [code]: PARALLEL - LIMIT + USED });
  for (const { outcome, answer } of history.events) {
    if (outcome !== "ok") assert.equal(answer?.body.message, texts[code].text);
  }
  assert.equal((await checkCounters(world, tenant.id))[kind], LIMIT);
};

const rounds = async (t: TestContext, kind: Kind, many: number, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  for (let n = 0; n < many; n += 1) await round(world, urls, kind);
  t.diagnostic(`${many} rounds of ${PARALLEL} creates over 2 processes`);
};

test("P-LIM-1: rooms created at once never exceed the limit and never fall short of it", (t) =>
  rounds(t, "rooms", count(5, 50, 2)));

test("P-LIM-1: people created at once never exceed the limit and never fall short of it", (t) =>
  rounds(t, "users", count(2, 50, 1)));

testTwin(
  "P-LIM-1: a twin that reads the usage before its change, and exceeds the limit, is detected",
  async (t) => {
    await assert.rejects(rounds(t, "rooms", 5, readsBefore), { code: "ERR_ASSERTION" });
  },
);

test("P-LIM-2: refused creates use nothing of the limit", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant({ users: LIMIT, rooms: LIMIT });
  const taken = { ...userOf(tenant, 0), email: tenant.admin.email };
  const ownerless = { name: "Room", roomOwnerId: "nobody" };
  const chosen = { ...roomOf(tenant, 0), room: "chosen" };
  const asked = async (id: OperationId, input: unknown, many: number) => {
    const history = startHistory();
    await Promise.all(
      Array.from({ length: many }, (_, n) => history.ask(n, insist(tenant.ask), id, input)),
    );
    return tally(history.events);
  };
  assert.deepEqual(await asked("createUser", taken, count(40, 100)), {
    email_taken: count(40, 100),
  });
  assert.deepEqual(await asked("createRoom", ownerless, 100), { invalid_input: 100 });
  assert.deepEqual(await asked("createRoom", chosen, 100), { ok: 1, room_taken: 99 });
  const fill = async (
    id: OperationId,
    input: (n: number) => unknown,
    free: number,
    code: string,
  ) => {
    for (let n = 0; n < free; n += 1) assert.equal((await tenant.ask(id, input(n))).status, 201);
    assert.equal((await tenant.ask(id, input(free))).body.code, code);
  };
  await fill("createUser", (n) => userOf(tenant, n), LIMIT - 1, "user_limit");
  await fill("createRoom", (n) => roomOf(tenant, n), LIMIT - 1, "room_limit");
  assert.deepEqual(await checkCounters(world, tenant.id), { users: LIMIT, rooms: LIMIT });
});

test("P-LIM-3: no order of creating, revoking, reactivating and deleting gets past a limit", async (t) => {
  const world = await startWorld(t);
  const dice = rollDice(t);
  const steps = count(150, 3000, 60);
  const tenant = await world.tenant({ users: 4, rooms: 3 });
  const users: string[] = [];
  const rooms: string[] = [];
  const some = (from: string[]) => dice.pick(from) ?? "nobody";
  const moves: (() => Promise<unknown>)[] = [
    async () => {
      const { status, body } = await tenant.ask("createUser", userOf(tenant, dice.roll(1e9)));
      if (status === 201) users.push(body.user.id);
    },
    async () => {
      const { status, body } = await tenant.ask("createRoom", roomOf(tenant, 0));
      if (status === 201) rooms.push(body.roomSetting.room);
    },
    () => tenant.ask("revokeUsers", [{ userId: some(users) }]),
    () => tenant.ask("revokeUsers", [{ userId: some(users) }, { userId: some(users) }]),
    () => tenant.ask("reactivateUser", { userId: some(users) }),
    () => tenant.ask("deleteUsers", [some(users), some(users)]),
    () => tenant.ask("deleteRoom", { id: some(rooms) }),
    () => tenant.ask("editUser", { userId: some(users), role: dice.pick(["x", "y"]) }),
  ];
  for (let step = 0; step < steps; step += 2) {
    await Promise.all([dice.pick(moves)(), dice.pick(moves)()]);
    const there = await checkCounters(world, tenant.id);
    assert.ok(there.users <= 4 && there.rooms <= 3, `after step ${step}: ${JSON.stringify(there)}`);
  }
  t.diagnostic(`${steps} steps, two at a time`);
});

test("P-LIM-4: one organization's creates neither use nor block another's limit", async (t) => {
  const world = await startWorld(t);
  const urls = [world.url, await world.second()];
  for (let n = 0; n < count(3, 50, 1); n += 1) {
    const [one, other] = [
      await world.tenant({ rooms: LIMIT }),
      await world.tenant({ rooms: LIMIT }),
    ];
    const history = startHistory();
    const create = (client: number, { askAt, admin }: Tenant) =>
      history.ask(client, insist(askAt(urls[client % 2] ?? "")), "createRoom", {
        name: "Room",
        roomOwnerId: admin.id,
      });
    // The first organization requests three times its limit, the other exactly its limit.
    await Promise.all([
      ...Array.from({ length: 3 * LIMIT }, (_, client) => create(client, one)),
      ...Array.from({ length: LIMIT }, (_, client) => create(client, other)),
    ]);
    assert.deepEqual(tally(history.events), { ok: 2 * LIMIT, room_limit: 2 * LIMIT });
    for (const { id } of [one, other]) assert.equal((await checkCounters(world, id)).rooms, LIMIT);
  }
});
