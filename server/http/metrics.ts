import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { hashingLoad } from "../access/passwords.ts";
import { newBudget, within } from "../db/deadline.ts";
import type { Database } from "../db/open.ts";
import { digestOf, hasDigest } from "../lib/digest.ts";
import { refuse } from "../lib/refusal.ts";
import { outboxState } from "../mail/outbox.ts";
import { deliveryState } from "../webhooks/deliveries.ts";
import type { Served } from "./certificate.ts";

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * `GET /metrics` for Prometheus, with its own token. Without METRICS_TOKEN the address does not
 * exist.
 */
export const serveMetrics = (
  app: FastifyInstance,
  database: Database,
  metricsToken: string,
  served: Served | undefined,
): void => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "parley_" });
  const registers = [registry];

  const durations = new Histogram({
    name: "parley_request_seconds",
    help: "Time from a request to its answer, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: SECONDS,
    registers,
  });
  app.addHook("onResponse", async (request, reply) => {
    const operation = request.routeOptions.config.operation?.id ?? "none";
    durations.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000);
  });

  const hashing = new Gauge({
    name: "parley_hashing",
    help: "Passwords that are hashed just now, and that wait for it.",
    labelNames: ["state"],
    registers,
    collect() {
      const { running, waiting } = hashingLoad();
      this.set({ state: "running" }, running);
      this.set({ state: "waiting" }, waiting);
    },
  });
  const connections = new Gauge({
    name: "parley_database_connections",
    help: "Connections to PostgreSQL, by state (SQLite: none).",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, number] of Object.entries(database.load())) this.set({ state }, number);
    },
  });
  const letters = new Gauge({
    name: "parley_letters",
    help: "Letters in the outbox, by state.",
    labelNames: ["state"],
    registers,
  });
  const oldest = new Gauge({
    name: "parley_letters_oldest_seconds",
    help: "Age of the oldest letter that waits.",
    registers,
  });
  if (served) {
    new Gauge({
      name: "parley_certificate_valid_to_timestamp_seconds",
      help: "When the certificate that is served ends.",
      registers,
      collect() {
        this.set(served.certificate().own.validToDate.getTime() / 1000);
      },
    });
  }
  const deliveries = new Gauge({
    name: "parley_webhook_deliveries",
    help: "Deliveries of webhooks that wait.",
    registers,
  });
  const oldestDelivery = new Gauge({
    name: "parley_webhook_deliveries_oldest_seconds",
    help: "Age of the oldest delivery of a webhook that waits.",
    registers,
  });
  const failedWebhooks = new Gauge({
    name: "parley_webhooks_failed",
    help: "Webhooks that were switched off because nothing was accepted.",
    registers,
  });
  void hashing;
  void connections;

  app.get("/metrics", async (request, reply) => {
    const given = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!hasDigest(given, digestOf(metricsToken))) return refuse("unauthorized");
    const outbox = await within(newBudget(database), () => outboxState(database.read));
    const sent = await within(newBudget(database), () => deliveryState(database.read));
    deliveries.set(sent.waiting);
    oldestDelivery.set(sent.oldestSeconds);
    failedWebhooks.set(sent.failedWebhooks);
    letters.set({ state: "waiting" }, outbox.waiting);
    letters.set({ state: "refused" }, outbox.refused);
    oldest.set(outbox.oldestSeconds);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};
