// Runs: sqlite-first, alone
// Alone: what is counted is counted of the whole process.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { metricsTable } from "../../packaging/metrics.ts";
import { HOUR_MS } from "../../server/lib/durations.ts";
import { outcome } from "../cli/run.ts";
import { openSocket } from "../meetings/inside.ts";
import { startWorld } from "../world/world.ts";
import { startCollector } from "./collector.ts";
import { scrape } from "./scrape.ts";

const METRICS_TOKEN = "a-token-for-metrics";
const OPEN = "application/openmetrics-text;version=1.0.0";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const collector = await startCollector(test);
const world = await startWorld(test, {
  environment: { METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
});
const take = (accept?: string) => scrape(world.url, METRICS_TOKEN, accept);

test("requests, joins and meetings are counted, and the overview says the same", async (t) => {
  const { ask, admin } = await world.tenant();
  const made = await ask("createRoom", { name: "Board", roomOwnerId: admin.id });
  const { room } = made.body.roomSetting;
  assert.equal((await ask("createRoom", { name: "", roomOwnerId: admin.id })).status, 400);
  const { body: joined } = await ask("joinRoom", { roomId: room, peerName: "Gus" });
  const socket = await openSocket(t, world.url, joined);
  await socket.sees("themselves", ({ you }) => you.peerId === joined.peer.peerId);
  assert.equal(await socket.do("quality", { level: "poor" }), "ok");
  assert.equal((await ask("joinRoom", { roomId: "no-such-room", peerName: "Gus" })).status, 404);

  const { samples } = await take();
  const valueOfOnly = (name: string, labels: Readonly<Record<string, string>> = {}): number => {
    const found = samples.filter(
      (one) =>
        one.name === `parley_${name}` &&
        Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    );
    assert.equal(found.length, 1, `${name} ${JSON.stringify(labels)}: ${found.length}`);
    return found[0]?.value ?? Number.NaN;
  };
  const operation = "createRoom";
  assert.equal(valueOfOnly("request_seconds_count", { operation, status: "201" }), 1);
  assert.equal(valueOfOnly("request_failures_total", { operation, code: "invalid_input" }), 1);
  assert.equal(valueOfOnly("joins_total", { result: "entered" }), 1);
  assert.equal(valueOfOnly("joins_total", { result: "room_not_found" }), 1);
  assert.equal(valueOfOnly("meeting_quality_reports_total", { quality: "poor" }), 1);
  assert.equal(valueOfOnly("meeting_people", { state: "poor" }), 1);
  assert.ok(valueOfOnly("change_seconds_count", { part: "commit" }) >= 2);
  assert.ok(valueOfOnly("change_lock_seconds_count") >= 2);
  const { organization } = (await ask("getOrganization", {})).body;
  assert.equal(valueOfOnly("meetings"), organization.meetings.running);
  assert.equal(valueOfOnly("meeting_people", { state: "poor" }), organization.meetings.inside);
  assert.equal(valueOfOnly("letters", { state: "waiting" }), organization.letters.waiting);
  socket.cut();
});

test("doctor reads the same queues", async () => {
  const { ask } = await world.tenant();
  const person = { name: "Ann", email: "ann@example.org", loginUrl: "https://meet.example.org/" };
  assert.equal((await ask("createUser", person)).status, 201);
  const [age, due] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  // With another claim, so that the postman who may have it marks nothing.
  const late = { state: "waiting", content: "", attempts: 9 } as const;
  await world.database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ ...late, created_at: age ?? "", due_at: due ?? "" })
      .execute(),
  );
  const { samples } = await take();
  const oldest = samples.find(({ name }) => name === "parley_letters_oldest_seconds");
  assert.ok(Math.abs((oldest?.value ?? 0) - HOUR_MS / 1000) < 60, `${oldest?.value}`);
  const { out } = await outcome({ ...world.environment, RECORDERS: "0" }, "doctor");
  const { checks } = JSON.parse(out);
  const found = checks.find(({ name }: { readonly name: string }) => name === "emails")?.found;
  assert.match(found, /^1 waiting, the oldest for 60 min\.$/);
});

test("a scraper that asks for OpenMetrics gets exemplars, and another one the same names as before", async () => {
  const { ask } = await world.tenant();
  assert.equal((await ask("listRooms", {})).status, 200);
  const before = await take();
  const [open, plain] = await Promise.all([take(OPEN), take()]);
  assert.match(open.type, /^application\/openmetrics-text; version=1\.0\.0/);
  assert.ok(open.text.endsWith("# EOF\n"));
  const traces = open.samples.flatMap(({ labels, trace }) =>
    labels.operation === "listRooms" && trace !== undefined ? [trace] : [],
  );
  assert.equal(traces.length, 1);
  await collector.waitFor("its trace", ({ traceId }) => traceId === traces[0]);
  assert.match(plain.type, /^text\/plain; version=0\.0\.4/);
  for (const one of [plain, await take()]) {
    assert.deepEqual([...one.types], [...before.types]);
    assert.ok(one.samples.every(({ trace }) => trace === undefined));
  }
});

test("docs/metrics.md has every metric that a service exposes", async () => {
  const table = metricsTable();
  assert.ok(read("docs/metrics.md").includes(table), "npm run reference writes it");
  const { types, samples } = await take();
  const documented = new Map(
    table.split("\n").flatMap((row) => {
      const [, name = "", labels = ""] = /^\| `(\w+)` \| \w+ \| (.*?) \|/.exec(row) ?? [];
      return name === "" ? [] : [[name, [...labels.matchAll(/`(\w+)`/g)].map(([, one]) => one)]];
    }),
  );
  // The one about a certificate is exposed only by a service that has one.
  const exposed = [...types.keys(), "parley_certificate_valid_to_timestamp_seconds"];
  assert.deepEqual(exposed.toSorted(), [...documented.keys()].toSorted());
  for (const { name, labels } of samples) {
    const metric = name.replace(/_(bucket|sum|count)$/, "");
    const known = documented.get(types.has(name) ? name : metric) ?? assert.fail(name);
    for (const label of Object.keys(labels)) {
      assert.ok(label === "le" || known.includes(label), `${name}: ${label}`);
    }
  }
});

/** The metrics that an expression names, each with the labels that it asks for there. */
const namedIn = (expression: string) =>
  [...expression.matchAll(/\b((?:parley|up|job|instance)\w*)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = "", selector = ""]) =>
      name.startsWith("parley_")
        ? [{ name, labels: [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, one = ""]) => one) }]
        : [],
  );

/** The labels by which an expression groups. */
const groupsIn = (expression: string): string[] =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));

/** Labels that Prometheus adds to everything it scrapes. */
const ADDED = ["job", "instance", "le"];

test("every metric and label in the dashboard and the alerts is one that a service exposes", async () => {
  const { types, samples } = await take();
  const labelsOf = (name: string): Set<string> =>
    new Set(samples.flatMap((one) => (one.name === name ? Object.keys(one.labels) : [])));
  const dashboard = JSON.parse(read("deploy/observability/parley-dashboard.json"));
  const variables = dashboard.templating.list.map(({ name }: { readonly name: string }) => name);
  const ofPanels: string[] = dashboard.panels.flatMap(
    ({ targets = [] }: { readonly targets?: readonly { readonly expr: string }[] }) =>
      targets.map(({ expr }) => expr),
  );
  const alerts = read("deploy/observability/alerts.yml");
  const ofAlerts = alerts
    .split(/^ +- alert: /m)
    .slice(1)
    .map((alert) => /expr: ([\s\S]*?)\n +(?:for|labels):/.exec(alert)?.[1] ?? assert.fail(alert));
  assert.ok(ofPanels.length > 40 && ofAlerts.length > 12);
  for (const expression of [...ofPanels, ...ofAlerts]) {
    for (const [, variable] of expression.matchAll(/\$(\w+)/g)) {
      assert.ok([...variables, "__rate_interval"].includes(variable), expression);
    }
    const named = namedIn(expression);
    if (!expression.startsWith("up{")) assert.ok(named.length > 0, expression);
    for (const { name, labels } of named) {
      if (name.startsWith("parley_certificate_")) continue;
      const isThere = types.has(name) || types.has(name.replace(/_(bucket|sum|count)$/, ""));
      assert.ok(isThere, `${name} in ${expression}`);
      // SQLite has no connections.
      if (name === "parley_database_connections") continue;
      const known = [...labelsOf(name), ...ADDED];
      for (const label of [...labels, ...groupsIn(expression)]) {
        const isOther = named.some((other) => labelsOf(other.name).has(label));
        assert.ok(known.includes(label) || isOther, `${name}: ${label} in ${expression}`);
      }
    }
  }
});
