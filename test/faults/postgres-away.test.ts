// Runs: postgres, complete, waits, first

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { texts } from "../../contract/kit/texts.ts";
import { type PostgresServer, startPostgres } from "../run/postgres.ts";
import type { Answer, Ask, OperationId } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { isReady, startProcess, until } from "../world/process.ts";
import { count, soaking } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";

/** The promise is five seconds, for an answer and for recovery; a busy machine is allowed more. */
const ANSWERED_MS = soaking ? 10_000 : 30_000;
const BACK_MS = soaking ? 10_000 : 180_000;
/** How long a fault lasts. */
const FAULT_MS = soaking ? 60_000 : 1_500;
const CLIENTS = 12;
/** The pause between two requests of a client: a short run leaves the processor to others. */
const PAUSE_MS = count(50, 0);

/** Texts that name a host, a user, a file, a query or a program. */
const TELLING =
  /127\.0\.0\.1|localhost|:\d{4,5}\b|postgres|parley|\brole\b|\bselect\b|\binsert\b|\bupdate\b|\bfrom\b|ECONN|EPIPE|socket|\bat .*\.[jt]s/i;

const requests = ({ admin }: Tenant): readonly (readonly [OperationId, unknown])[] => [
  ["listRooms", {}],
  ["listUsers", { role: "admin" }],
  ["listRevokedUsers", { role: "admin" }],
  ["fetchUsers", {}],
  ["createRoom", { name: "R", roomOwnerId: admin.id }],
  ["editUser", { userId: admin.id, location: "here" }],
  ["getOrganization", undefined],
  ["signIn", { login: "nobody@example.org", password: "wrong wrong wrong" }],
];

/** The answer of each operation to a fault. */
const checkFault = (id: OperationId, { status, headers, body, text }: Answer): void => {
  const about = `${id}: ${text}`;
  assert.equal(status, 503, about);
  assert.match(headers.get("retry-after") ?? "", /^\d+$/, about);
  assert.doesNotMatch(text, TELLING);
  for (const [name, value] of headers) assert.doesNotMatch(value, TELLING, name);
  assert.equal(body.success, false);
  if (id === "listRooms") {
    assert.deepEqual([body.code, body.error], ["database_connection", "Database connection error"]);
  } else if (id === "listUsers" || id === "listRevokedUsers") {
    assert.deepEqual([body.code, body.message], ["database_error", "Database error occurred"]);
    assert.match(body.error, /^[a-z][a-z_ ]+$/, about);
  } else {
    assert.deepEqual([body.code, body.message], ["unavailable", texts.unavailable.text], about);
  }
};

/** Denies the service any connection, and ends those that it has. */
const takeConnections = async (server: PostgresServer) => {
  const owner = new Client({ connectionString: server.url });
  owner.on("error", () => {});
  await owner.connect();
  // The condition is that of a full server, too_many_connections; no race decides who gets the last
  // connection.
  await owner.query("alter role parley connection limit 0");
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'parley'",
  );
  return async () => {
    await owner.query("alter role parley connection limit -1");
    await owner.end();
  };
};

/** Functions that begin a fault, and return one that ends it. */
const faults: Readonly<
  Record<string, (server: PostgresServer) => Promise<() => Promise<unknown>>>
> = {
  "stopped at once": async (server) => {
    await server.crash();
    return () => server.start();
  },
  frozen: async (server) => {
    server.freeze();
    return async () => server.thaw();
  },
  "out of connections": takeConnections,
};

test("P-DUR-5: while PostgreSQL is unavailable each operation fails in its own words, and works again afterwards", async (t) => {
  const server = await startPostgres();
  try {
    const house = await openHouse(t, { server });
    const tenant = await house.beside((world) => world.tenant());
    const service = await startProcess(t, house.environment);
    const ask = tenant.askAt(service.url);
    for (const [name, begin] of Object.entries(faults)) {
      const isBack = async () => {
        if (!(await isReady(service.url))) return false;
        const answers = await Promise.all(requests(tenant).map(([id, input]) => ask(id, input)));
        return answers.every(({ status }) => status !== 503);
      };
      await until("all is well", isBack);
      const load = startLoad(ask, tenant);
      let backMs = 0;
      try {
        const end = await begin(server);
        await until("the first one hears of it", () => load.faults() > 0);
        await sleep(FAULT_MS);
        assert.equal(await isReady(service.url), false);
        assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
        await end();
        backMs = await until("it works again", isBack, BACK_MS);
      } finally {
        await load.stop();
      }
      assert.ok(!service.hasEnded(), service.said());
      const counts = `${load.faults()} of ${load.answers()} requests met it`;
      const times = `longest ${Math.round(load.longest())} ms, back after ${Math.round(backMs)} ms`;
      t.diagnostic(`${name}: ${counts}, ${times}`);
    }
  } finally {
    await server.stop();
  }
});

test("a service ends even if PostgreSQL hangs", async (t) => {
  const server = await startPostgres();
  try {
    const house = await openHouse(t, { server });
    const service = await startProcess(t, house.environment);
    server.freeze();
    service.child.kill("SIGTERM");
    await until("it has ended", service.hasEnded);
  } finally {
    server.thaw();
    await server.stop();
  }
});

/** Clients that call everything in turn; every answer is checked against the promise. */
const startLoad = (ask: Ask, tenant: Tenant) => {
  let isOver = false;
  let [faulty, answered, longest] = [0, 0, 0];
  const all = requests(tenant);
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; !isOver; n += 1) {
        await sleep(PAUSE_MS);
        const [id, input] = all[n % all.length] ?? ["getOrganization", undefined];
        const begun = performance.now();
        const answer = await ask(id, input);
        const took = performance.now() - begun;
        longest = Math.max(longest, took);
        assert.ok(took < ANSWERED_MS, `${id} was answered after ${took} ms`);
        answered += 1;
        const { code } = answer.body;
        // A refusal of the wrong password is correct; a refusal of the valid token would not be.
        if (id === "signIn" && /wrong_login|too_many_requests/.test(code)) continue;
        if (answer.status < 300) continue;
        checkFault(id, answer);
        faulty += 1;
      }
    }),
  );
  clients.catch(() => {});
  return {
    faults: () => faulty,
    answers: () => answered,
    longest: () => longest,
    async stop() {
      isOver = true;
      await clients;
    },
  };
};
