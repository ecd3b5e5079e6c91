// Runs: sqlite, first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { texts } from "../../contract/kit/texts.ts";
import type { endInOrder } from "../../server/cli/end.ts";
import type { answerFailure } from "../../server/http/failures.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Replacement } from "../twins/twin.ts";
import { requestFor, send } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { isReady, type Process, startProcess, until } from "../world/process.ts";
import { headOf, openRaw } from "../world/raw.ts";
import { onlyComplete } from "../world/seed.ts";

const FAULT = "SENTINEL-7f3a";

/** Every operation fails before it begins; creating a room fails in the middle of its change. */
const failing: readonly Replacement[] = [
  {
    file: "http/check.ts",
    export: "inputCheck",
    by: `(real) => (operation) => {
      const whole = real(operation);
      const check = () => { throw new Error("${FAULT}"); };
      return operation.id === "createRoom" ? whole : { ...whole, check };
    }`,
  },
  {
    file: "records/room-counters.ts",
    export: "countRooms",
    by: `() => () => { throw new Error("${FAULT}"); }`,
  },
];

interface Line {
  readonly level: number;
  readonly requestId?: string;
  readonly operation?: string;
  readonly err?: { readonly stack: string };
}

const linesOf = (service: Process): Line[] =>
  service
    .said()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

/** How a fault is reported, in the shape of the operation's failures. */
const generic = ({ failure, type }: Operation): object => {
  const [said, code] = [texts.internal.text, "internal"];
  switch (failure) {
    case "typed error":
      return { type, success: false, error: said, code };
    case "typed message":
      return { type, success: false, message: said, code };
    case "authToken":
      return { authToken: { ok: false, message: said }, code };
    case "message":
      return { success: false, message: said, code };
  }
};

/** Calls every operation of a service in which each fails. */
const failsEverywhere = async (t: TestContext, more: readonly Replacement[] = []) => {
  const house = await openHouse(t);
  const [tenant, token] = await house.beside(async (world) => {
    const made = await world.tenant();
    return [made, await made.tokenOf(made.admin.id)] as const;
  });
  const twin = { name: "fails in every operation", replaced: [...failing, ...more] };
  const service = await startProcess(t, house.environment, { twin });
  for (const operation of Object.values<Operation>(operations)) {
    const room = { name: "R", roomOwnerId: tenant.admin.id };
    const input = operation.id === "createRoom" ? room : { id: "x" };
    const answer = await send(service.url, requestFor(operation, input), {
      authorization: `Bearer ${token}`,
    });
    assert.equal(answer.status, 500, operation.id);
    assert.deepEqual(answer.body, generic(operation));
    const id = answer.headers.get("x-request-id");
    const about = () => linesOf(service).filter(({ requestId }) => requestId === id);
    await until("both lines are there: the fault and the answer", () => about().length >= 2);
    const [fault, ...others] = about();
    assert.match(fault?.err?.stack ?? "", new RegExp(`^Error: ${FAULT}\n +at `));
    assert.equal(fault?.operation, operation.id);
    assert.deepEqual(
      others.map(({ err }) => err),
      [undefined],
    );
  }
  assert.ok(await isReady(service.url));
  assert.ok(!service.hasEnded());
  await house.beside(async ({ database }) => {
    const rooms = await database.read.selectFrom("rooms").select("id").execute();
    assert.deepEqual(rooms, [], "nothing is left of what failed");
  });
};

test("P-OPS-6: an unexpected failure is answered without details and logged once with the request's ID, and the service survives", (t) =>
  failsEverywhere(t));

testTwin(
  "P-OPS-6: a twin whose answers reveal the fault is detected",
  async (t) => {
    const telling: Replacement = {
      file: "http/failures.ts",
      export: "answerFailure",
      by:
        (real: typeof answerFailure): typeof answerFailure =>
        (reply, operation, error, log) => {
          const { send } = reply;
          reply.send = (body) => send.call(reply, { ...(body as object), message: String(error) });
          return real(reply, operation, error, log);
        },
    };
    await assert.rejects(failsEverywhere(t, [telling]), /SENTINEL/);
  },
  { onSqlite: true },
);

/** A service with an unhandled failure as soon as its health is requested. */
const fallsOver = async (t: TestContext, fault: string, more: readonly Replacement[] = []) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const falling: Replacement = {
    file: "http/health.ts",
    export: "serveHealth",
    by: `(real) => (app, ...more) => {
      app.addHook("onRequest", async ({ url }) => { if (url === "/healthz") { ${fault}; } });
      real(app, ...more);
    }`,
  };
  const twin = { name: "falls over", replaced: [falling, ...more] };
  const service = await startProcess(t, house.environment, { twin });
  const begun = openRaw(service.url);
  const body = JSON.stringify({ name: "R", roomOwnerId: tenant.admin.id });
  begun.send(headOf("/api/roomSetting", tenant.token, body));
  await begun.wait(/100 Continue/);
  const asked = openRaw(service.url);
  asked.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await until("the fault is logged", () => service.hasEnded() || linesOf(service).length > 0);
  begun.send(body);
  assert.match(await begun.wait(/}$/), /HTTP\/1\.1 201 .*connection: close/is);
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  const faults = linesOf(service).filter(({ err }) => err !== undefined);
  assert.equal(faults.length, 1);
  assert.match(faults[0]?.err?.stack ?? "", new RegExp(`^Error: ${FAULT}\n +at `));
};

const rejects = `void Promise.reject(new Error("${FAULT}"))`;
const throws = `void setImmediate(() => { throw new Error("${FAULT}"); })`;

test("P-OPS-6: an unhandled rejection ends the service with 1, after requests in progress are answered and one log line", (t) =>
  fallsOver(t, rejects));

test(
  "P-OPS-6: an uncaught exception ends the service in the same way",
  { skip: onlyComplete },
  (t) => fallsOver(t, throws),
);

testTwin(
  "P-OPS-6: a twin that ends at once, and drops a request, is detected",
  async (t) => {
    const hasty: Replacement = {
      file: "cli/end.ts",
      export: "endInOrder",
      by:
        (real: typeof endInOrder): typeof endInOrder =>
        (beforeServing) => {
          const ending = real(beforeServing);
          process.removeAllListeners("unhandledRejection");
          process.on("unhandledRejection", () => process.exit(1));
          return ending;
        },
    };
    await assert.rejects(fallsOver(t, rejects, [hasty]), /201/);
  },
  { onSqlite: true },
);
