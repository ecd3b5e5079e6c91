import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { pendingMigrations } from "./migrate.ts";
import { runsBeside } from "./migrations/beside.ts";
import { migrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Database } from "./open.ts";

/** The effects of a pending migration on an installation. */
export interface MigrationPlan {
  readonly name: string;
  /** Tables that are there, and are read or written as a whole; their rows, roughly. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Why processes of the version before must end first; empty where they go on. */
  readonly obstacles: readonly string[];
  /** True if the version before also starts on the new tables. */
  readonly startsBeside: boolean;
}

/** The effect of one statement on a table that was there before. */
export interface Effect {
  readonly table: string;
  /** True if it reads or writes all rows, while changes of the table wait. */
  readonly rows: boolean;
  /** Why a version that does not know of it fails; undefined where it does not notice. */
  readonly obstacle?: string | undefined;
}

const NAME = '["\\u0060]?(\\w+)["\\u0060]?';
const words = (text: string): RegExp => new RegExp(`^${text.replaceAll("NAME", NAME)}`, "i");

/** The statements that migrations use; the first that fits decides. A table that they make is no effect. */
const kinds: readonly {
  readonly of: RegExp;
  readonly effect?: (table: string, rest: string) => Omit<Effect, "table">;
}[] = [
  { of: words("(?:select|with|pragma|analyze|set|create table)\\b") },
  {
    of: words("create unique index (?:if not exists )?\\S+ on NAME"),
    effect: (table) => ({ rows: true, obstacle: `refuses more rows of ${table}` }),
  },
  {
    of: words("create index (?:if not exists )?\\S+ on NAME"),
    effect: () => ({ rows: true }),
  },
  {
    of: words("drop index (?:if exists )?NAME"),
    effect: (name) => ({
      rows: false,
      obstacle: name.endsWith("_unique") ? `removes ${name}, by which rows are found` : undefined,
    }),
  },
  {
    of: words("alter table NAME add (?:column )?(?!constraint)"),
    effect: (table, rest) => ({
      rows: false,
      obstacle:
        /not null/i.test(rest) && !/default/i.test(rest)
          ? `adds to ${table} a column that every new row must have`
          : undefined,
    }),
  },
  {
    of: words("alter table NAME alter (?:column )?\\S+ (?:drop not null|set default)"),
    effect: () => ({ rows: false }),
  },
  {
    of: words("alter table NAME"),
    effect: (table) => ({ rows: true, obstacle: `changes ${table}` }),
  },
  {
    of: words("drop table (?:if exists )?NAME"),
    effect: (table) => ({ rows: false, obstacle: `removes ${table}` }),
  },
  { of: words("(?:update|insert into) NAME"), effect: () => ({ rows: true }) },
  {
    of: words("delete from NAME"),
    effect: (table) => ({ rows: true, obstacle: `removes rows of ${table}` }),
  },
];

/** Finds the effect of a statement on earlier tables; `made` are those that earlier statements have made. */
export const effectOf = (statement: string, made: Set<string>): Effect | undefined => {
  const text = statement.trim().replaceAll(/\s+/g, " ");
  const table = words("create (?:table|virtual table) (?:if not exists )?NAME").exec(text)?.[1];
  if (table !== undefined) {
    made.add(table);
    return undefined;
  }
  const found = kinds.find(({ of }) => of.test(text));
  if (found === undefined) {
    return {
      table: "",
      rows: false,
      obstacle: `does what this check does not know (${text.slice(0, 40)} ...)`,
    };
  }
  const [whole = "", of = ""] = found.of.exec(text) ?? [];
  if (found.effect === undefined || made.has(of)) return undefined;
  return { table: of, ...found.effect(of, text.slice(whole.length)) };
};

/** Takes statements in, and answers each with no rows. */
class Listener extends DummyDriver {
  readonly statements: string[] = [];
  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async ({ sql: text }: CompiledQuery) => {
        this.statements.push(text);
        return { rows: [] };
      },
      streamQuery: async function* () {},
    };
  }
}

/** The statements of a migration, on a database without rows. Nothing is carried out. */
export const statementsOf = async (
  { up }: Migration,
  { name, schema }: Pick<Database, "name" | "schema">,
): Promise<readonly string[]> => {
  const listener = new Listener();
  const isPostgres = name === "postgres";
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new SqliteAdapter()),
      createDriver: () => listener,
      createIntrospector: (one) =>
        isPostgres ? new PostgresIntrospector(one) : new SqliteIntrospector(one),
      createQueryCompiler: () =>
        isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler(),
    },
  });
  await up(db, schema.types);
  return listener.statements;
};

/** The rows of a table, roughly: PostgreSQL's own estimate, or counted. */
const rowsOf = async ({ name, read }: Database, table: string): Promise<number> => {
  if (name === "postgres") {
    const { rows } = await sql<{ readonly rows: number }>`
      select reltuples::float8 as rows from pg_class where oid = to_regclass(${table})`.execute(
      read,
    );
    const estimated = rows[0]?.rows ?? 0;
    // Below 0: nobody has counted yet, which is so of small tables.
    if (estimated >= 0) return Math.round(estimated);
  }
  const { rows } = await sql<{ readonly rows: number | string }>`
    select count(*) as rows from ${sql.table(table)}`.execute(read);
  return Number(rows[0]?.rows ?? 0);
};

/** Finds the effects of the pending migrations. Only reads. */
export const planMigrations = async (database: Database): Promise<readonly MigrationPlan[]> => {
  const names = await pendingMigrations(database.read);
  const applied = migrations.map(({ name }) => name).filter((name) => !names.includes(name));
  const made = new Set<string>();
  const plans: MigrationPlan[] = [];
  for (const migration of migrations.filter(({ name }) => names.includes(name))) {
    const statements = await statementsOf(migration, database);
    const effects = statements.flatMap((statement) => effectOf(statement, made) ?? []);
    const touched = new Set(effects.filter(({ rows }) => rows).map(({ table }) => table));
    const tables: { readonly table: string; readonly rows: number }[] = [];
    for (const table of touched) tables.push({ table, rows: await rowsOf(database, table) });
    const isMarked = runsBeside(migration.name, applied);
    plans.push({
      name: migration.name,
      tables,
      // A person has decided, with more knowledge than a look at statements.
      obstacles: isMarked ? [] : [...new Set(effects.flatMap(({ obstacle }) => obstacle ?? []))],
      startsBeside: isMarked,
    });
  }
  return plans;
};
