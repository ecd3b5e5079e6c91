import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { qualities } from "../../contract/meetings/meetings.ts";
import { endReasons } from "../../contract/meetings/socket.ts";
import { recordingErrors } from "../../contract/recordings/record.ts";

const letterResults = ["sent", "refused", "failed", "held", "unreachable"];
const mediaResults = [
  "connected",
  "ticket_ended",
  "too_many",
  "engine_away",
  "unreadable",
  "fault",
];

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Makes every metric of the service. What is of the whole installation is the same in every process.
 *
 * @param withExemplars whether requests name their trace
 */
export const makeMetrics = (registry: Registry, withExemplars: boolean) => {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name: `parley_${name}`, help, labelNames, registers });
  /** A counter by one label; what it is known to count begins with 0, so that its first event is an increase. */
  const counter = <L extends string>(
    name: string,
    help: string,
    label: L,
    known: readonly (string | number)[],
  ) => {
    const made = new Counter<L>({
      name: `parley_${name}_total`,
      help: `${help}: ${known.join(", ")}.`,
      labelNames: [label],
      registers,
    });
    for (const value of known) made.inc({ [label]: value } as Record<L, string | number>, 0);
    return made;
  };
  const histogram = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram<L>({ name: `parley_${name}`, help, labelNames, buckets: SECONDS, registers });

  const made = {
    build: gauge("build_info", "1, with the version that runs.", "version"),
    requests: new Histogram<"operation" | "status">({
      name: "parley_request_seconds",
      help: "Time from a request to its answer, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: SECONDS,
      registers,
      ...(withExemplars && { enableExemplars: true }),
    }),
    failures: new Counter<"operation" | "code">({
      name: "parley_request_failures_total",
      help: "Requests that failed, by operation and code of the failure.",
      labelNames: ["operation", "code"],
      registers,
    }),
    hashing: gauge(
      "hashing",
      "Passwords that are hashed just now (running), and that wait for it (waiting).",
      "state",
    ),
    connections: gauge(
      "database_connections",
      "Connections to PostgreSQL: open, idle, and requests that wait for one (SQLite: none).",
      "state",
    ),
    changes: histogram(
      "change_seconds",
      "Parts of changes: wait for their turn, work, commit.",
      "part",
    ),
    locks: histogram("change_lock_seconds", "How long changes wait for their organization's row."),
    meetings: gauge("meetings", "Meetings of the whole installation with somebody inside."),
    people: gauge(
      "meeting_people",
      "People in meetings of the whole installation: inside, by what their page says of the connection (good, fair, poor, unknown), away, waiting.",
      "state",
    ),
    qualities: counter(
      "meeting_quality_reports",
      "Changes of the quality of connections, as pages report them",
      "quality",
      qualities,
    ),
    ratings: counter(
      "meeting_ratings",
      "Ratings of connections, in stars",
      "stars",
      [1, 2, 3, 4, 5],
    ),
    joins: counter(
      "joins",
      "Joins, by how they end; any other result is the code of the refusal",
      "result",
      ["entered", "waiting", "seats_full"],
    ),
    ends: counter(
      "seats_ended",
      "Seats of people that have ended, by the reason",
      "reason",
      endReasons,
    ),
    media: counter(
      "media_connections",
      "Connections to the media engine: made, or why not",
      "result",
      mediaResults,
    ),
    recorders: gauge(
      "recorders",
      "How many recordings, live streams and transcriptions the whole installation can make at once.",
    ),
    captures: gauge(
      "captures",
      "Recordings, live streams and transcriptions of the whole installation: running, waiting.",
      "state",
    ),
    capturesOldest: gauge(
      "captures_oldest_seconds",
      "How long the first of them has waited for a recorder.",
    ),
    recordings: counter(
      "recordings",
      "Recordings that have ended: as intended, or why not",
      "result",
      ["ready", ...recordingErrors],
    ),
    letters: gauge("letters", "Emails in the queue: waiting, refused.", "state"),
    lettersOldest: gauge("letters_oldest_seconds", "Age of the oldest email that waits."),
    letterTries: counter("letter_tries", "Tries at emails", "result", letterResults),
    deliveries: gauge("webhook_deliveries", "Deliveries of webhooks that wait."),
    deliveriesOldest: gauge(
      "webhook_deliveries_oldest_seconds",
      "Age of the oldest delivery of a webhook that waits.",
    ),
    webhooksFailed: gauge(
      "webhooks_failed",
      "Webhooks that were switched off because nothing was accepted.",
    ),
    deliveryTries: counter("webhook_tries", "Tries at deliveries of webhooks", "result", [
      "delivered",
      "postponed",
      "given_up",
    ]),
    imports: gauge("imports", "Imports that are checked or carried out."),
    importsOldest: gauge("imports_oldest_seconds", "Age of the oldest of these imports."),
    certificate: gauge(
      "certificate_valid_to_timestamp_seconds",
      "When the certificate that is served ends; absent without TLS_CERT.",
    ),
  };
  collectDefaultMetrics({ register: registry, prefix: "parley_" });
  return made;
};

/** The description of a metric, for its table in docs/metrics.md. */
export interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Every metric of a registry, as it was made. */
export const describeMetrics = (registry: Registry): DescribedMetric[] =>
  registry.getMetricsAsArray().map((metric) => {
    const { name, help, type, labelNames } = metric as unknown as {
      readonly name: string;
      readonly help: string;
      readonly type: string;
      readonly labelNames: readonly string[];
    };
    return { name, help, type: String(type), labels: labelNames };
  });
