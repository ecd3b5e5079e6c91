import { type Kysely, sql } from "kysely";
import type { Database } from "../../server/db/open.ts";

/**
 * The shape of a database, apart from its rows: tables, columns in their order with type, collation,
 * default and nullability, keys, checks, indexes, triggers and functions. One line each.
 */
export const shape = async ({ name, read }: Database): Promise<string[]> =>
  (name === "sqlite" ? await ofSqlite(read) : await ofPostgres(read)).map((parts) =>
    parts.join(" | "),
  );

type Line = readonly unknown[];

const lines = async <T>(db: Kysely<T>, query: ReturnType<typeof sql>): Promise<Line[]> =>
  (await query.execute(db)).rows.map((row) => Object.values(row as object));

const ofSqlite = async <T>(db: Kysely<T>): Promise<Line[]> => {
  const own = sql`from sqlite_schema as made, pragma_table_list(made.name) as list
    where made.type = 'table' and made.name not like 'sqlite_%'`;
  const tables = await sql<{ readonly name: string; readonly text: string }>`
    select made.name, made.sql as text ${own} order by made.name`.execute(db);
  const checks = tables.rows.flatMap(({ name, text }) =>
    [...text.matchAll(/check (\((?:[^()]|\([^()]*\))*\))/g)].map(([, check]) => [
      "check",
      name,
      check,
    ]),
  );
  return [
    ...(await lines(
      db,
      sql`select 'table', made.name, list.wr, list.strict ${own} order by made.name`,
    )),
    ...(await lines(
      db,
      sql`select 'column', made.name as made, c.cid, c.name, lower(c.type), c."notnull", c.dflt_value, c.pk, c.hidden
        from sqlite_schema as made, pragma_table_xinfo(made.name) as c
        where made.type = 'table' and made.name not like 'sqlite_%' order by made.name, c.cid`,
    )),
    ...checks,
    ...(await lines(
      db,
      sql`select distinct 'reference', made.name, k."table", k."from", k."to", k.on_update, k.on_delete, k."match"
        from sqlite_schema as made, pragma_foreign_key_list(made.name) as k
        where made.type = 'table' order by made.name, k."from"`,
    )),
    ...(await lines(
      db,
      sql`select 'index', made.name as made, i.origin, i.name, i."unique", i.partial, i.columns, i.text from (
          select l.*, group_concat(x.name || ' ' || x."desc" || ' ' || x.coll) as columns,
            (select s.sql from sqlite_schema as s where s.name = l.name) as text, m.name as of
          from sqlite_schema as m, pragma_index_list(m.name) as l, pragma_index_xinfo(l.name) as x
          where m.type = 'table' group by m.name, l.name
        ) as i join sqlite_schema as made on made.name = i.of and made.type = 'table'
        order by made.name, i.name`,
    )),
    ...(await lines(
      db,
      sql`select type, name, sql from sqlite_schema where type in ('trigger', 'view') order by name`,
    )),
  ];
};

const ofPostgres = async <T>(db: Kysely<T>): Promise<Line[]> => [
  ...(await lines(
    db,
    sql`select 'table', relname, relkind, reloptions from pg_class
      where relnamespace = 'public'::regnamespace and relkind <> 'i' order by relname`,
  )),
  ...(await lines(
    db,
    sql`select 'column', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
        format_type(a.atttypid, a.atttypmod), l.collname, a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
      from pg_attribute as a join pg_class as c on c.oid = a.attrelid
        left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_collation as l on l.oid = a.attcollation
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
  )),
  ...(await lines(
    db,
    sql`select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`,
  )),
  ...(await lines(
    db,
    sql`select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
      order by tablename, indexname`,
  )),
  ...(await lines(
    db,
    sql`select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal order by tgname`,
  )),
  ...(await lines(
    db,
    sql`select 'function', proname, pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace order by proname`,
  )),
];
