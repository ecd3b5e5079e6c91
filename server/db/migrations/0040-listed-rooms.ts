import { type Kysely, sql } from "kysely";
import { naturalKey } from "../../lib/fold.ts";
import type { ColumnTypes, Migration } from "./migration.ts";
import { index } from "./table.ts";

/** The order of names by their numbers, and lists of rooms by type and status; ../tables.ts explains them. */
export const listedRooms: Migration = { name: "0040-listed-rooms", up };

/** How many rows one query reads, and one statement writes. */
const PIECE = 1000;

const added = ["order_key", "type", "state", "use_key"] as const;

/** The indexes of 0001, which lists walk: they lack what the new filters look at. */
const former = [
  "rooms_organization_name_key_id_index",
  "rooms_organization_created_at_id_name_key_index",
  "rooms_organization_updated_at_id_name_key_index",
];

async function up(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  for (const column of added) {
    await db.schema
      .alterTable("rooms")
      .addColumn(column, text, (c) => c.notNull().defaultTo(""))
      .execute();
  }
  let last = "";
  for (;;) {
    const rows = await readPiece(db, last);
    const end = rows.at(-1);
    if (end === undefined) break;
    await writePiece(db, rows);
    last = end.id;
  }
  for (const name of former) await sql`drop index ${sql.id(name)}`.execute(db);
  const filtered = ["type", "state"];
  for (const columns of [
    ["name_key", "id", "room"],
    ["order_key", "id", "name_key", "room"],
    ["created_at", "id", "name_key", "room"],
    ["updated_at", "id", "name_key", "room"],
  ]) {
    const [order = "", ...others] = columns;
    const all = ["organization_id", order, ...others, ...filtered];
    await index(db, "rooms", all, "deleted_at is null");
  }
  const byUse = ["organization_id", "use_key", "id", "name_key", "room", ...filtered];
  await index(db, "rooms", byUse, "deleted_at is null");
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly record: string;
}

const readPiece = async (db: Kysely<unknown>, last: string): Promise<readonly Row[]> => {
  const { rows } = await sql<Row>`
    select id, name, record from rooms where id > ${last} order by id limit ${sql.lit(PIECE)}`.execute(
    db,
  );
  return rows;
};

const places: Readonly<Record<string, string>> = { occupied: "0", busy: "1", free: "2" };

const writePiece = async (db: Kysely<unknown>, rows: readonly Row[]): Promise<void> => {
  const values = rows.map(({ id, name, record }) => {
    const { roomType = "conferencing", roomStatus = "free" } = JSON.parse(record);
    const key = naturalKey(name);
    return sql`(${id}, ${key}, ${roomType.slice(0, 16)}, ${roomStatus}, ${`${places[roomStatus] ?? "2"}${key}`})`;
  });
  await sql`
    with listed (id, order_key, type, state, use_key) as (values ${sql.join(values)})
    update rooms set order_key = listed.order_key, type = listed.type, state = listed.state,
      use_key = listed.use_key
    from listed where rooms.id = listed.id`.execute(db);
};
