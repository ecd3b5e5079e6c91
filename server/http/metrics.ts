import type { FastifyInstance } from "fastify";
import { Registry, type RegistryContentType } from "prom-client";
import packageJson from "../../package.json" with { type: "json" };
import { hashingLoad } from "../access/passwords.ts";
import { newBudget, within } from "../db/deadline.ts";
import type { Database } from "../db/open.ts";
import { digestOf, hasDigest } from "../lib/digest.ts";
import { type Counter, countEvents } from "../lib/measured.ts";
import { refuse } from "../lib/refusal.ts";
import { isTraced, spanIds } from "../lib/traced.ts";
import { type InstallationFacts, installationFacts } from "../organizations/facts.ts";
import type { Served } from "./certificate.ts";
import { makeMetrics } from "./metric-list.ts";

type Made = ReturnType<typeof makeMetrics>;

/** Counts what happens in this process. */
const counterOf = (made: Made): Counter => {
  const by: { readonly [K in Parameters<Counter>[0]]: (value: never) => void } = {
    change: ({
      waitMs,
      workMs,
      commitMs,
    }: {
      waitMs: number;
      workMs: number;
      commitMs: number;
    }) => {
      made.changes.observe({ part: "wait" }, waitMs / 1000);
      made.changes.observe({ part: "work" }, workMs / 1000);
      made.changes.observe({ part: "commit" }, commitMs / 1000);
    },
    lock: (ms: number) => made.locks.observe(ms / 1000),
    failure: (labels: { operation: string; code: string }) => made.failures.inc(labels),
    join: (result: string) => made.joins.inc({ result }),
    media: (result: string) => made.media.inc({ result }),
    quality: (quality: string) => made.qualities.inc({ quality }),
    rating: (stars: number) => made.ratings.inc({ stars }),
    end: (reason: string) => made.ends.inc({ reason }),
    letter: (result: string) => made.letterTries.inc({ result }),
    delivery: (result: string) => made.deliveryTries.inc({ result }),
    recording: (result: string) => made.recordings.inc({ result }),
  };
  return (kind, value) => by[kind](value as never);
};

/** Puts what the database says into the gauges. */
const showFacts = (made: Made, facts: InstallationFacts): void => {
  const { meetings, people, letters, deliveries, imports, captures, recorders } = facts;
  made.meetings.set(meetings.running);
  for (const [state, number] of Object.entries(people)) made.people.set({ state }, number);
  made.letters.set({ state: "waiting" }, letters.waiting);
  made.letters.set({ state: "refused" }, letters.refused);
  made.lettersOldest.set(letters.oldestSeconds);
  made.deliveries.set(deliveries.waiting);
  made.deliveriesOldest.set(deliveries.oldestSeconds);
  made.webhooksFailed.set(deliveries.failedWebhooks);
  made.imports.set(imports.open);
  made.importsOldest.set(imports.oldestSeconds);
  made.recorders.set(recorders);
  made.captures.set({ state: "running" }, captures.running);
  made.captures.set({ state: "waiting" }, captures.waiting);
  made.capturesOldest.set(captures.oldestSeconds);
};

/** Puts what this process knows into the gauges. */
const showProcess = (made: Made, database: Database, served: Served | undefined): void => {
  const { running, waiting } = hashingLoad();
  made.hashing.set({ state: "running" }, running);
  made.hashing.set({ state: "waiting" }, waiting);
  for (const [state, number] of Object.entries(database.load())) {
    made.connections.set({ state }, number);
  }
  if (served) made.certificate.set(served.certificate().own.validToDate.getTime() / 1000);
};

/** The types of prom-client allow a registry one form only. */
const writeAs = (registry: Registry, type: RegistryContentType): void =>
  (registry as Registry<RegistryContentType>).setContentType(type);

/**
 * Opens a writer of metrics as text. prom-client makes counters nameless while it writes OpenMetrics, so one
 * text is written at a time, and their names are put back.
 */
const openWriter = (registry: Registry) => {
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (
    isOpen: boolean,
  ): Promise<{ readonly type: string; readonly text: string }> => {
    const type = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
    const metrics = registry.getMetricsAsArray() as unknown as { name: string }[];
    const names = metrics.map(({ name }) => name);
    writeAs(registry, type);
    try {
      return { type, text: await registry.metrics() };
    } finally {
      metrics.forEach((metric, at) => {
        metric.name = names[at] ?? metric.name;
      });
    }
  };
  return (isOpen: boolean): ReturnType<typeof write> => {
    const written = writing.then(() => write(isOpen));
    writing = written.catch(() => {});
    return written;
  };
};

/**
 * `GET /metrics` for Prometheus, with its own token, as text or as OpenMetrics. Without METRICS_TOKEN the address does not
 * exist.
 */
export const serveMetrics = (
  app: FastifyInstance,
  database: Database,
  metricsToken: string,
  served: Served | undefined,
): void => {
  const registry = new Registry();
  const withExemplars = isTraced();
  // prom-client makes metrics with exemplars only in a registry that can write them.
  if (withExemplars) writeAs(registry, Registry.OPENMETRICS_CONTENT_TYPE);
  const made = makeMetrics(registry, withExemplars);
  made.build.set({ version: packageJson.version }, 1);
  if (!served) registry.removeSingleMetric("parley_certificate_valid_to_timestamp_seconds");
  const end = countEvents(counterOf(made));
  app.addHook("onClose", async () => end());

  app.addHook("onResponse", async (request, reply) => {
    const operation = request.routeOptions.config.operation?.id ?? "none";
    const labels = { operation, status: reply.statusCode };
    const value = reply.elapsedTime / 1000;
    // The types of prom-client take the labels of an exemplar for those of the metric.
    const exemplarLabels: object = spanIds() ?? {};
    if (withExemplars) made.requests.observe({ labels, value, exemplarLabels });
    else made.requests.observe(labels, value);
  });

  const write = openWriter(registry);
  app.get("/metrics", async (request, reply) => {
    const given = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!hasDigest(given, digestOf(metricsToken))) return refuse("unauthorized");
    showFacts(made, await within(newBudget(database), () => installationFacts(database.read)));
    showProcess(made, database, served);
    const isOpen = request.headers.accept?.includes("application/openmetrics-text") ?? false;
    const { type, text } = await write(isOpen);
    return reply.type(type).send(text);
  });
};
