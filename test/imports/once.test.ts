// Runs: postgres-first, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCounters } from "../properties/model.ts";
import { importsTwice, marksLater } from "../twins/importers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { movesOnLater } from "../twins/undoers.ts";
import type { Ask } from "../world/ask.ts";
import { startProcess, until } from "../world/process.ts";
import { rolledBack } from "../world/rolled-back.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { carryOut, goOn, linesOf, upload } from "./importing.ts";

/** Rooms without an ID: a line that is carried out twice makes two rooms. */
const roomsFor = (owner: string, many: number) =>
  Array.from({ length: many }, (_, n) => ({ name: `Room ${n}`, roomOwnerId: owner }));

/** Compares the rooms with the lines: each room once, with one entry in the history. */
const assertOnce = async (
  world: World,
  { ask, id }: { readonly ask: Ask; readonly id: string },
  importId: string,
  many: number,
): Promise<void> => {
  const { total } = (await ask("listRooms", {})).body.pagination;
  const entries = (await ask("listHistory", { kind: "roomCreated" })).body.pagination.total;
  assert.deepEqual([total, entries], [many, many]);
  const ids = (await linesOf(ask, importId)).map((line) => line.id);
  assert.equal(new Set(ids).size, many);
  assert.equal((await checkCounters(world, id)).rooms, many);
};

const countRooms = async (
  { database }: World,
  { id }: { readonly id: string },
): Promise<number> => {
  const rooms = database.read.selectFrom("rooms").select("id").where("organization_id", "=", id);
  return (await rooms.execute()).length;
};

const rush = async (t: TestContext, many: number, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const { ask, askAt, admin } = tenant;
  const others = world.name === "postgres" ? [askAt(await world.second())] : [ask];
  const made = await upload(ask, { kind: "rooms", text: roomsFor(admin.id, many) });
  const confirmed = await Promise.all(
    [ask, ...others].map((one) => one("confirmImport", { importId: made.id, mode: "possible" })),
  );
  assert.deepEqual(confirmed.map(({ status }) => status).sort(), [200, 409]);
  const all = [ask, ask, ...others, ...others];
  await Promise.all(all.map((one) => goOn(one, made.id)));
  await assertOnce(world, tenant, made.id, many);
};

test("simultaneous requests for one import carry out each line once", (t) =>
  rush(t, count(60, 600, 30)));

testTwin("a twin that does not check, and carries out a line twice, is detected", async (t) => {
  await assert.rejects(rush(t, 60, importsTwice), { code: "ERR_ASSERTION" });
});

const killed = async (t: TestContext, dice: Dice, times: number, twin?: Twin): Promise<void> => {
  const many = count(120, 120, 40);
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { ask, askAt, admin } = tenant;
  const made = await upload(ask, { kind: "rooms", text: roomsFor(admin.id, many) });
  await ask("confirmImport", { importId: made.id, mode: "possible" });
  if (world.name === "sqlite") await world.parley.stop();
  let left = times;
  for (;;) {
    // The real one carries out the rest: a twin takes long for each line, so that it is killed in time.
    const options = { twin: left > 0 ? twin : undefined };
    const { url, end } = await startProcess(t, world.environment, options);
    const one = askAt(url);
    await one("getOrganization");
    if (left === 0) {
      const { state } = await goOn(one, made.id);
      assert.equal(state, "done");
      await assertOnce(world, { ask: one, id: tenant.id }, made.id, many);
      await end();
      return;
    }
    left -= 1;
    const before = await countRooms(world, tenant);
    const going = one("continueImport", { importId: made.id }).catch(() => undefined);
    // A twin is killed where it goes wrong: after a line is carried out, and before it is marked.
    // Otherwise the kill comes at a random moment.
    if (!twin) await sleep(dice.roll(120));
    else
      await until("a line is carried out", async () => (await countRooms(world, tenant)) > before);
    await end("SIGKILL");
    await going;
    await rolledBack(world);
  }
};

test("an import that is killed repeatedly continues where it was, and does nothing twice", (t) =>
  killed(t, rollDice(t), count(2, 20, 1)));

testTwin("a twin that marks lines later, and repeats one after a kill, is detected", async (t) => {
  await assert.rejects(killed(t, diceOf(1), 3, marksLater), { code: "ERR_ASSERTION" });
});

/** Imports rooms, takes them back, and kills the service in the middle, repeatedly. */
const undoKilled = async (t: TestContext, dice: Dice, times: number, twin?: Twin) => {
  // More than the pieces in which changes are taken back (server/undo/parts.ts).
  const many = count(120, 120, 60);
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { ask, askAt, admin } = tenant;
  const made = await upload(ask, { kind: "rooms", text: roomsFor(admin.id, many) });
  const { entry } = await carryOut(ask, made.id);
  assert.equal((await ask("undoChange", { number: entry })).body.left, many);
  if (world.name === "sqlite") await world.parley.stop();
  const counted = () => countRooms(world, tenant);
  for (let left = times; left > 0 && (await counted()) > 0; left -= 1) {
    const { url, end } = await startProcess(t, world.environment, { twin });
    const one = askAt(url);
    await one("getOrganization");
    const before = await counted();
    let alive = true;
    const going = [one, one].map(async (each) => {
      while (alive) await each("continueUndo", { number: entry }).catch(() => undefined);
    });
    // Half of the kills come at a random moment.
    if (left % 2 === 0) await sleep(dice.roll(120));
    else await until("a piece is taken back", async () => (await counted()) < before);
    alive = false;
    await end("SIGKILL");
    await Promise.all(going);
    await rolledBack(world);
  }
  const { url, end } = await startProcess(t, world.environment);
  const one = askAt(url);
  for (let state = "running"; state !== "done"; ) {
    const { status, body, text } = await one("continueUndo", { number: entry });
    // Locks held by a killed process may not be released yet.
    if (status === 503) continue;
    assert.ok(body.undo, text);
    assert.deepEqual([body.undo.entries, body.undo.stayed], [many, 0]);
    state = body.undo.state;
  }
  assert.equal((await one("listRooms", {})).body.pagination.total, 0);
  const { entries } = (await one("listHistory", { kind: "roomDeleted", limit: 1000 })).body;
  const undone = new Set(entries.map(({ undoes }: { readonly undoes: number }) => undoes));
  assert.deepEqual([entries.length, undone.size], [many, many], "each is taken back once");
  assert.equal((await checkCounters(world, tenant.id)).rooms, 0);
  await end();
};

test("taking an import back continues after every kill, and takes each line back once", (t) =>
  undoKilled(t, rollDice(t), count(2, 20, 1)));

testTwin(
  "a twin that records progress separately, and leaves a line behind after a kill, is detected",
  async (t) => {
    await assert.rejects(undoKilled(t, diceOf(1), 1, movesOnLater), { code: "ERR_ASSERTION" });
  },
);
