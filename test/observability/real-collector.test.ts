// Runs: sqlite, complete, alone, unsteady
// Alone: the tracer is one of the process.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stringify } from "yaml";
import { otelCollector } from "../deploy/tools.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startProgram } from "../world/program.ts";
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
  const collector = startProgram(t, program.path, ["--config", file]);
  await until("the collector listens", () => {
    collector.check();
    return collector.said().includes("Everything is ready");
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
  await until("it has the request", () => collector.said().includes("POST /api/roomSetting"));
  const has = (pattern: RegExp): void => assert.match(collector.said(), pattern);
  has(/service\.name: Str\(parley-tests\)/);
  has(/Name +: POST \/api\/roomSetting\n +Kind +: Server/);
  has(/parley\.operation: Str\(createRoom\)/);
  has(/http\.response\.status_code: Int\(201\)/);
  has(new RegExp(`parley\\.organization\\.id: Str\\(${id}\\)`));
  has(/Name +: change\n +Kind +: Client/);
  assert.ok(!collector.said().includes("Board"));
  assert.ok(!world.log.some((line) => line.includes("The collector takes no traces")));
});
