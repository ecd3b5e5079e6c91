import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { Refusal } from "./refusal.ts";
import type { Attributes, SpanOptions, TracePlace, Tracer } from "./traced.ts";
import type { Log } from "./worker.ts";

/*
 * Traces by OpenTelemetry. Only this file knows its packages, and only a service with a collector loads them.
 * Nothing is registered globally: what runs is in a span by this tracer alone.
 */

/** Where traces go, and which of them. */
export interface TracingConfig {
  /** The address that takes traces by OTLP. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly sampler: `${"" | "parentbased_"}${"always_on" | "always_off" | "traceidratio"}`;
  /** The share of traces that is kept by a sampler that decides by the trace's ID. */
  readonly share: number;
  /** The attributes of this process, on every span. */
  readonly resource: Readonly<Record<string, string>>;
}

/** How long an ending service waits for the collector to take its last spans. */
const LAST_MS = 3_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const ACCEPTED = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The place that a `traceparent` names; undefined where it names none. */
const contextAt = (place: TracePlace | null | undefined): SpanContext | undefined => {
  const [, traceId, spanId, flags] = ACCEPTED.exec(place ?? "") ?? [];
  if (place?.startsWith("ff") || traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? "0", 16) & 1, isRemote: true };
};

/** Says of a span that it failed, without the text of the error, which may name people and rooms. */
const fail = (span: Span, error: unknown): void => {
  if (error instanceof Refusal) {
    span.setAttribute("error.type", error.code);
    return;
  }
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  span.setAttribute("error.type", String(code ?? name ?? "unknown"));
  span.setStatus({ code: SpanStatusCode.ERROR });
};

const openTracer = (otel: OtelTracer): Tracer => {
  const current = new AsyncLocalStorage<Span>();

  const start = (name: string, { kind, attributes, parent, cause }: SpanOptions): Span => {
    const running = current.getStore();
    const remote = contextAt(parent);
    const from: Context = remote
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : running && cause === undefined
        ? trace.setSpan(ROOT_CONTEXT, running)
        : ROOT_CONTEXT;
    const linked = contextAt(cause);
    return otel.startSpan(
      name,
      {
        ...(kind && { kind: kinds[kind] }),
        ...(attributes && { attributes }),
        ...(linked && { links: [{ context: linked }] }),
      },
      from,
    );
  };

  return {
    span: (name, options, work) => {
      const span = start(name, options);
      return current.run(span, async () => {
        try {
          return await work();
        } catch (error) {
          fail(span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    begin(name, options, next) {
      const span = start(name, options);
      current.run(span, next);
      return (attributes: Attributes) => {
        span.setAttributes(attributes);
        const isFault = Number(attributes["http.response.status_code"]) >= 500;
        if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    bind(work) {
      const span = current.getStore();
      return span === undefined ? work : (...args) => current.run(span, () => work(...args));
    },
    add: (attributes) => void current.getStore()?.setAttributes(attributes),
    event: (name) => void current.getStore()?.addEvent(name),
    place() {
      const at = current.getStore()?.spanContext();
      const isKept = at !== undefined && (at.traceFlags & TraceFlags.SAMPLED) !== 0;
      return isKept ? `00-${at.traceId}-${at.spanId}-01` : undefined;
    },
  };
};

const samplerOf = ({ sampler, share }: TracingConfig): Sampler => {
  const name = sampler.replace("parentbased_", "");
  const root =
    name === "always_on"
      ? new AlwaysOnSampler()
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share);
  return sampler === name ? root : new ParentBasedSampler({ root });
};

/** Logs once that the collector takes no spans, and once that it takes them again. */
const watchedBy = (log: Log, exporter: SpanExporter): SpanExporter => {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isAway) {
          log.warn(
            { error: result.error?.message },
            "The collector takes no traces: they are lost.",
          );
        } else if (!fails && isAway) log.info({}, "The collector takes traces again.");
        isAway = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
};

/** Sends spans to a collector. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left, in bounded time. */
  stop(): Promise<void>;
}

/** Opens a tracer that sends its spans to a collector by OTLP. */
export const openTracing = (
  config: TracingConfig,
  {
    version,
    processId,
    log,
  }: { readonly version: string; readonly processId: string; readonly log: Log },
): Tracing => {
  const { url, headers, timeoutMs: timeoutMillis } = config;
  const exporter = watchedBy(log, new OTLPTraceExporter({ url, headers, timeoutMillis }));
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: resourceFromAttributes({
      "service.version": version,
      "service.instance.id": processId,
      ...config.resource,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    tracer: openTracer(provider.getTracer("parley", version)),
    async stop() {
      const enough = new AbortController();
      const late = sleep(LAST_MS, undefined, { signal: enough.signal }).catch(() => {});
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      enough.abort();
    },
  };
};
