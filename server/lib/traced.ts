/*
 * Tells a tracer what the service does, if it has one (opentelemetry.ts). Without one, a span costs a look at a
 * variable, and nothing of OpenTelemetry is loaded.
 */

/** The attributes of a span: IDs, Parley's own names, and numbers; no secret, address, or words of people. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A place in a trace, as the header `traceparent` names it (W3C Trace Context). */
export type TracePlace = string;

/** The kind of a span, beside its name. */
export interface SpanOptions {
  /** `server`: a request; `client`: a call of something else; `consumer`: work that waited in a queue. */
  readonly kind?: "server" | "client" | "consumer";
  readonly attributes?: Attributes;
  /** Where the caller's trace is. Omitted: the span belongs to the one that runs. */
  readonly parent?: TracePlace | undefined;
  /** The cause, in a trace of its own: the span begins another trace. */
  readonly cause?: TracePlace | null;
}

/** Makes spans of what happens. */
export interface Tracer {
  /** Runs work in a span. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Begins a span, and runs what comes next in it. @returns ends it */
  begin(name: string, options: SpanOptions, next: () => void): (attributes: Attributes) => void;
  /** A function that always runs in the current span, from wherever it is called. */
  bind<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T;
  /** Adds to the span that runs. */
  add(attributes: Attributes): void;
  /** Notes a moment of the span that runs. */
  event(name: string): void;
  /** Where the span that runs is; undefined without one, or if it is not kept. */
  place(): TracePlace | undefined;
}

let tracer: Tracer | undefined;

/** Sends spans to this tracer from now on; undefined: to none. */
export const useTracer = (one: Tracer | undefined): void => {
  tracer = one;
};

/** Returns whether there is a tracer. */
export const isTraced = (): boolean => tracer !== undefined;

/** Runs work in a span. */
export const traced = <T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> => (tracer === undefined ? work() : tracer.span(name, options, work));

/** Begins a span, and runs what comes next in it. @returns ends it */
export const beginSpan: Tracer["begin"] = (name, options, next) => {
  if (tracer !== undefined) return tracer.begin(name, options, next);
  next();
  return () => {};
};

/** A function that always runs in the current span, from wherever it is called. */
export const inThisSpan = <Args extends readonly unknown[], T>(
  work: (...args: Args) => T,
): ((...args: Args) => T) => (tracer === undefined ? work : tracer.bind(work));

/** Adds to the span that runs. */
export const addToSpan = (attributes: Attributes): void => tracer?.add(attributes);

/** Notes a moment of the span that runs. */
export const noteInSpan = (name: string): void => tracer?.event(name);

/** Where the span that runs is; undefined without one, or if it is not kept. */
export const tracePlace = (): TracePlace | undefined => tracer?.place();

/** The span that runs, as log lines and exemplars name it; undefined as for `tracePlace`. */
export const spanIds = (): { readonly trace_id: string; readonly span_id: string } | undefined => {
  const [, trace_id, span_id] = tracePlace()?.split("-") ?? [];
  return trace_id === undefined || span_id === undefined ? undefined : { trace_id, span_id };
};
