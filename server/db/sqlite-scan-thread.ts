// The thread of sqlite-scan.ts: one connection that only reads.
import { parentPort, workerData } from "node:worker_threads";
import { openToRead } from "./sqlite-pragmas.ts";
import type { ScanAnswer, ScanQuestion } from "./sqlite-scan.ts";
import { statementRunner } from "./sqlite-statements.ts";

const run = statementRunner(openToRead(workerData));

function answer({ id, query }: ScanQuestion): ScanAnswer {
  try {
    return { id, result: run(query) };
  } catch (error) {
    // A message carries only the text of an error.
    return { id, message: (error as Error).message, error: { ...(error as object) } };
  }
}

parentPort?.on("message", (question: ScanQuestion) => parentPort?.postMessage(answer(question)));
