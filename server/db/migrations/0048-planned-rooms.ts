import { type Kysely, sql } from "kysely";
import { plannedAt } from "../../lib/planned.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** When rooms are planned, also those without a schedule; ../tables.ts explains the column. */
export const plannedRooms: Migration = { name: "0048-planned-rooms", up };

/** How many rows one query reads, and one statement writes. */
const PIECE = 1000;

interface Row {
  readonly id: string;
  readonly record: string;
}

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable("rooms").addColumn("planned_at", text).execute();
  let last = "";
  for (;;) {
    const { rows } = await sql<Row>`
      select id, record from rooms where id > ${last} and record like ${'%"scheduledDateTime":"%'}
      order by id limit ${sql.lit(PIECE)}`.execute(db);
    const end = rows.at(-1);
    if (end === undefined) break;
    const values = rows.map(({ id, record }) => {
      const { scheduledDateTime = null } = JSON.parse(record);
      return sql`(${id}, ${plannedAt(scheduledDateTime)})`;
    });
    await sql`
      with planned (id, planned_at) as (values ${sql.join(values)})
      update rooms set planned_at = planned.planned_at from planned where rooms.id = planned.id`.execute(
      db,
    );
    last = end.id;
  }
}
