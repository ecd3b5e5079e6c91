// Runs: sqlite, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { enterInvited } from "./invited.ts";

/** Longer than a browser may be silent, and than a process may be. */
const PAUSE_MS = 17_000;

/** Ann and Bob are inside, on PostgreSQL by two processes; `times`: when each process renewed its row. */
const openPaused = async (t: TestContext) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const first = await startProcess(t, house.environment);
  const second = onPostgres ? await startProcess(t, house.environment) : first;
  const ask = tenant.askAt(first.url);
  const room = { name: "Board", room: "r", roomOwnerId: tenant.admin.id, noOfParticipants: 3 };
  assert.equal((await ask("createRoom", room)).status, 201);
  const ann = await enterInvited(t, first.url, { ...tenant, ask }, "r", "Ann");
  const bob = await enterInvited(t, second.url, { ...tenant, ask }, "r", "Bob");
  const times = () =>
    house.beside(({ database }) =>
      database.read.selectFrom("processes").select(["id", "alive_at"]).execute(),
    );
  return { processes: [first, second] as const, people: [ann, bob] as const, times };
};

test("nobody loses a connection when all processes were suspended with their machine", async (t) => {
  const { processes, people, times } = await openPaused(t);
  const [first, second] = processes;
  /** Waits until each process, or the first one, has renewed its row again so many times. */
  const renewed = async (count: number, most: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      const before = new Map((await times()).map(({ id, alive_at }) => [id, alive_at]));
      await until("rows are renewed", async () => {
        const fresh = (await times()).filter(({ id, alive_at }) => before.get(id) !== alive_at);
        return fresh.length >= most;
      });
    }
  };
  // From then on a process takes part in looking for dead ones.
  if (onPostgres) await renewed(5, 2);
  for (const { child } of processes) child.kill("SIGSTOP");
  await sleep(PAUSE_MS);
  first.child.kill("SIGCONT");
  if (onPostgres) await renewed(2, 1);
  second.child.kill("SIGCONT");
  if (onPostgres) await renewed(1, 2);
  for (const one of people) assert.equal(await one.do("hand", { up: true }), "ok");
  assert.deepEqual(
    people.map(({ closed }) => closed),
    [undefined, undefined],
  );
});
