import { type Kysely, sql } from "kysely";
import { uniqueName } from "../errors.ts";

/** Makes a unique index, named so that `isUniqueViolation` recognizes it. `where` makes it partial. */
export const uniqueIndex = async (
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  where?: string,
): Promise<void> => {
  await createIndex(db, uniqueName(table, columns), table, columns, { unique: true, where });
};

/** Makes an index named after its table and columns. `where` makes it partial. */
export const index = async (
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  where?: string,
): Promise<void> => {
  // PostgreSQL cuts names at 63 bytes, and cut names may collide.
  const name = [
    table,
    ...columns.map((column) => column.replace("organization_id", "organization")),
    "index",
  ].join("_");
  if (name.length > 63) throw new Error(`The index name ${name} is longer than 63 letters.`);
  await createIndex(db, name, table, columns, { unique: false, where });
};

const createIndex = async (
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: readonly string[],
  { unique, where }: { readonly unique: boolean; readonly where: string | undefined },
): Promise<void> => {
  const kind = sql.raw(unique ? "unique index" : "index");
  const over = sql.join(columns.map((column) => sql.ref(column)));
  const only = where === undefined ? sql`` : sql` where ${sql.raw(where)}`;
  await sql`create ${kind} ${sql.id(name)} on ${sql.table(table)} (${over})${only}`.execute(db);
};
