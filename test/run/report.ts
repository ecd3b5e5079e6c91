import type { FileReport } from "./file.ts";
import { processorSeconds } from "./processor.ts";
import type { Outcome } from "./reporter.ts";

let passed = 0;
let skippedTests = 0;
/** Why tests were skipped, and how many for each reason. */
const reasons = new Map<string, number>();
const failures: string[] = [];
const unsteady: string[] = [];

/** A title above the following lines. */
export const heading = (text: string): void => {
  console.log(`\n${text}`);
};

/**
 * Counts a file's results and prints one line for it; for failures, all details and the file's output.
 *
 * @param again the command that shows its failures again
 */
export const addReport = (title: string, report: FileReport, again: string): void => {
  const of = (result: string) => report.outcomes.filter((outcome) => outcome.result === result);
  const [good, bad, skipped] = [of("passed"), of("failed"), of("skipped")];
  passed += good.length;
  const counts = [
    `${good.length} passed`,
    bad.length > 0 && `${bad.length} failed`,
    skipped.length > 0 && `${skipped.length} skipped`,
  ];
  const mark = bad.length > 0 ? "FAIL" : "ok  ";
  const said = counts.filter(Boolean).join(", ");
  const [used, took] = [seconds(report.processor), seconds(report.seconds)];
  console.log(`${mark} ${title.padEnd(54)} ${took}  ${used}  ${said}`);
  if ((report.shared ?? 0) >= 1) addCost("browsers of these files", report.shared);
  skippedTests += skipped.length;
  for (const { names, detail } of skipped) {
    const reason = detail || "no reason given";
    console.log(indent(`skipped: ${names.join(" > ")} (${reason})`));
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const what of describeFailures(title, bad, again)) failures.push(what);
  if (bad.length > 0 && report.output.trim() !== "") {
    console.log(indent(`${title} printed:\n${indent(report.output.trimEnd())}\n`));
  }
};

/** Prints what something cost that belongs to no file alone, in processor time. */
export const addCost = (title: string, processor: number | undefined): void => {
  console.log(`     ${title.padEnd(54)} ${" ".repeat(8)}  ${seconds(processor)}`);
};

/** Prints why a file failed that will run again, alone; the second run counts. */
export const addUnsteady = (title: string, report: FileReport, again: string): void => {
  console.log(`again ${title}`);
  unsteady.push(...describeFailures(title, report.outcomes.filter(isFailure), again));
};

/** Returns whether anything in a file has failed. */
export const hasFailed = (report: FileReport): boolean => report.outcomes.some(isFailure);

const isFailure = ({ result }: Outcome): boolean => result === "failed";

/** Prints the failures, and returns the names, each with the command that shows it again. */
const describeFailures = (title: string, failed: readonly Outcome[], again: string): string[] =>
  failed.map(({ names, detail, seed }) => {
    const what = [title, names.join(" > ")].filter(Boolean).join(": ");
    const command = `again: ${seed === undefined ? "" : `PARLEY_SEED=${seed} `}${again}`;
    console.log(`\n${indent(`FAILED ${what}\n${indent(`${detail.trimEnd()}\n\n${command}`)}`)}\n`);
    return `${what}\n${indent(command)}`;
  });

/**
 * The names of all that failed, the reasons of what was skipped, and the last line of the run, which CI
 * reads.
 *
 * @param remark a line above it
 * @returns whether nothing failed, and something passed.
 */
export const closeReport = (remark?: string): boolean => {
  if (failures.length > 0) heading("Failed:");
  for (const failure of failures) console.log(indent(failure));
  if (unsteady.length > 0) heading("Failed beside other files, and ran again alone:");
  for (const what of unsteady) console.log(indent(what));
  if (skippedTests > 0) heading("Skipped:");
  for (const [reason, many] of [...reasons].sort()) console.log(indent(`${many}: ${reason}`));
  if (remark !== undefined) console.log(`\n${remark}`);
  console.log(`\nProcessor time: ${processorSeconds().toFixed(0)} s`);
  console.log(`${passed} passed, ${failures.length} failed, ${skippedTests} skipped`);
  return passed > 0 && failures.length === 0;
};

const seconds = (many: number | undefined) =>
  `${`${many === undefined ? "?" : many.toFixed(1)}`.padStart(6)} s`;

const indent = (text: string) => text.replace(/^(?=.)/gm, "    ");
