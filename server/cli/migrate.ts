import { cliCommand } from "./command.ts";
import { installationOf } from "./environment.ts";

export const migrateCommand = cliCommand({
  name: "migrate",
  arguments: [],
  options: {},
  summary: "Create or update the tables of the database.",
  details:
    "Every start does this. With several processes on one database, run it once before you start them.",
  examples: ["migrate", "migrate --json"],
  async run(called) {
    const config = await installationOf(called);
    const { openDatabase } = await import("../db/open.ts");
    const { migrate } = await import("../db/migrate.ts");
    const database = await openDatabase(config, { poolSize: 2 });
    try {
      const applied = await migrate(database);
      return {
        value: { applied },
        text:
          applied.length === 0
            ? "The database is up to date."
            : `Brought in: ${applied.join(", ")}. The database is up to date.`,
      };
    } finally {
      await database.close();
    }
  },
});
