// Runs: sqlite-first, alone
// Alone: the tracer is one of the process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openSocket } from "../meetings/inside.ts";
import { deliveries, make } from "../webhooks/made.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { bearer, send } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { startCollector } from "./collector.ts";

const PASSWORD = "sesame-open-wide";
const NAME = "Ada Unspoken";

test("the effects of a request are traced to their end, with the standard's names, and say no secret and no name", async (t) => {
  const collector = await startCollector(t);
  const world = await startWorld(t, {
    environment: {
      LOG_LEVEL: "info",
      ALLOWED_NETWORKS: "loopback",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b",
      OTEL_SERVICE_NAME: "parley-tests",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
    },
  });
  const { id: organizationId, ask, token, admin } = await world.tenant();
  const receiver = await startReceiver(t);
  const { secret } = await make(ask, receiver.url, ["roomCreated"]);

  const [callersTrace, callersSpan] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const made = await send(
    world.url,
    {
      method: "POST",
      path: "/api/roomSetting",
      body: JSON.stringify({ name: "Board", roomOwnerId: admin.id, roomPassword: PASSWORD }),
    },
    { ...bearer(token), traceparent: `00-${callersTrace}-${callersSpan}-01` },
  );
  assert.equal(made.status, 201, made.text);
  const { room } = made.body.roomSetting;
  const [arrival] = await receiver.waitFor(1);
  await until("it is marked", async () => (await deliveries(ask))[0]?.state === "delivered");
  const refused = await ask("createRoom", { name: "", roomOwnerId: admin.id });
  assert.equal(refused.status, 400);
  const person = { name: NAME, email: "unspoken@example.org", loginUrl: "https://meet.example/" };
  assert.equal((await ask("createUser", person)).status, 201);
  await until("the email is sent", async () => {
    const { body } = await ask("listLetters", {});
    return body.letters.every(({ state }: { readonly state: string }) => state === "sent");
  });
  const { body: joined } = await ask("joinRoom", { roomId: room, peerName: NAME });
  const socket = await openSocket(t, world.url, joined);
  assert.equal(await socket.do("hand", { up: true }), "ok");
  // A service that ends sends the remaining traces.
  await world.parley.stop();

  const named = (name: string) => {
    const found = collector.spans.filter((span) => span.name === name);
    assert.ok(found.length > 0, `${name} in ${collector.spans.map((span) => span.name).join()}`);
    return found;
  };
  const requests = named("POST /api/roomSetting");
  const request = requests.find(({ traceId }) => traceId === callersTrace);
  assert.ok(request);
  assert.deepEqual(
    [request.parentId, request.kind, request.isError],
    [callersSpan, "server", false],
  );
  assert.partialDeepStrictEqual(request.attributes, {
    "http.request.method": "POST",
    "http.route": "/api/roomSetting",
    "http.response.status_code": 201,
    "url.scheme": "http",
    "parley.operation": "createRoom",
    "parley.organization.id": organizationId,
  });
  assert.partialDeepStrictEqual(request.resource, {
    "service.name": "parley-tests",
    "deployment.environment.name": "tests",
  });
  const change = named("change").find(({ parentId }) => parentId === request.spanId);
  assert.deepEqual(
    [change?.traceId, change?.kind, change?.events],
    [callersTrace, "client", ["begun", "locked", "worked"]],
  );
  assert.equal(
    change?.attributes["db.system.name"],
    world.name === "postgres" ? "postgresql" : "sqlite",
  );
  assert.ok(
    requests.some(({ attributes }) => attributes["error.type"] === "invalid_input"),
    "a refused request says its code",
  );

  const [delivery] = named("webhook delivery");
  assert.deepEqual(
    delivery?.links,
    [{ traceId: callersTrace, spanId: change?.spanId }],
    "a delivery is linked to the change that caused it",
  );
  assert.deepEqual([delivery?.parentId, delivery?.kind], ["", "consumer"]);
  assert.equal(delivery?.attributes["parley.delivery.id"], arrival?.id);
  assert.equal(
    arrival?.headers.traceparent,
    `00-${delivery?.traceId}-${delivery?.spanId}-01`,
    "its receiver can go on with the trace",
  );
  const [creation] = named("POST /api/user/orgUser");
  const [email] = named("email");
  assert.deepEqual(
    email?.links.map(({ traceId }) => traceId),
    [creation?.traceId],
  );

  const [join] = named("join");
  assert.equal(join?.attributes["parley.seat.id"], joined.peer.peerId);
  const [command] = named("command hand");
  assert.equal(command?.attributes["parley.seat.id"], joined.peer.peerId);
  assert.ok(named("change").some(({ parentId }) => parentId === command?.spanId));

  const bytes = collector.bytes();
  const unsaid = [PASSWORD, NAME, "Board", "unspoken@", token, joined.ticket, secret, receiver.url];
  for (const text of unsaid) assert.ok(!bytes.includes(text), text);
  assert.ok(collector.headers.every((headers) => headers["x-tenant"] === "a b"));

  const line = world.log
    .map((one) => JSON.parse(one))
    .find(({ operation, trace_id }) => operation === "createRoom" && trace_id === callersTrace);
  assert.equal(line?.span_id, request.spanId, "log lines name their span");
});

test("a sampler decides which traces are kept", async (t) => {
  const collector = await startCollector(t);
  const world = await startWorld(t, {
    environment: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0",
    },
  });
  const { ask, token } = await world.tenant();
  await ask("listRooms", {});
  const kept = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
  const path = "/api/session";
  await send(world.url, { method: "GET", path }, { ...bearer(token), traceparent: kept });
  await world.parley.stop();
  assert.deepEqual(
    collector.spans.map(({ name, traceId }) => [name, traceId]),
    [["GET /api/session", "ab".repeat(16)]],
  );
});

test("a collector that is away costs one log line, and nothing else", async (t) => {
  const collector = await startCollector(t);
  collector.status = 400;
  const world = await startWorld(t, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { ask } = await world.tenant();
  const lines = () => world.log.filter((line) => line.includes("The collector takes no traces"));
  for (const _ of [1, 2]) {
    assert.equal((await ask("listRooms", {})).status, 200);
    await until("spans were sent", () => lines().length > 0);
  }
  await world.parley.stop();
  assert.equal(lines().length, 1, world.log.join(""));
});

test("a switched off SDK, and a service without a collector, trace nothing", async (t) => {
  const collector = await startCollector(t);
  const world = await startWorld(t, {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: "true" },
  });
  const { ask } = await world.tenant();
  await ask("listRooms", {});
  await world.parley.stop();
  assert.deepEqual(collector.spans, []);
});
