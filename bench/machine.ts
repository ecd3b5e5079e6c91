import { cpus, totalmem } from "node:os";
import { DatabaseSync } from "node:sqlite";

/** The machine on which the absolute limits were measured. */
export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly sqlite: string;
  readonly postgres: string | undefined;
}

const sqliteVersion = (): string => {
  const db = new DatabaseSync(":memory:");
  const row = db.prepare("select sqlite_version() as version").get();
  db.close();
  return String(row?.version);
};

export const describeMachine = (postgres: string | undefined): Machine => ({
  cores: cpus().length,
  model: cpus()[0]?.model.trim() ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${process.arch}`,
  node: process.versions.node,
  sqlite: sqliteVersion(),
  postgres,
});
