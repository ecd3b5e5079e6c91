import { type LoggerOptions, stdSerializers } from "pino";
import { spanIds } from "./traced.ts";

export type LogFormat = (typeof logFormats)[number];
export const logFormats = ["json", "ecs"] as const;

/** The version of the Elastic Common Schema whose names `ecs` uses. */
const ECS = "8.17.0";
const NANOSECONDS = 1_000_000;

/** The names in the Elastic Common Schema of fields that Parley's log lines name otherwise. */
const ecsNames: Readonly<Record<string, string>> = {
  requestId: "http.request.id",
  method: "http.request.method",
  status: "http.response.status_code",
  operation: "event.action",
  organization: "organization.id",
  user: "user.id",
  trace_id: "trace.id",
  span_id: "span.id",
};

/** A log line's fields by the names of the Elastic Common Schema; what it has no name for is below `parley`. */
const asEcs = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const line: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const known = ecsNames[name];
    if (known !== undefined) line[known] = value;
    else if (name === "ms") line["event.duration"] = Math.round(Number(value) * NANOSECONDS);
    else if (name === "err" && value instanceof Error) {
      const { type, message, stack } = stdSerializers.err(value);
      Object.assign(line, {
        "error.type": type,
        "error.message": message,
        "error.stack_trace": stack,
      });
    } else own[name] = value;
  }
  return Object.keys(own).length === 0 ? line : { ...line, parley: own };
};

/**
 * How log lines are written: by Parley's own names, or by those of the Elastic Common Schema.
 *
 * @param isTraced whether lines name the span in which they are written
 */
export const lineFormat = (
  format: LogFormat,
  service: { readonly name: string; readonly version: string },
  isTraced: boolean,
): LoggerOptions => {
  // A mixin costs with each line, so only a service that traces has one.
  const traceOf = isTraced ? { mixin: () => spanIds() ?? {} } : {};
  if (format === "json") return { base: null, ...traceOf };
  return {
    ...traceOf,
    base: {
      "ecs.version": ECS,
      "service.name": service.name,
      "service.version": service.version,
    },
    messageKey: "message",
    timestamp: () => `,"@timestamp":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ "log.level": label }), log: asEcs },
  };
};
