import { AssertionError } from "node:assert/strict";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { processorSeconds } from "./processor.ts";

/** The outcome of one test. */
export interface Outcome {
  /** Its file, and the names of the tests and suites around it. */
  readonly names: readonly string[];
  /**
   * A remark is not an outcome: it is a test's diagnostic, perhaps its seed, or a problem outside the tests.
   * The beginning of a test or file and the end of a file are not outcomes either.
   */
  readonly result: "begun" | "passed" | "failed" | "skipped" | "remark" | "end";
  /** How it failed, why it was skipped, or the remark. */
  readonly detail: string;
  /** The seed of a failure with random input. */
  readonly seed?: string;
  /** At the end of a file: what the process has used so far. */
  readonly used?: Used;
}

/** Seconds of elapsed time, and of processor time. */
export interface Used {
  readonly seconds: number;
  readonly processor: number;
}

type Ended = Extract<TestEvent, { readonly type: "test:pass" | "test:fail" }>;

// This runs in the process of the test file, which ends with the run, even if that was killed.
const run = process.ppid;
setInterval(() => process.ppid === run || process.exit(1), 1_000).unref();

/** The summary that node:test prints at the end of every file; we count ourselves. */
const counts = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** A reporter for node:test: one line of JSON for each test. */
export async function* reportOutcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  const begun: string[] = [];
  for await (const event of events) {
    if (event.type === "test:dequeue") {
      begun[event.data.nesting] = event.data.name;
      yield line({
        names: begun.slice(0, event.data.nesting + 1),
        result: "begun",
        detail: "",
      });
    }
    if (event.type === "test:start") names[event.data.nesting] = event.data.name;
    if (event.type === "test:diagnostic" && !counts.test(event.data.message)) {
      const path = names.slice(0, event.data.nesting + 1);
      yield line({ names: path, result: "remark", detail: event.data.message });
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const outcome = outcomeOf(event);
    const path = [...names.slice(0, event.data.nesting), event.data.name];
    if (outcome !== undefined) yield line({ names: path, ...outcome });
    // The outermost suite is a whole file (see group.ts).
    if (event.data.nesting === 0)
      yield line({ names: path, result: "end", detail: "", used: used() });
  }
}

/** Saved at the start: a test may mock the clock. */
const now = performance.now.bind(performance);

const used = (): Used => ({ seconds: now() / 1_000, processor: processorSeconds() });

/** Nothing for suites, which only group tests: a suite fails or passes with its tests. */
const outcomeOf = (event: Ended): Omit<Outcome, "names"> | undefined => {
  const { skip, todo, details } = event.data;
  const reason = skip ?? todo;
  if (reason !== undefined && reason !== false) {
    return { result: "skipped", detail: reason === true ? "" : String(reason) };
  }
  if (event.type === "test:pass") {
    return details.type === "suite" ? undefined : { result: "passed", detail: "" };
  }
  const error = event.data.details.error as Error & { readonly failureType?: string };
  if (error.failureType === "subtestsFailed") return undefined;
  // The error that the test threw, not node:test's wrapper; without such an error, the wrapper has the
  // reason.
  return { result: "failed", detail: explain(error.cause instanceof Error ? error.cause : error) };
};

/** The error in full, without Node's internal part of the stack. */
const explain = (error: Error): string => {
  // The message of a failed assertion shows the difference: its properties would repeat it.
  const full = error instanceof AssertionError ? (error.stack ?? error.message) : inspect(error);
  return full.replace(/\n +at .*\(?node:.*/g, "");
};

const line = (outcome: Outcome) => `${JSON.stringify(outcome)}\n`;

// biome-ignore lint/style/noDefaultExport: node:test finds a reporter this way.
export default reportOutcomes;
