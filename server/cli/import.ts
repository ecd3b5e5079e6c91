import type { Client } from "../../contract/client.ts";
import {
  ALL_LINES,
  type ImportKind,
  type ImportLine,
  importForms,
  importKinds,
} from "../../contract/imports/imports.ts";
import { FILE_BYTES, type SheetColumn } from "../../contract/imports/sheets.ts";
import { templateOf } from "../../contract/imports/template.ts";
import { oneOf } from "../../contract/kit/accepted.ts";
import { csvFile } from "../../contract/kit/csv.ts";
import { asLine } from "../../contract/kit/plain.ts";
import type { Comparison, Moved, OnImportProgress, Result, Upload } from "../imports/remote.ts";
import { type Answer, CommandError, cliCommand, UsageError } from "./command.ts";
import { readGivenFile } from "./given-file.ts";
import { printable } from "./printable.ts";
import { showProgress } from "./progress.ts";
import { OWN_KEY, openService, SOURCE_KEY, withServices } from "./service.ts";
import { pairs, table } from "./table.ts";

/** The most refused lines to show. */
const SHOWN = 20;

const listed = (all: readonly string[]): readonly string[] => [
  ...all.slice(0, SHOWN).map(printable),
  ...(all.length > SHOWN ? [`... and ${(all.length - SHOWN).toLocaleString("en")} more`] : []),
];

const progress = (): OnImportProgress => {
  const shown = new Map<string, (done: number, of: number) => void>();
  return (what, done, of) => {
    const show = shown.get(what) ?? showProgress(what);
    shown.set(what, show);
    show(done, of);
  };
};

const count = (value: number): string => value.toLocaleString("en");

/** A line's changes: each field with its old and new value. */
const changesOf = ({
  name,
  before,
  after,
}: Pick<ImportLine, "name" | "before" | "after">): string => {
  const fields = Object.keys(after ?? {}).map(
    (field) =>
      `${field} ${JSON.stringify(before?.[field] ?? null)} -> ${JSON.stringify(after?.[field])}`,
  );
  return `${name}: ${fields.join(", ")}`;
};

const presentFile = ({ import: one, refused, changing }: Result, dryRun: boolean): Answer => {
  const isDone = one.state === "done";
  const { plan, done } = one;
  const lines = pairs({
    [isDone ? "Created" : "Would create"]: count(isDone ? done.created : plan.create),
    [isDone ? "Changed" : "Would change"]: count(isDone ? done.changed : plan.change),
    "As it was": count(isDone ? done.same : plan.same),
    Refused: count(isDone ? done.refused : plan.refuse),
  });
  const reasons = refused.map(({ line, name, reason }) =>
    name === "" ? `line ${line}: ${reason}` : `line ${line} (${name}): ${reason}`,
  );
  const end = isDone ? [] : [dryRun ? "Nothing was done." : "Nothing was done: not all can be."];
  const ignored =
    one.ignored.length === 0
      ? []
      : [`Columns that nobody knows: ${printable(one.ignored.join(", "))}.`];
  return {
    value: { import: one, refused, ...(dryRun && { changing }) },
    text: [lines, ...listed(changing.map(changesOf)), ...listed(reasons), ...ignored, ...end].join(
      "\n",
    ),
    failed: isDone ? done.refused > 0 : !dryRun || plan.refuse > 0,
  };
};

const presentMove = (
  moved: readonly Moved[],
  compared: readonly Comparison[] | undefined,
): Answer => {
  const isDry = compared === undefined;
  const heading = isDry
    ? ["WHAT", "TO CREATE", "TO CHANGE", "AS IT IS", "REFUSED", "LATER"]
    : ["WHAT", "CREATED", "CHANGED", "AS IT WAS", "REFUSED"];
  const rows = moved.map(({ what, created, changed, same, refused, waiting }) => [
    what,
    ...[created, changed, same, refused.length, ...(isDry ? [waiting] : [])].map(count),
  ]);
  const refused = moved.flatMap((one) => one.refused);
  const reasons = refused.map(({ name, reason }) => `${name}: ${reason}`);
  const value = { moved, compared: compared ?? null };
  const changes = moved.flatMap((one) => one.changing).map(changesOf);
  const start = [table(heading, rows, ""), ...listed(changes), ...listed(reasons), ""];
  if (compared === undefined) {
    const later = moved.some(({ waiting }) => waiting > 0)
      ? " What is to come later needs people who are not there yet, and is checked when they are."
      : "";
    return { value, text: [...start, `Nothing was done.${later}`].join("\n") };
  }
  const both = compared.map(({ what, source, target, identical, different, missing, extra }) => [
    what,
    count(source),
    count(target),
    count(identical),
    ...[different.length, missing.length, extra.length].map(count),
  ]);
  const names = ["COMPARED", "SOURCE", "TARGET", "IDENTICAL", "DIFFERENT", "MISSING", "ONLY HERE"];
  const differences = compared.flatMap(({ different, missing }) => [
    ...different.map(({ name, fields }) => `${name} differs in ${fields.join(", ")}`),
    ...missing.map((name) => `${name} is missing`),
  ]);
  const failed = differences.length > 0;
  const more = compared.flatMap(({ extra }) => extra.map((name) => `${name} is only here`));
  const renamed = compared.flatMap((one) =>
    one.renamed.map(
      ({ name, source, target }) => `${name} has the ID ${target} here, not ${source}`,
    ),
  );
  const last = failed ? listed(differences) : ["Everything of the source is here, and the same."];
  const said = [...listed(more), ...listed(renamed), ...last];
  const text = [...start, table(names, both, ""), "", ...said].join("\n");
  return { value, text, failed };
};

/** @throws UsageError where no kind is given */
const needed = (kind: ImportKind | undefined): ImportKind => {
  if (kind === undefined) throw new UsageError(`--kind is one of ${importKinds.join(", ")}.`);
  return kind;
};

/** The columns of `--map`: "Heading=field", joined by semicolons. */
const mapped = (columns: readonly SheetColumn[], map: string): (string | null)[] => {
  const wishes = new Map(
    map.split(";").map((one) => {
      const [, heading = "", field = ""] = /^(.*)=([^=]*)$/.exec(one) ?? [];
      return [heading.trim().toLowerCase(), field.trim() || null];
    }),
  );
  const assigned = columns.map(({ heading, field }) => {
    const key = heading.trim().toLowerCase();
    const wish = wishes.get(key);
    wishes.delete(key);
    return wish === undefined ? field : wish;
  });
  const [unknown] = wishes.keys();
  if (unknown !== undefined) throw new UsageError(`--map: the file has no column "${unknown}".`);
  return assigned;
};

/** A file to send; refuses one that is too long for one import before it is stored. */
const uploadOf = async (
  client: Client,
  file: string,
  given: Pick<Upload, "kind" | "form">,
  { map, all }: { readonly map: string | undefined; readonly all: boolean },
): Promise<Upload> => {
  const content = await readGivenFile(file);
  const name = asLine(file.replace(/^.*[/\\]/, ""));
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const upload = { ...given, timeZone, file: content.toString("base64") };
  if (content.length > FILE_BYTES) {
    throw new CommandError(`${name} is larger than 1 MB. Import it in parts.`);
  }
  const look = await client.readImport(upload);
  if (all && look.lines > ALL_LINES) {
    throw new CommandError(
      `${name} has ${count(look.lines)} lines, and --all takes at most ${ALL_LINES}. Without --all every line that can be is imported, and the others are named. Or import it in parts.`,
    );
  }
  if (map === undefined && !look.remembered) return { ...upload, name };
  const columns =
    map === undefined ? look.columns.map(({ field }) => field) : mapped(look.columns, map);
  return { ...upload, name, columns };
};

/** Refuses options that need a file if there is none. */
const refuseWithFrom = (options: Readonly<Record<string, unknown>>): void => {
  const meaningless = ["kind", "form", "map", "all"].filter((name) => options[name]);
  if (meaningless.length === 0) return;
  const flags = meaningless.map((name) => `--${name}`).join(", ");
  throw new UsageError(
    `${flags}: only for FILE. --from brings people and rooms, every one that can be.`,
  );
};

/** A file to fill in. */
const templateFor = (kind: ImportKind): Answer => {
  const { columns, rows } = templateOf(kind);
  return { value: rows, text: csvFile(columns, rows), isFile: true };
};

export const importCommand = cliCommand({
  name: "import",
  arguments: ["[FILE]"],
  options: {
    kind: {
      type: "string",
      value: "KIND",
      meaning: "What FILE contains.",
      accepts: oneOf(importKinds),
    },
    form: {
      type: "string",
      value: "FORM",
      meaning: "Whose form FILE has. Default: recognized by its columns.",
      accepts: oneOf(importForms),
    },
    map: {
      type: "string",
      value: "COLUMNS",
      meaning:
        'What columns fill: "Heading=field;Other=" (nothing: skipped). Remembered for the next file.',
    },
    template: {
      type: "boolean",
      meaning: "Write a file of this --kind to fill in, and do nothing else.",
    },
    from: {
      type: "string",
      value: "URL",
      meaning: "Instead of FILE: a running service that speaks the same interface.",
    },
    to: {
      type: "string",
      value: "URL",
      meaning: "The service to import into. Default: PUBLIC_URL.",
    },
    all: {
      type: "boolean",
      meaning: `Import all lines of FILE or none: at most ${ALL_LINES} lines. Default: those that can be.`,
    },
    emails: {
      type: "boolean",
      meaning: "Send new people a link to choose a password (default: no email).",
    },
    "dry-run": { type: "boolean", meaning: "Only show what would be done." },
  },
  summary: "Import people or rooms from a file, or everything from a running service.",
  details:
    "FILE is .xlsx, CSV or JSON, of at most 5,000 lines and 1 MB; docs/moving-in.md has its columns.\nThe access key of the service comes from PARLEY_ACCESS_KEY and PARLEY_SECRET_ACCESS_KEY, that of the\nsource from PARLEY_FROM_ACCESS_KEY and PARLEY_FROM_SECRET_ACCESS_KEY. --from brings people,\nroles, states, rooms and owners with their IDs, without passwords, and ends with a comparison of\nboth sides. Run it again to bring changes, or after an interruption.",
  examples: [
    "import people.xlsx --kind users --dry-run",
    'import people.csv --kind users --map "Kostenstelle=location"',
    "import --kind users --template > people.csv",
    "import rooms.json --kind rooms --all",
    "import --from https://old.example.org --emails",
  ],
  async run({ arguments: [file], options, ...called }) {
    const {
      kind,
      form = "parley",
      map,
      template,
      from,
      to,
      all,
      emails,
      "dry-run": dryRun,
    } = options;
    if (template) return templateFor(needed(kind));
    if (from !== undefined) refuseWithFrom(options);
    const { client, baseUrl } = await openService(called, { url: to, keys: OWN_KEY });
    const { compare, moveContent, runImport } = await import("../imports/remote.ts");
    if (file !== undefined && from === undefined) {
      const given = {
        kind: needed(kind),
        form: form,
      };
      const wish = { mode: all ? "all" : "possible", emails, dryRun } as const;
      return withServices(async () => {
        const upload = await uploadOf(client, file, given, { map, all });
        return presentFile(await runImport(client, upload, wish, progress()), dryRun);
      });
    }
    if (from === undefined || file !== undefined) {
      throw new UsageError('Give FILE or --from URL. See "parley import --help".');
    }
    const source = await openService(called, { url: from, keys: SOURCE_KEY });
    if (source.baseUrl === baseUrl) throw new UsageError("--from and --to are the same service.");
    const { readContent } = await import("../imports/read-service.ts");
    return withServices(async () => {
      const content = await readContent(source.client);
      const moved = await moveContent(client, content, { emails, dryRun }, progress());
      if (dryRun) return presentMove(moved, undefined);
      return presentMove(moved, compare(content, await readContent(client)));
    });
  },
});
