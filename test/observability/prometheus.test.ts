// Runs: sqlite, alone, complete
// Alone: what is counted is counted of the whole process.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { unpacked } from "../run/unpacked.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startProgram } from "../world/program.ts";
import { startWorld } from "../world/world.ts";
import { startCollector } from "./collector.ts";

const METRICS_TOKEN = "a-token-for-metrics";
const prometheus = unpacked("prometheus", "usr/bin/prometheus");
const promtoolPath = prometheus && unpacked("prometheus", "usr/bin/promtool");
const skip = promtoolPath ? false : "Debian's package of Prometheus cannot be had";

test("Prometheus takes the alerts, which fire when they should; scrapes a service as docs/operating.md says; and answers every query of the dashboard", {
  skip,
}, async (t) => {
  assert.ok(prometheus && promtoolPath);
  const folder = mkdtempSync(join(tmpdir(), "parley-prometheus-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of ["alerts.yml", "alerts.test.yml"]) {
    cpSync(join(root, "deploy/observability", file), join(folder, file));
  }
  const promtool = (...args: string[]): string =>
    execFileSync(promtoolPath, args, { cwd: folder, encoding: "utf8" });
  assert.match(promtool("check", "rules", "alerts.yml"), /SUCCESS: \d+ rules found/);
  assert.match(promtool("test", "rules", "alerts.test.yml"), /SUCCESS/);

  const collector = await startCollector(t);
  const world = await startWorld(t, {
    environment: { METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { ask } = await world.tenant();
  await ask("listRooms", {});
  const manual = readFileSync(join(root, "docs/operating.md"), "utf8");
  const sample = /```yaml\n(rule_files:[\s\S]*?)```/.exec(manual)?.[1] ?? assert.fail("no sample");
  const token = join(folder, "token");
  writeFileSync(token, METRICS_TOKEN);
  const config = sample
    .replace("/etc/prometheus/parley-token", token)
    .replace("127.0.0.1:3000", new URL(world.url).host);
  writeFileSync(join(folder, "prometheus.yml"), `global: { scrape_interval: 1s }\n${config}`);
  promtool("check", "config", "prometheus.yml");
  const address = `127.0.0.1:${await freePort()}`;
  const words = [
    ...["--config.file=prometheus.yml", `--storage.tsdb.path=${join(folder, "data")}`],
    ...[`--web.listen-address=${address}`, "--enable-feature=exemplar-storage"],
  ];
  const server = startProgram(t, prometheus, words, { cwd: folder });

  const query = (path: string) =>
    // It says in words that it is not there, or not yet.
    fetch(`http://${address}/api/v1/${path}`)
      .then((answer) => answer.json())
      .catch(() => undefined) as Promise<
      | {
          readonly status: string;
          readonly error?: string;
          // biome-ignore lint/suspicious/noExplicitAny: the answers of several operations
          readonly data: any;
        }
      | undefined
    >;
  await until("the service is scraped", async () => {
    server.check();
    const found = await query(`query?query=${encodeURIComponent('up{job="parley"}')}`);
    return found?.data?.result[0]?.value[1] === "1";
  });
  const dashboard = JSON.parse(
    readFileSync(join(root, "deploy/observability/parley-dashboard.json"), "utf8"),
  );
  for (const { title, targets = [] } of dashboard.panels) {
    for (const { expr } of targets) {
      const asked = expr
        .replaceAll("$job", "parley")
        .replaceAll("$instance", ".*")
        .replaceAll("$operation", ".*")
        .replaceAll("$__rate_interval", "5m");
      const answer = await query(`query?query=${encodeURIComponent(asked)}`);
      assert.equal(answer?.status, "success", `${title}: ${asked}: ${answer?.error}`);
    }
  }
  await until("exemplars have arrived", async () => {
    const asked = "parley_request_seconds_bucket&start=0&end=9999999999";
    const found = await query(`query_exemplars?query=${asked}`);
    const [first] = found?.data?.[0]?.exemplars ?? [];
    return /^[\da-f]{32}$/.test(first?.labels.trace_id ?? "");
  });
});
