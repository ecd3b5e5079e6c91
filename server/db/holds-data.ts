import { type Kysely, sql } from "kysely";
import { isMissingTable } from "./errors.ts";

/** Whether there is anything in the database that somebody might want back. */
export const holdsData = async <T>(db: Kysely<T>): Promise<boolean> => {
  try {
    const { rows } = await sql`select 1 from organizations limit 1`.execute(db);
    return rows.length > 0;
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
};
