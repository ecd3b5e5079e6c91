import { oneOf, printableCharacters, wholeNumber } from "../../contract/kit/accepted.ts";
import type { TracingConfig } from "../lib/opentelemetry.ts";
import { define, defineOptional, hide, maskUrl, type openReader } from "./setting.ts";

const samplers = [
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
  ...(["always_on", "always_off", "traceidratio"] as const),
];

type Pairs = Readonly<Record<string, string>>;

const parseUrl = (text: string): string | undefined =>
  /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? text : undefined;

const parseShare = (text: string): number | undefined =>
  /^(0(\.\d{1,9})?|1(\.0{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : undefined;

/** Pairs in the form of W3C Baggage, as OpenTelemetry writes headers and attributes. */
const parsePairs = (text: string): Pairs | undefined => {
  const pairs = text.split(",").map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = "", value = ""] = pair ?? [];
        if (name === "") throw new URIError();
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    return undefined;
  }
};

const PAIRS = "name=value pairs, joined by commas; percent-encode commas, spaces and % in values";

export const tracingSettings = {
  otlpEndpoint: defineOptional({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    unset: "none: nothing is traced",
    meaning:
      "A collector of OpenTelemetry that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318; /v1/traces is added.",
    accepted: "an http or https URL",
    mask: maskUrl,
    parse: parseUrl,
  }),
  otlpTracesEndpoint: defineOptional({
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    unset: "OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces",
    meaning: "The collector's whole address for traces, where it has another path.",
    accepted: "an http or https URL",
    mask: maskUrl,
    parse: parseUrl,
  }),
  otlpHeaders: defineOptional({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    unset: "none",
    meaning: "Headers for the collector, such as authorization=Bearer%20TOKEN.",
    accepted: PAIRS,
    mask: hide,
    parse: parsePairs,
  }),
  otlpProtocol: define({
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    default: "http/protobuf",
    meaning: "How traces are sent. Collectors take this on port 4318; gRPC is not spoken.",
    ...oneOf(["http/protobuf"]),
  }),
  otlpTimeout: define({
    name: "OTEL_EXPORTER_OTLP_TIMEOUT",
    default: "10000",
    meaning: "How long the collector may take for one batch of spans, in milliseconds.",
    ...wholeNumber({ from: 1, to: 60_000, unit: "milliseconds" }),
  }),
  otelServiceName: define({
    name: "OTEL_SERVICE_NAME",
    default: "parley",
    meaning: "What this installation is called in traces, and in logs with LOG_FORMAT=ecs.",
    ...printableCharacters({ from: 1, to: 100 }),
  }),
  otelResourceAttributes: defineOptional({
    name: "OTEL_RESOURCE_ATTRIBUTES",
    unset: "none",
    meaning:
      "What every trace says of this process, such as deployment.environment.name=production.",
    accepted: PAIRS,
    parse: parsePairs,
  }),
  otelSampler: define({
    name: "OTEL_TRACES_SAMPLER",
    default: "parentbased_always_on",
    meaning:
      "Which traces are kept. With parentbased_ a request's traceparent decides, also a stranger's.",
    ...oneOf(samplers),
  }),
  otelSamplerShare: define({
    name: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    meaning: "The share of traces that is kept with traceidratio.",
    accepted: "a share such as 0.05 or 1",
    parse: parseShare,
  }),
  otelDisabled: define({
    name: "OTEL_SDK_DISABLED",
    default: "false",
    meaning: "true: nothing is traced, whatever else is set.",
    ...oneOf(["true", "false"]),
  }),
};

/** Reads the settings of traces; undefined if nothing is traced. */
export const readTracing = ({
  value,
  optional,
}: ReturnType<typeof openReader>): TracingConfig | undefined => {
  const base = optional(tracingSettings.otlpEndpoint);
  const own = optional(tracingSettings.otlpTracesEndpoint);
  const url = own ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  const config = {
    headers: optional(tracingSettings.otlpHeaders) ?? {},
    timeoutMs: value(tracingSettings.otlpTimeout),
    sampler: value(tracingSettings.otelSampler),
    share: value(tracingSettings.otelSamplerShare),
    resource: {
      "service.name": value(tracingSettings.otelServiceName),
      ...optional(tracingSettings.otelResourceAttributes),
    },
  };
  value(tracingSettings.otlpProtocol);
  return url === undefined || value(tracingSettings.otelDisabled) === "true"
    ? undefined
    : { url, ...config };
};
