// Runs: postgres, complete, waits, first

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { newBudget, underDeadlines } from "../../server/db/deadline.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { OperationId } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { startLatePostgres } from "../world/late-postgres.ts";
import { startProcess, until } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";

/** The promise is five seconds; a busy machine is allowed more. */
const ANSWERED_MS = 9_000;
/**
 * How late each answer of the database is. A request that waits for one of them is in time; one that waits
 * for several is not.
 */
const DELAYS_MS = [500, 1_500, 2_000, 2_500];
const CLIENTS = 6;

/** Waits for every answer of the database, however many there are. */
const endless: Twin = {
  name: "has no deadline for a request",
  replaced: [
    {
      file: "db/deadline.ts",
      export: "newBudget",
      by: (): typeof newBudget => () => ({ leftMs: 100_000 }),
    },
  ],
};

/** Answers in time, but continues work that nobody waits for. */
const goesOn: Twin = {
  name: "goes on after the deadline",
  replaced: [
    {
      file: "db/deadline.ts",
      export: "underDeadlines",
      by: (): typeof underDeadlines => (database) => database,
    },
  ],
};

const requests = ({ admin }: Tenant): readonly (readonly [OperationId, unknown])[] => [
  ["listUsers", { role: "admin" }],
  ["listRooms", {}],
  ["createRoom", { name: "R", roomOwnerId: admin.id }],
  ["editUser", { userId: admin.id, location: "here" }],
  ["findUsers", { userIds: [admin.id] }],
  ["getOrganization", undefined],
  ["fetchUsers", {}],
  ["signIn", { login: "nobody@example.org", password: "wrong wrong wrong" }],
];

const startLate = async (t: TestContext, twin?: Twin) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const late = await startLatePostgres(t, house.environment.DATABASE_URL ?? "");
  const environment = { ...house.environment, DATABASE_URL: late.url };
  const service = await startProcess(t, environment, { twin });
  const ask = tenant.askAt(service.url);
  /** Sends many requests at once; connections are open when the answers become late. */
  const warm = () => Promise.all(requests(tenant).map(([id, input]) => ask(id, input)));
  const isWell = async () => (await warm()).every(({ status }) => status !== 503);
  await until("connections are open", isWell);
  return { house, tenant, late, service, ask, isWell };
};

/** Sends requests to everything while every answer of the database is late. */
const answered = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { tenant, late, service, ask, isWell } = await startLate(t, twin);
  for (const delay of DELAYS_MS) {
    let longest = 0;
    late.delay(delay);
    const client = async (_: unknown, first: number) => {
      const all = requests(tenant);
      for (const [id, input] of [...all.slice(first), ...all.slice(0, first)]) {
        const begun = performance.now();
        const { status, body } = await ask(id, input);
        const took = performance.now() - begun;
        longest = Math.max(longest, took);
        assert.ok(took < ANSWERED_MS, `${id} was answered after ${Math.round(took)} ms`);
        assert.ok(
          status < 300 || status === 503 || /wrong_login|too_many/.test(body.code),
          `${status} ${id}`,
        );
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    for (const probe of ["/healthz", "/readyz"]) {
      const begun = performance.now();
      await (await fetch(service.url + probe)).text();
      assert.ok(performance.now() - begun < ANSWERED_MS, probe);
    }
    t.diagnostic(`${delay} ms late: longest ${Math.round(longest)} ms`);
    late.delay(0);
    await until("all is well again", isWell);
  }
};

/** A list of people whose deadline passes in the middle; counts the queries made for it afterwards. */
const abandoned = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { late, ask } = await startLate(t, twin);
  late.delay(2_000);
  const { status } = await ask("listUsers", { role: "admin", search: "a" });
  assert.equal(status, 503);
  const { length } = late.asked();
  const goesOn = () =>
    late
      .asked()
      .slice(length)
      .some((text) => text.includes("room_owners"));
  if (twin) await until("more is asked", goesOn);
  // As long as the rest of the list would take.
  else await sleep(4_500);
  assert.ok(!goesOn(), "nothing more is asked");
};

/** The statements for a short list of all people: its caller is looked up before it is read. */
const shortList = async (t: TestContext): Promise<void> => {
  const { late, ask } = await startLate(t);
  const { length } = late.asked();
  const { status } = await ask("fetchUsers", {});
  assert.equal(status, 200);
  const asked = late.asked().slice(length);
  const list = asked.findIndex((text) => text.includes('order by "name_key"'));
  const look = asked.findLastIndex((text) => /\{"[0-9a-f]{64}"\}/.test(text));
  assert.ok(look >= 0 && look < list, `a look at ${look}, the list at ${list}`);
};

// All at once: they wait for the database, and need little processor time.
suite("P-OPS-17", { concurrency: true }, () => {
  test("when every answer of PostgreSQL is late, each request is still answered in time", (t) =>
    answered(t));

  testTwin("a twin without a deadline, which answers too late, is detected", async (t) => {
    await assert.rejects(answered(t, endless), /was answered after/);
  });

  test("a short list waits for nothing after its people are read", (t) => shortList(t));

  test("work for a request stops when its deadline has passed", (t) => abandoned(t));

  testTwin("a twin that continues work for nobody is detected", async (t) => {
    await assert.rejects(abandoned(t, goesOn), /nothing more is asked/);
  });
});
