import type { TableComparison } from "../db/backup/copy.ts";
import type { Answer } from "./command.ts";
import { CommandError, cliCommand } from "./command.ts";
import { giveToOwnerAtEnd, installationOf } from "./environment.ts";
import { explain } from "./explain.ts";
import { showProgress } from "./progress.ts";
import { table } from "./table.ts";

const isSame = ({ source, target }: TableComparison): boolean =>
  source.rows === target.rows && source.digest === target.digest;

const answerWith = (tables: readonly TableComparison[], lines: readonly string[]): Answer => {
  const heading = ["TABLE", "SOURCE", "TARGET", "COMPARED"];
  const rows = tables.map((one) => [
    one.table,
    one.source.rows.toLocaleString("en"),
    one.target.rows.toLocaleString("en"),
    isSame(one) ? "identical" : "DIFFERENT",
  ]);
  const failed = !tables.every(isSame);
  return {
    value: { copied: !failed, tables: tables.map((one) => ({ ...one, identical: isSame(one) })) },
    text: [table(heading, rows, ""), "", ...lines].join("\n"),
    failed,
  };
};

export const copy = cliCommand({
  name: "copy",
  arguments: [],
  options: {
    to: { type: "string", value: "URL", meaning: "The database to fill.", required: true },
    from: { type: "string", value: "URL", meaning: "The one to copy. Default: the current one." },
  },
  summary: "Copy the whole database to another one: from SQLite to PostgreSQL, or back.",
  details:
    "A URL is postgres://user:password@host:port/name, sqlite:FOLDER (a data folder) or sqlite: for\nthe one in DATA_DIR. The target must be empty. Every row is read back and compared; an\ninterrupted copy leaves the target empty. Stop the service first: on SQLite it must not run, on\nPostgreSQL its writes during the copy are not copied. Files of recordings are not copied: keep\nDATA_DIR, or copy its folder recordings.",
  examples: ["copy --to postgres://parley@localhost/parley", "copy --to sqlite:"],
  async run({ options: { to, from }, ...called }) {
    const config = await installationOf(called);
    const { removeDraftsOnSignals } = await import("../db/backup/files.ts");
    const { CopyDiffers, copyTo } = await import("../db/backup/copy.ts");
    const { describePlace, placeOf } = await import("../db/backup/place.ts");
    const { isShared } = await import("../db/place.ts");
    removeDraftsOnSignals();
    const source = from === undefined ? config : placeOf(from, config);
    const target = placeOf(to, config);
    giveToOwnerAtEnd(target.dataDir);
    try {
      const { tables, connected } = await copyTo(source, target, showProgress("rows"));
      const secret =
        !isShared(source) && config.secret === undefined
          ? ` and PARLEY_SECRET to what ${source.dataDir}/secret.key holds`
          : " and keep PARLEY_SECRET as it is";
      const lines = [
        `Every row of ${describePlace(source)} is in ${describePlace(target)}, read back and compared.`,
        isShared(target)
          ? `To use it, set DATABASE_URL to it${secret}.`
          : `To use it, unset DATABASE_URL, set DATA_DIR to ${target.dataDir}${secret}.`,
        "Start only one of the two: waiting emails are in both, and would be sent twice.",
        ...(connected === 0
          ? []
          : ["A service was connected to the source: what it wrote meanwhile is not in the copy."]),
      ];
      return answerWith(tables, lines);
    } catch (error) {
      if (error instanceof CopyDiffers) return answerWith(error.tables, [error.message]);
      const { CopySideError } = await import("../db/errors.ts");
      const isSide = error instanceof CopySideError;
      const named = { target: "--to", source: from === undefined ? undefined : "--from" };
      const names = isSide ? named[error.side] : "--to and --from";
      const line = explain(isSide ? error.cause : error);
      throw new CommandError(
        names === undefined ? line : line.replaceAll(/DATABASE_URL|DATA_DIR/g, names),
      );
    }
  },
});
