// Runs: sqlite, complete, alone, unsteady
// Alone: the tracer is one of the process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stringify } from "yaml";
import { otelCollector } from "../deploy/tools.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const program = await otelCollector();
const skip = "missing" in program && program.missing;

test("OpenTelemetry's own collector takes the traces, with their names, attributes and resource", {
  skip,
}, async (t) => {
  assert.ok("path" in program);
  const folder = mkdtempSync(join(tmpdir(), "parley-collector-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const endpoint = `127.0.0.1:${await freePort()}`;
  const file = join(folder, "collector.yaml");
  writeFileSync(
    file,
    stringify({
      receivers: { otlp: { protocols: { http: { endpoint } } } },
      exporters: { debug: { verbosity: "detailed" } },
      service: {
        telemetry: { metrics: { level: "none" } },
        pipelines: { traces: { receivers: ["otlp"], exporters: ["debug"] } },
      },
    }),
  );
  const collector = spawn(program.path, ["--config", file], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [collector.stdout, collector.stderr]) {
    stream.on("data", (data) => {
      said += data;
    });
  }
  t.after(async () => {
    const ended = once(collector, "exit");
    if (collector.kill()) await ended;
  });
  await until("the collector listens", () => {
    if (collector.exitCode !== null) throw new Error(said);
    return said.includes("Everything is ready");
  });

  const world = await startWorld(t, {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${endpoint}`,
      OTEL_SERVICE_NAME: "parley-tests",
    },
  });
  const { ask, admin, id } = await world.tenant();
  assert.equal((await ask("createRoom", { name: "Board", roomOwnerId: admin.id })).status, 201);
  await world.parley.stop();
  await until("it has the request", () => said.includes("POST /api/roomSetting"));
  const has = (pattern: RegExp): void => assert.match(said, pattern);
  has(/service\.name: Str\(parley-tests\)/);
  has(/Name +: POST \/api\/roomSetting\n +Kind +: Server/);
  has(/parley\.operation: Str\(createRoom\)/);
  has(/http\.response\.status_code: Int\(201\)/);
  has(new RegExp(`parley\\.organization\\.id: Str\\(${id}\\)`));
  has(/Name +: change\n +Kind +: Client/);
  assert.ok(!said.includes("Board"));
  assert.ok(!world.log.some((line) => line.includes("The collector takes no traces")));
});
