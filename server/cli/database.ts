import { type Organization, openOrganization, operator } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import { isMissing, isShared } from "../db/place.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { type Called, CommandError } from "./command.ts";
import { installationOf } from "./environment.ts";

/** The advice without a database. */
export const missingLine = (config: Config): string =>
  isShared(config)
    ? 'The database of DATABASE_URL is empty. "parley start" or "parley migrate" makes its tables.'
    : `There is no Parley in ${config.dataDir} yet. "parley start" makes it ("parley migrate" only its tables); where yours is elsewhere, set DATA_DIR, or give its settings with --env-file.`;

interface OpenInstallation {
  readonly database: Database;
  readonly config: Config;
}

interface WithDatabase {
  /** For bulk writes. */
  readonly bulk?: boolean;
}

/**
 * Runs work on this installation's database, whether or not the service runs. Never makes one: a
 * database in the wrong folder would be found much later.
 *
 * @throws CommandError if there is no database, or it is older than this version
 */
export const withDatabase = async <T>(
  called: Called,
  work: (installation: OpenInstallation) => Promise<T>,
  { bulk = false }: WithDatabase = {},
): Promise<T> => {
  const config = await installationOf(called);
  if (isMissing(config)) throw new CommandError(missingLine(config));
  const { openDatabase } = await import("../db/open.ts");
  const { appliedMigrations, migrate, pendingMigrations, refuseUnknown } = await import(
    "../db/migrate.ts"
  );
  const database = await openDatabase(config, { poolSize: 2, bulk });
  try {
    if ((await appliedMigrations(database.read)).length === 0) {
      throw new CommandError(missingLine(config));
    }
    await refuseUnknown(database.read);
    if ((await pendingMigrations(database.read)).length > 0) {
      throw new CommandError(
        'The database is of an older version: "parley migrate" brings it up to date, and so does the next start.',
      );
    }
    // The list of the migrations from before the first release is replaced.
    await migrate(database);
    return await work({ database, config });
  } finally {
    await database.close();
  }
};

/**
 * Runs work on one organization.
 *
 * @throws OrganizationError if there is none with this ID or name
 */
export const withOrganization = <T>(
  called: Called,
  idOrName: string,
  work: (
    organization: Organization,
    row: OrganizationRow,
    installation: OpenInstallation,
  ) => Promise<T>,
  options: WithDatabase = {},
): Promise<T> =>
  withDatabase(
    called,
    async (installation) => {
      const { organizationNamed } = await import("../organizations/organizations.ts");
      const row = await organizationNamed(installation.database.read, idOrName);
      return work(openOrganization(installation.database, row.id, operator), row, installation);
    },
    options,
  );
