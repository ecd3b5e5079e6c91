import packageJson from "../../package.json" with { type: "json" };
import { type Config, ConfigError, readConfig } from "../config/config.ts";
import { variables } from "../config/variables.ts";
import type { MigrationPlan } from "../db/upgrade-plan.ts";
import { type Check, fault, note, ok, showChecks } from "./check.ts";
import { checkBackups } from "./check-backups.ts";
import { checkDatabase, checkRights } from "./check-database.ts";
import { checkFolder, checkOthers, checkSpace } from "./check-disk.ts";
import { CommandError, cliCommand, UsageError } from "./command.ts";
import { giveToOwnerAtEnd, installationSettings, sourceOf } from "./environment.ts";
import { readGivenFile } from "./given-file.ts";
import type { Settings } from "./settings-file.ts";

/** Settings of earlier versions, and what to set instead. */
const replaced: Readonly<Record<string, string>> = { WEBHOOK_NETWORKS: "ALLOWED_NETWORKS" };

/** Names that a settings file may have for Node, libraries and the system. */
const FOREIGN = /^(?:PG|NODE_|OTEL_|AWS_|SSL_|LC_)|^(?:LANG|TZ|PATH|HOME)$/;

/** The settings that the installed version has, as its `parley config --json` printed them. */
const settingsBefore = async (file: string): Promise<readonly string[]> => {
  const text = (await readGivenFile(file)).toString();
  try {
    const { settings } = JSON.parse(text);
    return settings.map(({ name }: { readonly name: string }) => name);
  } catch {
    throw new CommandError(`${file} is not what "parley config --json" prints.`);
  }
};

const checkSettings = (settings: Settings, before: readonly string[] | undefined): Check[] => {
  const name = "settings";
  const known: ReadonlySet<string> = new Set(Object.values(variables).map((one) => one.name));
  const given = Object.keys(settings.environment);
  const gone = new Set([
    ...settings.names.filter((one) => !known.has(one) && !FOREIGN.test(one)),
    ...given.filter((one) => one in replaced),
    ...(before ?? []).filter((one) => !known.has(one) && given.includes(one)),
  ]);
  const added = before && [...known].filter((one) => !before.includes(one));
  return [
    ...[...gone].map((one) =>
      note(
        name,
        `${one} is set, and this version does not read it.`,
        one in replaced ? `Set ${replaced[one]} instead.` : "Remove it, or correct its name.",
      ),
    ),
    ...(added?.length
      ? [note(name, `New: ${added.join(", ")}.`, '"parley config" says what they mean.')]
      : []),
    ok(name, `from ${sourceOf(settings)}; every value is accepted`),
  ];
};

/** A migration in words. */
const describePlan = ({ name, tables, obstacles, startsBeside }: MigrationPlan): Check => {
  const rows = tables.map(
    ({ table, rows }) => `${table} (about ${rows.toLocaleString("en")} rows)`,
  );
  const work =
    rows.length === 0 ? "takes a moment" : `changes wait while it reads ${rows.join(", ")}`;
  if (obstacles.length > 0) {
    return note(
      "migration",
      `${name}: ${work}. It ${obstacles.join(", ")}.`,
      "Stop every process of the installed version first.",
    );
  }
  return startsBeside
    ? ok("migration", `${name}: ${work}; the installed version goes on, and starts again`)
    : note(
        "migration",
        `${name}: ${work}; running processes of the installed version go on.`,
        "A process of the installed version does not start again: the way back is the backup.",
      );
};

const checkMigrations = async (
  config: Config,
): Promise<{ readonly plans: readonly MigrationPlan[]; readonly checks: readonly Check[] }> => {
  const { openDatabase } = await import("../db/open.ts");
  const { appliedMigrations } = await import("../db/migrate.ts");
  const { planMigrations } = await import("../db/upgrade-plan.ts");
  const database = await openDatabase(config, { poolSize: 2 });
  try {
    const rights = await checkRights(database);
    const plans = await planMigrations(database);
    const newest = (await appliedMigrations(database.read)).at(-1) ?? "";
    const early = plans.map(({ name }) => name).filter((name) => name < newest);
    if (early.length > 0) {
      const found = `${early.join(", ")} would have to come before ${newest}, which is in.`;
      const advice =
        "The database is of a development version: keep that one, or begin with a new one.";
      return { plans, checks: [...rights, fault("migration", found, advice)] };
    }
    const none = ok("migration", "none is pending");
    return { plans, checks: [...rights, ...(plans.length > 0 ? plans.map(describePlan) : [none])] };
  } finally {
    await database.close();
  }
};

/** The check with a note in place of a fault: the start does not refuse it, so this version can run. */
const noted = (check: Check): Check =>
  check.status === "fault" ? { ...check, status: "note" } : check;

/** Returns whether a check finds pending migrations, which are no fault here. */
const isPending = ({ name, found }: Check): boolean =>
  name === "migrations" && found.startsWith("Missing:");

const checkUpgrade = async (
  settings: Settings,
  before: readonly string[] | undefined,
): Promise<{ readonly plans: readonly MigrationPlan[]; readonly checks: readonly Check[] }> => {
  let config: Config;
  try {
    config = readConfig(settings.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = `Correct it (settings from ${sourceOf(settings)}).`;
    return {
      plans: [],
      checks: error.problems.map((problem) => fault("settings", problem, advice)),
    };
  }
  giveToOwnerAtEnd(config.dataDir);
  const { isMissing } = await import("../db/place.ts");
  const found = [
    await checkFolder(config),
    ...(await checkOthers(config)).map(noted),
    ...(await checkDatabase(config, false)),
  ];
  const database = found.filter((check) => !isPending(check));
  const works = !isMissing(config) && database.every(({ status }) => status !== "fault");
  const { plans, checks } = works ? await checkMigrations(config) : { plans: [], checks: [] };
  const space = await checkSpace(config.dataDir, "DATA_DIR");
  return {
    plans,
    checks: [
      ...checkSettings(settings, before),
      ...database,
      ...checks,
      noted(await checkBackups(config)),
      // A migration needs room.
      plans.length > 0 ? space : noted(space),
    ],
  };
};

export const upgradeCommand = cliCommand({
  name: "upgrade",
  arguments: [],
  options: {
    check: { type: "boolean", meaning: "Say what would happen, and change nothing." },
    before: {
      type: "string",
      value: "FILE",
      meaning: 'What "parley config --json" of the installed version printed: names new settings.',
    },
  },
  summary: "Say what this version will do to an installation, before it is installed.",
  details:
    'Run it from the new version with the settings of the installation, while that runs: pending\nmigrations with the rows that they read and whether the installed version goes on beside them,\nsettings that are gone or new, database, rights, backups, free disk. Only reads.\nExit code 1 when the upgrade would fail. The start itself, or "parley migrate", upgrades.',
  examples: ["upgrade --check", "upgrade --check --env-file /etc/parley.env --json"],
  async run({ options: { check, before }, ...called }) {
    if (!check)
      throw new UsageError('"parley start" upgrades. Give --check to see what it will do.');
    const settings = installationSettings(called);
    const { checks, plans } = await checkUpgrade(
      settings,
      before === undefined ? undefined : await settingsBefore(before),
    );
    const faults = checks.filter(({ status }) => status === "fault").length;
    const end =
      faults > 0
        ? `${faults} ${faults === 1 ? "thing keeps" : "things keep"} version ${packageJson.version} from running here.`
        : `Version ${packageJson.version} can be installed.`;
    return {
      value: { ok: faults === 0, version: packageJson.version, migrations: plans, checks },
      text: `${showChecks(checks)}\n${end}`,
      failed: faults > 0,
    };
  },
});
