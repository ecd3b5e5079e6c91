import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";

type Values = Readonly<Record<string, unknown>>;

/** A span that arrived. */
export interface ArrivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it has none. */
  readonly parentId: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  readonly attributes: Values;
  readonly events: readonly string[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  /** Of the process that sent it. */
  readonly resource: Values;
}

/** A collector of OpenTelemetry that takes traces by OTLP over HTTP, and keeps them. */
export interface Collector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: ArrivedSpan[];
  readonly headers: IncomingHttpHeaders[];
  /** Everything that arrived, byte for byte. */
  readonly bytes: () => string;
  /** The status with which it answers; a test may change it. */
  status: number;
  /** The first span that matches, once there is one. */
  waitFor(what: string, matches: (span: ArrivedSpan) => boolean): Promise<ArrivedSpan>;
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** The fields of a Protocol Buffers message: bytes of fields with a length, numbers of all others. */
const fieldsOf = (message: Buffer): Fields => {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const fixed = (length: 4 | 8): bigint => {
    at += length;
    return length === 8 ? message.readBigUInt64LE(at - 8) : BigInt(message.readUInt32LE(at - 4));
  };
  const bytes = (): Buffer => {
    const length = Number(varint());
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const value = [varint, () => fixed(8), bytes, undefined, undefined, () => fixed(4)][
      tag & 7
    ]?.();
    if (value === undefined) throw new Error(`No type of Protocol Buffers: ${tag & 7}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
};

const messagesIn = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((one) => fieldsOf(one as Buffer));
const textIn = (fields: Fields, number: number): string => String(fields.get(number)?.[0] ?? "");
const hexIn = (fields: Fields, number: number): string =>
  (fields.get(number)?.[0] as Buffer | undefined)?.toString("hex") ?? "";

const attributeOf = (value: Fields | undefined): unknown => {
  const [text, flag, number, double] = [1, 2, 3, 4].map((field) => value?.get(field)?.[0]);
  if (text !== undefined) return String(text);
  if (flag !== undefined) return flag === 1n;
  if (number !== undefined) return Number(number);
  if (double === undefined) throw new Error("an attribute of another kind");
  const bits = Buffer.alloc(8);
  bits.writeBigUInt64LE(double as bigint);
  return bits.readDoubleLE();
};

const attributesIn = (fields: Fields, number: number): Values =>
  Object.fromEntries(
    messagesIn(fields, number).map((pair) => [
      textIn(pair, 1),
      attributeOf(messagesIn(pair, 2)[0]),
    ]),
  );

const kinds = ["internal", "internal", "server", "client", "producer", "consumer"] as const;

/** The spans of an ExportTraceServiceRequest (opentelemetry-proto 1.7). */
const spansIn = (body: Buffer): ArrivedSpan[] =>
  messagesIn(fieldsOf(body), 1).flatMap((group) => {
    const [of] = messagesIn(group, 1);
    const resource = of ? attributesIn(of, 1) : {};
    return messagesIn(group, 2).flatMap((scope) =>
      messagesIn(scope, 2).map((span) => ({
        resource,
        traceId: hexIn(span, 1),
        spanId: hexIn(span, 2),
        parentId: hexIn(span, 4),
        name: textIn(span, 5),
        kind: kinds[Number(span.get(6)?.[0] ?? 0)] ?? "internal",
        attributes: attributesIn(span, 9),
        events: messagesIn(span, 11).map((event) => textIn(event, 2)),
        links: messagesIn(span, 13).map((link) => ({
          traceId: hexIn(link, 1),
          spanId: hexIn(link, 2),
        })),
        isError: messagesIn(span, 15).some((status) => status.get(3)?.[0] === 2n),
      })),
    );
  });

/** Starts a collector on a free port of the loopback address; it stops with the test. */
export const startCollector = async (t: Scope): Promise<Collector> => {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const isTaken = request.url === "/v1/traces" && collector.status === 200;
    if (isTaken) {
      bodies.push(body);
      collector.headers.push(request.headers);
      collector.spans.push(...spansIn(body));
    }
    response.writeHead(isTaken ? 200 : collector.status, {
      "content-type": "application/x-protobuf",
    });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    bytes: () => Buffer.concat(bodies).toString("latin1"),
    status: 200,
    async waitFor(what, matches) {
      await until(what, () => collector.spans.some(matches));
      return collector.spans.find(matches) as ArrivedSpan;
    },
  };
  return collector;
};
