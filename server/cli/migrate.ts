import { command } from "./command.ts";
import { installationOf } from "./environment.ts";

export const migrateCommand = command({
  name: "migrate",
  arguments: [],
  options: {},
  summary: "Bring the database up to date.",
  details:
    "Each start does so by itself. With several processes on one database it is better done once,\nbefore them. Nothing happens where there is nothing to do.",
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
