import { Client } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { DAY_MS } from "../../lib/durations.ts";
import { BackupError, DatabaseUnreachable, isDatabaseError } from "../errors.ts";
import { asLibpq } from "../postgres-tls.ts";

const BEGIN = "parley_verify_";

/**
 * Runs work with an empty database of its own beside that of the URL, which is dropped afterwards.
 * Drops also those that killed processes left there more than a day ago.
 *
 * @throws BackupError if the role may not create databases
 */
export const withScratchDatabase = async <T>(
  url: string,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const client = new Client(parseIntoClientConfig(asLibpq(url)));
  client.on("error", () => {});
  await client.connect().catch((error: unknown) => {
    throw isDatabaseError(error) ? error : new DatabaseUnreachable(error);
  });
  try {
    // Not even the limits that an administrator gave the role.
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    await client.query("set idle_session_timeout = 0");
    await dropForgotten(client);
    const name = `${BEGIN}${Date.now()}`;
    await create(client, name);
    const scratch = new URL(url);
    scratch.pathname = `/${name}`;
    try {
      return await work(scratch.href);
    } finally {
      await client.query(`drop database if exists ${name} with (force)`);
    }
  } finally {
    await client.end();
  }
};

const create = async (client: Client, name: string): Promise<void> => {
  try {
    await client.query(`create database ${name} template template0`);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "42501") throw error;
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    const role = rows[0]?.role ?? "";
    throw new BackupError(
      `The check needs a scratch database, and the role ${role} may not create one: "alter role ${role} createdb" as an administrator of PostgreSQL, or give --sqlite to check in a file.`,
    );
  }
};

const dropForgotten = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where datname like $1 and pg_get_userbyid(datdba) = current_user",
    [`${BEGIN.replaceAll("_", "\\_")}%`],
  );
  for (const { name } of rows) {
    const made = Number(/^parley_verify_(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    if (Date.now() - made > DAY_MS)
      await client.query(`drop database if exists ${name} with (force)`);
  }
};
