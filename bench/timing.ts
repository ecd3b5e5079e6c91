// `npm run bench:timing`: whether response times reveal more than the answers.
import { Agent, request } from "node:http";
import { requestFor } from "../test/world/ask.ts";
import { type Bench, databases } from "./bench.ts";
import type { DatabaseName } from "./dataset.ts";
import { headersOf } from "./load/plan.ts";
import { mannWhitney } from "./mann-whitney.ts";
import { openBench } from "./open-bench.ts";
import { say } from "./say.ts";
import { median } from "./statistics.ts";
import { makePairs, type Pair } from "./timing-pairs.ts";

const SAMPLES = 300;
/** Warm-up requests, which do not count: code is compiled and caches fill. */
const WARM = 50;
/** A smaller difference of the medians cannot be measured over a network. */
const WITHIN = 0.15;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let asked = 0;

/** Sends one request, each from another address: wrong tries are counted by address. */
const time = (url: string, { operation }: Pair, input: unknown, token: string): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const { method, path, body } = requestFor(operation, input);
    asked += 1;
    const address = `127.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
    const headers = { ...headersOf(token, body), "x-forwarded-for": address };
    const from = performance.now();
    const sent = request(url + path, { agent, method, headers }, (answer) => {
      answer
        .resume()
        .on("end", () => resolve({ ms: performance.now() - from, status: answer.statusCode }))
        .on("error", reject);
    });
    sent.on("error", reject).end(body);
  });

interface Taken {
  readonly ms: number;
  readonly status: number | undefined;
}

const lineOf = (what: string, cells: readonly string[]): string =>
  what.padEnd(30) + cells.map((cell) => cell.padStart(13)).join("");

/** One line: both medians, their ratio, and the probability of such a difference by chance. */
const compare = async (url: string, pair: Pair, token: string): Promise<string> => {
  const times = { there: [] as number[], nowhere: [] as number[] };
  const statuses = new Set<number | undefined>();
  for (let sample = -WARM; sample < SAMPLES; sample += 1) {
    // In random order, so that no kind always follows the other.
    const both = ["there", "nowhere"] as const;
    for (const kind of Math.random() < 0.5 ? both : both.toReversed()) {
      const { ms, status } = await time(url, pair, pair[kind](), token);
      statuses.add(status);
      if (sample >= 0) times[kind].push(ms);
    }
  }
  if (statuses.size !== 1) throw new Error(`${pair.what}: ${[...statuses]}`);
  const [there, nowhere] = [median(times.there), median(times.nowhere)];
  const ratio = there / nowhere;
  const p = mannWhitney(times.there, times.nowhere);
  const isMet = Math.abs(ratio - 1) <= WITHIN;
  const cells = [there.toFixed(3), nowhere.toFixed(3), ratio.toFixed(3), p.toPrecision(2)];
  return lineOf(pair.what, [...cells, isMet ? "yes" : "no"]);
};

const measure = async (bench: Bench, database: DatabaseName): Promise<string[]> => {
  const dataset = await bench.dataset(database, "small");
  const pairs = await makePairs(dataset);
  const environment = { TRUST_PROXY: "loopback", LOG_LEVEL: "warn" };
  const service = await bench.start(dataset, { environment });
  try {
    const lines: string[] = [];
    for (const pair of pairs) {
      say(`${database}: ${pair.what}`);
      lines.push(await compare(service.url, pair, dataset.tokens[0] ?? ""));
    }
    return lines;
  } finally {
    await service.stop();
  }
};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(1));
}
const bench = openBench(true);
try {
  for (const database of databases) {
    const lines = await measure(bench, database);
    const columns = ["other's, ms", "nobody's, ms", "ratio", "p", `in ${WITHIN * 100} %`];
    const heading = lineOf(`${database}, ${SAMPLES} each`, columns);
    process.stdout.write(`${[heading, ...lines].join("\n")}\n\n`);
  }
} finally {
  agent.destroy();
  await bench.close();
}
