import { type Kysely, sql } from "kysely";
import { fold } from "../../lib/fold.ts";
import type { Migration } from "./migration.ts";

/** Keys by which a search finds what people mean, beyond case; ../../fold.ts explains them. */
export const foundAsMeant: Migration = { name: "0032-found-as-meant", up };

/** How many rows one query reads, and one statement writes. */
const PIECE = 1000;

/** A folded column, and the columns that identify a row: one, or two of which the second is a number. */
interface Folded {
  readonly table: string;
  readonly column: string;
  readonly id: readonly string[];
}

const columns: readonly Folded[] = [
  { table: "users", column: "name_key", id: ["id"] },
  { table: "users", column: "email_fold", id: ["id"] },
  { table: "rooms", column: "name_key", id: ["id"] },
  { table: "recordings", column: "name_key", id: ["id"] },
  { table: "bin", column: "name_key", id: ["id"] },
  { table: "captions", column: "text_key", id: ["meeting_id", "number"] },
  { table: "history", column: "actor_key", id: ["organization_id", "number"] },
  { table: "history", column: "subject_key", id: ["organization_id", "number"] },
];

interface Row {
  readonly id: readonly (string | number | undefined)[];
  readonly key: string;
}

async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of columns) {
    let rows = await readPiece(db, column, undefined);
    while (rows.length > 0) {
      // The former key says all that the fold needs.
      const changed = rows
        .map(({ id, key }) => ({ id, key: fold(key), former: key }))
        .filter(({ key, former }) => key !== former);
      if (changed.length > 0) await writePiece(db, column, changed);
      rows = await readPiece(db, column, rows.at(-1));
    }
  }
}

const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** The next keys that are not ASCII alone: those stay as they are. */
const readPiece = async (
  db: Kysely<unknown>,
  { table, column, id }: Folded,
  last: Row | undefined,
): Promise<readonly Row[]> => {
  const after = last === undefined ? sql`` : sql`and (${list(id)}) > (${sql.join(last.id)})`;
  const { rows } = await sql<Readonly<Record<string, string>>>`
    select ${list([...id, column])} from ${sql.table(table)}
    where octet_length(${sql.ref(column)}) <> length(${sql.ref(column)}) ${after}
    order by ${list(id)} limit ${sql.lit(PIECE)}`.execute(db);
  return rows.map((row) => ({ id: id.map((name) => row[name]), key: row[column] ?? "" }));
};

const writePiece = async (
  db: Kysely<unknown>,
  { table, column, id }: Folded,
  rows: readonly Row[],
): Promise<void> => {
  const values = rows.map(({ id: [first, second], key }) =>
    second === undefined
      ? sql`(${key}, ${first})`
      : sql`(${key}, ${first}, cast(${second} as bigint))`,
  );
  const same = id.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`folded.${name}`)}`);
  await sql`
    with folded (new_key, ${list(id)}) as (values ${sql.join(values)})
    update ${sql.table(table)} set ${sql.ref(column)} = folded.new_key from folded
    where ${sql.join(same, sql` and `)}`.execute(db);
};
