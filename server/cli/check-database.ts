import { existsSync, statSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { PERCENT } from "../config/variables.ts";
import { diagnose } from "../db/diagnose.ts";
import { oldDatabase } from "../db/errors.ts";
import { isFormer } from "../db/former.ts";
import { appliedMigrations, laterMigrations, pendingMigrations } from "../db/migrate.ts";
import { type Database, openDatabase } from "../db/open.ts";
import { databaseFile, isMissing, keyFile } from "../db/place.ts";
import { missingRights } from "../db/rights.ts";
import { openSeal } from "../db/seal.ts";
import { type InstallationFacts, installationFacts } from "../organizations/facts.ts";
import { type Check, fault, NO_DATABASE, note, ok } from "./check.ts";
import { missingLine } from "./database.ts";
import { explain } from "./explain.ts";
import { showProgress } from "./progress.ts";

/** A file of SQLite that is checked whole within a second, in bytes. */
const SHORT = 64_000_000;

const checkAnswers = async (
  database: Database,
  { dataDir }: Config,
  isFull: boolean,
): Promise<Check> => {
  const name = "database";
  const path = databaseFile(dataDir);
  const isShort = existsSync(path) && statSync(path).size <= SHORT;
  const shown = isFull ? showProgress("tables are checked") : isShort ? () => {} : undefined;
  const { server, damage } = await diagnose(database, shown);
  if (server !== undefined) return ok(name, `PostgreSQL ${server}`);
  const unread = shown === undefined ? '; "parley doctor --full" reads all of it' : "";
  return damage === undefined
    ? ok(name, `SQLite in ${path}${unread}`)
    : fault(name, `${path} is damaged: ${damage}.`, "Stop the service and restore a backup.");
};

const checkMigrations = async ({ read }: Database): Promise<Check> => {
  const name = "migrations";
  const applied = await appliedMigrations(read);
  const { apart, beside } = await laterMigrations(read);
  const pending = await pendingMigrations(read);
  if (apart.some(isFormer)) return fault(name, ...oldDatabase);
  if (apart.length > 0) {
    return fault(
      name,
      `The database is of a newer Parley: ${apart.join(", ")}.`,
      "Start that version, or restore a backup.",
    );
  }
  if (applied.length === 0) {
    return note(name, "The database is empty.", '"parley start" makes its tables.');
  }
  const more = beside.length === 0 ? "" : `, ${beside.length} of them of a newer Parley`;
  return pending.length === 0
    ? ok(name, `all ${applied.length} are in${more}`)
    : fault(name, `Missing: ${pending.join(", ")}.`, '"parley migrate" brings them in.');
};

/** Checks that the role may make and change tables (PostgreSQL). */
export const checkRights = async (database: Database): Promise<Check[]> => {
  const missing = await missingRights(database);
  if (missing === undefined) return [];
  return missing.length === 0
    ? [ok("rights", "the role may make and change tables")]
    : [
        fault(
          "rights",
          missing.join(" "),
          'Give them to the role of DATABASE_URL, or make it the owner ("alter database NAME owner to ROLE").',
        ),
      ];
};

/** Only reads: the first start stores the text that the key must open. */
const checkKey = async ({ read }: Database, config: Config): Promise<Check> => {
  const name = "sealing key";
  const advice =
    "Use the key that this database was created with: waiting emails and webhooks need it.";
  const row = await read.selectFrom("service").select("seal_check").executeTakeFirst();
  const path = keyFile(config.dataDir);
  if (config.secret === undefined && !existsSync(path)) {
    return row?.seal_check
      ? fault(name, `${path} is not there.`, advice)
      : note(name, `${path} is not there yet.`, '"parley start" makes it.');
  }
  const seal = await openSeal(config);
  if (!row?.seal_check) return ok(name, seal.source);
  try {
    seal.open(row.seal_check, "service");
    return ok(name, seal.source);
  } catch {
    return fault(name, `${seal.source} does not open what is in the database.`, advice);
  }
};

const LONG_SECONDS = 15 * 60;

const minutes = (seconds: number): string => `${Math.round(seconds / 60)} min`;

const checkWebhooks = (
  { deliveries: { waiting, oldestSeconds, failedWebhooks } }: InstallationFacts,
  { allowedNetworks }: Pick<Config, "allowedNetworks">,
): Check[] => {
  const name = "webhooks";
  const allowed = allowedNetworks
    ? [ok("networks", `webhooks and live streams may go to ${allowedNetworks.join(", ")}`)]
    : [];
  if (failedWebhooks > 0) {
    const found = `${failedWebhooks} switched off, because nothing was accepted for three days, or the receiver is gone.`;
    const advice = "An administrator sees why, and switches them on again.";
    return [...allowed, note(name, found, advice)];
  }
  if (waiting === 0) return allowed;
  const found = `${waiting} deliveries wait, the oldest for ${minutes(oldestSeconds)}`;
  return [
    ...allowed,
    oldestSeconds < LONG_SECONDS
      ? ok(name, found)
      : note(name, `${found}.`, "The list of deliveries in the console says why."),
  ];
};

/** Emails and recordings that have waited for long; nothing about those that have not. */
const checkQueues = ({ letters, captures, recorders }: InstallationFacts): Check[] => {
  const late = (name: string, waiting: number, seconds: number, advice: string): Check[] =>
    seconds < LONG_SECONDS
      ? []
      : [note(name, `${waiting} waiting, the oldest for ${minutes(seconds)}.`, advice)];
  return [
    ...late(
      "emails",
      letters.waiting,
      letters.oldestSeconds,
      '"parley mail test ADDRESS" says why.',
    ),
    ...late(
      "recorders",
      captures.waiting,
      captures.oldestSeconds,
      `${recorders} run at once: raise RECORDERS, or add a process.`,
    ),
  ];
};

/** The database, its migrations, and whether the sealing key is that of its first start. */
export const checkDatabase = async (config: Config, isFull: boolean): Promise<Check[]> => {
  if (isMissing(config)) return [note("database", NO_DATABASE, missingLine(config))];
  const checks: Check[] = [];
  let name = "database";
  try {
    const database = await openDatabase(config, { poolSize: 2 });
    try {
      checks.push(await checkAnswers(database, config, isFull));
      name = "migrations";
      const state = await checkMigrations(database);
      checks.push(state);
      // Tables are still to be made or changed.
      if (state.status !== "ok") {
        checks.push(...(await checkRights(database)).filter(({ status }) => status === "fault"));
      }
      name = "sealing key";
      if (state.status === "ok") checks.push(await checkKey(database, config));
      name = "webhooks";
      if (state.status === "ok") {
        const facts = await installationFacts(database.read);
        checks.push(...checkWebhooks(facts, config), ...checkQueues(facts));
      }
    } finally {
      await database.close();
    }
  } catch (error) {
    const advice = /password|authentication/.test(String(error))
      ? `In DATABASE_URL, ${PERCENT}.`
      : "See docs/operating.md.";
    checks.push(fault(name, explain(error), advice));
  }
  return checks;
};
