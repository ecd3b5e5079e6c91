import type { ClientBase } from "pg";
import { UnsupportedDatabase } from "../errors.ts";

const OLDEST = 14;

/** Refuses a server that Parley cannot use. Checked on the first connection. */
export const checkServer = (): ((client: ClientBase) => Promise<void>) => {
  let checked = false;
  return async (client) => {
    if (checked) return;
    const { rows } = await client.query<{
      readonly version: string;
      readonly number: number;
      readonly encoding: string;
    }>({
      text: `select current_setting('server_version') as version,
        current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding`,
      // pg reads it, but its types lack it.
      ...{ query_timeout: 1_000 },
    });
    const [server] = rows;
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
    checked = true;
  };
};
