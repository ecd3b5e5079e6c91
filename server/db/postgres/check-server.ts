import { Client, type ClientBase, type ClientConfig } from "pg";
import { UnsupportedDatabase } from "../errors.ts";

/** The oldest version of PostgreSQL that Parley can use. */
const OLDEST = 14;
const QUERY_MS = 1_000;
/** How often two connections through a pooler are compared: others use its backends meanwhile. */
const ROUNDS = 3;

/** Refuses a server that Parley cannot use. */
export interface ServerCheck {
  /** Throws for a server that cannot be used. Looks at the first connection only. */
  check(client: ClientBase): Promise<void>;
  /** Looks at the next connection again. */
  doubt(): void;
}

/** The refusal of a pooler that does not pool by session. */
export const pooledByTransaction = (): UnsupportedDatabase =>
  new UnsupportedDatabase(
    "DATABASE_URL leads to a pooler that gives each transaction another connection; Parley needs one that pools by session " +
      "(PgBouncer: pool_mode = session), or PostgreSQL itself.",
  );

/** Looks at a server before its first connection is used. */
export const checkServer = (config: ClientConfig): ServerCheck => {
  let checked = false;
  const check = async (client: ClientBase): Promise<void> => {
    if (checked) return;
    const [server] = await ask<{
      readonly version: string;
      readonly number: number;
      readonly encoding: string;
    }>(
      client,
      `select current_setting('server_version') as version,
        current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding`,
    );
    if (server === undefined || server.number < OLDEST * 10_000) {
      throw new UnsupportedDatabase(
        `DATABASE_URL leads to PostgreSQL ${server?.version}; Parley needs version ${OLDEST} or later.`,
      );
    }
    if (server.encoding !== "UTF8") {
      throw new UnsupportedDatabase(
        `DATABASE_URL leads to a database with the encoding ${server.encoding}; Parley needs UTF8. ` +
          "Make one with: CREATE DATABASE parley ENCODING 'UTF8' TEMPLATE template0",
      );
    }
    if (await isPooledByTransaction(client, config)) throw pooledByTransaction();
    checked = true;
  };
  return {
    check,
    doubt() {
      checked = false;
    },
  };
};

/**
 * Returns whether connections share the server's backends, or change between them. PostgreSQL itself has one for
 * each, and names it when it connects; a pooler names something else.
 */
const isPooledByTransaction = async (
  client: ClientBase,
  config: ClientConfig,
): Promise<boolean> => {
  const own = await backendOf(client);
  // pg has it, but its types lack it.
  if ("processID" in client && client.processID === own) return false;
  const other = new Client(config);
  other.on("error", () => {});
  try {
    await other.connect();
    const others = await backendOf(other);
    for (let round = 0; round < ROUNDS; round += 1) {
      if ((await backendOf(client)) !== own || own === others) return true;
      if ((await backendOf(other)) !== others) return true;
    }
    return false;
  } finally {
    other.end().catch(() => {});
  }
};

const backendOf = async (client: ClientBase): Promise<number | undefined> => {
  const [row] = await ask<{ readonly pid: number }>(client, "select pg_backend_pid() as pid");
  return row?.pid;
};

const ask = async <Row extends object>(client: ClientBase, text: string): Promise<Row[]> => {
  // pg reads the timeout, but its types lack it.
  const { rows } = await client.query<Row>({ text, ...{ query_timeout: QUERY_MS } });
  return rows;
};
