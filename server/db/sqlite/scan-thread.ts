// The thread of scanner.ts: one connection that only reads.
import { workerData } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { answerQuestions } from "../../lib/thread.ts";
import { openToRead } from "./pragmas.ts";
import { type Question, statementRunner } from "./statements.ts";

answerQuestions<Question, QueryResult<unknown>>(statementRunner(openToRead(workerData)));
