// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";

test("log lines have the names of the Elastic Common Schema where they are asked for", async (t) => {
  const environment = { LOG_FORMAT: "ecs", LOG_LEVEL: "info", OTEL_SERVICE_NAME: "meet" };
  const world = await startWorld(t, { environment });
  const { id, ask, admin } = await world.tenant();
  assert.equal((await ask("createRoom", { name: "Board", roomOwnerId: admin.id })).status, 201);
  await world.parley.stop();
  const lines = world.log.map((line) => JSON.parse(line));
  const line = lines.find((one) => one["event.action"] === "createRoom");
  assert.partialDeepStrictEqual(line, {
    "log.level": "info",
    message: "answered",
    "service.name": "meet",
    "http.request.method": "POST",
    "http.response.status_code": 201,
    "organization.id": id,
  });
  assert.equal(new Date(line["@timestamp"]).toISOString(), line["@timestamp"]);
  assert.ok(line["event.duration"] > 0, "in nanoseconds");
  for (const one of lines) {
    const named = Object.keys(one).filter((name) => !/^(@timestamp|message|parley)$|\./.test(name));
    assert.deepEqual(named, [], JSON.stringify(one));
  }
});
