import assert from "node:assert/strict";

/** One line of a service's metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The trace of an exemplar; undefined without one. */
  readonly trace: string | undefined;
}

/** The metrics that a service exposes. */
export interface Scrape {
  readonly type: string;
  readonly text: string;
  /** The name of each metric with its type. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

const LINE =
  /^([a-z_\d]+)(?:\{(.*?)\})? (\S+)(?: # \{trace_id="([\da-f]{32})",span_id="[\da-f]{16}"\} \S+ \S+)?$/;

const sampleOf = (line: string): Sample => {
  const [, name = "", labels = "", value, trace] = LINE.exec(line) ?? assert.fail(line);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key = "", text = ""]) => [key, text])),
    value: Number(value?.replace("Nan", "NaN")),
    trace,
  };
};

/** Reads the metrics of a service, as Prometheus does. @param accept what it asks for */
export const scrape = async (
  url: string,
  token: string,
  accept = "text/plain",
): Promise<Scrape> => {
  const headers = { authorization: `Bearer ${token}`, accept };
  const response = await fetch(`${url}/metrics`, { headers });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const lines = text.split("\n").filter((line) => line !== "");
  const types = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name === undefined || type === undefined ? [] : [[name, type] as const];
  });
  return {
    type: response.headers.get("content-type") ?? "",
    text,
    types: new Map(types),
    samples: lines.filter((line) => !line.startsWith("#")).map(sampleOf),
  };
};
