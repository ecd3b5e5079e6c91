import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { refuseInsideChange } from "../inside-change.ts";
import { ask, fail, losesConnection, QUERY_MS } from "./lease.ts";

/** A question that is worked on for longer holds up those behind it: the next ones go elsewhere. */
const SLOW_MS = 20;

/** A connection on which questions follow one another before their answers come. */
interface Pipeline {
  readonly connection: PostgresPoolClient;
  /** Whether the question that the server works on takes long. */
  isSlow(): boolean;
  close(): void;
}

const pipelineOn = (client: PoolClient, onLost: () => void): Pipeline => {
  let waiting = 0;
  let workedOnSince = 0;
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    if (waiting === 0) workedOnSince = performance.now();
    waiting += 1;
    try {
      return await ask(client, text, values, QUERY_MS);
    } catch (error) {
      if (losesConnection(error)) onLost();
      return fail(error);
    } finally {
      waiting -= 1;
      workedOnSince = performance.now();
    }
  };
  client.once("end", onLost);
  return {
    connection: { query: query as PostgresPoolClient["query"], release: () => {} },
    isSlow: () => waiting > 0 && performance.now() - workedOnSince > SLOW_MS,
    close: () => client.release(true),
  };
};

/**
 * One connection for all short questions that change nothing: each is sent at once, behind those
 * that wait for their answers (pipelining; PostgreSQL 18, 54.2.4). The server and this process are
 * woken once for several, which takes a third from what a page costs the two. While it is held up,
 * or not open yet, questions go to connections of their own.
 *
 * @param single a pool of one connection, with pg's `pipeline`
 * @param others what lends connections to one question at a time
 */
export const pipelining = (single: Pool, others: PostgresPool): PostgresPool => {
  let pipeline: Pipeline | undefined;
  let opening: Promise<void> | undefined;

  const close = (): void => {
    const closing = pipeline;
    pipeline = undefined;
    closing?.close();
  };

  const open = async (): Promise<void> => {
    try {
      const opened = pipelineOn(await single.connect(), () => {
        if (pipeline === opened) close();
      });
      pipeline = opened;
    } catch {
      // Whoever asks meanwhile on another connection is told what is wrong.
    } finally {
      opening = undefined;
    }
  };

  return {
    options: single.options,
    async connect() {
      refuseInsideChange();
      if (pipeline && !pipeline.isSlow()) return pipeline.connection;
      if (!pipeline) opening ??= open();
      return await others.connect();
    },
    async end() {
      await opening;
      close();
      await single.end();
    },
  };
};
