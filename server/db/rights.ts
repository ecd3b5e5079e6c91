import { sql } from "kysely";
import type { Database } from "./open.ts";

/**
 * The rights that the role of the connection lacks to migrate, in words; undefined on SQLite, which has no roles.
 */
export const missingRights = async ({
  name,
  read,
}: Database): Promise<readonly string[] | undefined> => {
  if (name === "sqlite") return undefined;
  const { rows } = await sql<{
    readonly role: string;
    readonly schema: string;
    readonly creates: boolean;
    readonly others: number;
  }>`
    select current_user as role, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as creates,
      (select count(*)::int from pg_tables where schemaname = current_schema()
        and not pg_has_role(tableowner, 'usage')) as others`.execute(read);
  return rows.flatMap(({ role, schema, creates, others }) => [
    ...(creates ? [] : [`The role ${role} may not make tables in the schema ${schema}.`]),
    ...(others === 0 ? [] : [`${others} tables in it belong to others than ${role}.`]),
  ]);
};
