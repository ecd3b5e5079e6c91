// The thread of sqlite-scan.ts: one connection that only reads.
import { workerData } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { answerQuestions } from "../thread.ts";
import { openToRead } from "./sqlite-pragmas.ts";
import { type Question, statementRunner } from "./sqlite-statements.ts";

answerQuestions<Question, QueryResult<unknown>>(statementRunner(openToRead(workerData)));
