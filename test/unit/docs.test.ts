// Runs: always

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { test } from "node:test";
import { LARGEST_PAGE, pageSizes } from "../../contract/kit/plain.ts";
import { root } from "../../packaging/folder.ts";
import { slugOf } from "../../packaging/site/documents.ts";
import type { Rate } from "../../server/lib/bucket.ts";
import { CHANGES, COMMANDS, QUALITIES } from "../../server/meetings/state/rate.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const globbed = (pattern: string | string[]): string[] =>
  globSync(pattern, { cwd: root, exclude: (file) => file.includes("node_modules") }).map((file) =>
    file.split(sep).join("/"),
  );

const documents = globbed(["*.md", "docs/**/*.md", "test/README.md"]);
const sources = globbed("{server,contract,console,packaging,bench,test,deploy}/**/*.*");

/** The addresses of the headings of a document. */
const headingsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => slugOf(title));

test("links of the docs lead to files and headings", () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([link, path = "", heading]) => {
        const target = path === "" ? file : join(dirname(file), path);
        const isThere =
          existsSync(join(root, target)) &&
          (heading === undefined || headingsOf(target).includes(heading));
        return isThere ? [] : [`${file}: ${link}`];
      },
    ),
  );
  assert.deepEqual(broken, []);
});

test("source files that the docs name exist", () => {
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(/`([a-z][a-z\d./-]*\.tsx?)`/g)].flatMap(([, path = ""]) =>
      sources.some((source) => source === path || source.endsWith(`/${path}`))
        ? []
        : [`${file}: ${path}`],
    ),
  );
  assert.deepEqual(missing, []);
});

test("tests that docs/promises.md names exist", () => {
  const named = [...read("docs/promises.md").matchAll(/`([a-z]+\/[a-z-]*\*?)`/g)].map(
    ([, name = ""]) => name,
  );
  const missing = new Set(named).values().filter((name) => {
    if (name.endsWith("/")) return !existsSync(join(root, "test", name));
    return globbed([`test/${name}.test.ts`, `test/${name}.ts`]).length === 0;
  });
  assert.ok(named.length > 300);
  assert.deepEqual([...missing], []);
});

test("labels in the pages for guests, hosts and administrators are those of the pages of Parley", () => {
  const messages = new Set(
    globbed("languages/en/*.json").flatMap((file) => Object.values(JSON.parse(read(file)))),
  );
  const unknown = ["join", "host", "administer"].flatMap((name) =>
    [...read(`docs/${name}.md`).matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, label = ""]) =>
      messages.has(label) ? [] : [`docs/${name}.md: ${label}`],
    ),
  );
  assert.deepEqual(unknown, []);
});

const UNITS: Readonly<Record<string, number>> = {
  HOUR_MS: 3_600_000,
  DAY_MS: 86_400_000,
  s: 1_000,
  second: 1_000,
  min: 60_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A constant of the sources, by its name and its file, in any folder. */
const constantOf = (file: string, name: string): number => {
  const declared = new RegExp(`\\b${name}(?: =|:) ([\\w *.]+)[;,]`);
  const [found, ...others] = sources
    .filter((source) => basename(source) === file)
    .flatMap((source) => declared.exec(read(source))?.[1] ?? []);
  assert.ok(found !== undefined, `${name} in ${file}`);
  assert.deepEqual(others, [], `${name} in ${file}`);
  return found
    .split("*")
    .map((factor) => UNITS[factor.trim()] ?? Number(factor.replaceAll("_", "")))
    .reduce((product, factor) => product * factor, 1);
};

const WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const numberOf = (text: string): number =>
  WORDS.includes(text) ? WORDS.indexOf(text) + 1 : Number(text.replaceAll(",", ""));

test("leases in docs/architecture.md last as long as in the code", () => {
  const rows = [
    ...read("docs/architecture.md").matchAll(
      /^\| [^|]+ \| (\d+) (s|min) \| `([A-Z_]+)` in `([\w/.-]+)`/gm,
    ),
  ];
  assert.ok(rows.length >= 9);
  for (const [, count = "", unit = "", name = "", file = ""] of rows) {
    assert.equal(Number(count) * (UNITS[unit] ?? 0), constantOf(basename(file), name), name);
  }
});

/** Pairs of times: the first is shorter than the second, which depends on it. */
const ordered: readonly (readonly [string, string, string, string])[] = [
  ["lease.ts", "DELIVERY_MS", "lease.ts", "MARK_MS"],
  ["lease.ts", "MARK_MS", "lease.ts", "DELIVERY_LEASE_MS"],
  ["disk.ts", "DISK_MS", "hold.ts", "MAKING_LEASE_MS"],
  ["deadline.ts", "WORK_MS", "kept-answers.ts", "REQUEST_LEASE_MS"],
  ["renewals.ts", "RENEW_MS", "lease.ts", "SILENT_MS"],
  ["lease.ts", "SILENT_MS", "claim-seat.ts", "AWAY_MS"],
  ["claim-seat.ts", "AWAY_MS", "sweep.ts", "AFTER_RESTART_MS"],
];

test("times are shorter than those that depend on them", () => {
  for (const [file, name, otherFile, otherName] of ordered) {
    assert.ok(constantOf(file, name) < constantOf(otherFile, otherName), `${name}, ${otherName}`);
  }
});

test("docs/interface.md names the page sizes of the lists of people", () => {
  const last = pageSizes.at(-1);
  const named = `People: ${pageSizes.slice(0, -1).join(", ")} or ${last}.`;
  assert.ok(read("docs/interface.md").includes(named), named);
  assert.equal(LARGEST_PAGE, last);
});

/**
 * A file of docs/ (a page where its name has no ending), its sentence with a number (and a unit, if it is a time),
 * and the constant that it repeats.
 */
const numbers: readonly (readonly [string, RegExp, string, string])[] = [
  ["architecture", /may return for (\d+) (second)s/, "reconnect.ts", "RETURN_MS"],
  [
    "architecture",
    /without a seat from LiveKit, every (\d+) (second)s/,
    "reconcile.ts",
    "RECONCILE_MS",
  ],
  ["scaling", /are answered, after (\d+) (second)s at the latest/, "drain.ts", "LONGEST_MS"],
  ["operating", /pauses that grow to (\d+) (second)s/, "concurrency-limit.ts", "LONGEST_SHUT_MS"],
  ["operating", /After (\w+) (day)s an email is given up/, "round.ts", "KEEP_TRYING_MS"],
  ["meetings", /up to (\w+) people, each browser/, "plain.ts", "DIRECT_SEATS"],
  ["meetings", /kept for (\d+) (second)s from the last sign of life/, "claim-seat.ts", "AWAY_MS"],
  ["meetings", /a page gives one every (\d+) (second)s/, "session.ts", "PING_MS"],
  ["meetings", /the place is kept for (\w+) (minute)s/, "claim-seat.ts", "WAITING_MS"],
  ["meetings", /after closing the page, for (\d+) (second)s/, "reconnect.ts", "RETURN_MS"],
  ["meetings", /admitted meanwhile has (\d+) (second)s/, "seat.ts", "CLAIM_MS"],
  ["meetings", /one that was never entered, after (\d+) (second)s/, "seat.ts", "CLAIM_MS"],
  ["meetings", /For (\d+) (second)s the person may return/, "reconnect.ts", "RETURN_MS"],
  [
    "meetings",
    /a host alone inside has no connection for (\d+) (second)s/,
    "claim-seat.ts",
    "AWAY_MS",
  ],
  ["meetings", /on SQLite seats are kept for (\d+) (second)s/, "sweep.ts", "AFTER_RESTART_MS"],
  ["meetings", /seats are free after (\d+) (second)s/, "sweep.ts", "GHOST_MS"],
  ["scaling", /Parley looks every (\d+) (second)s/, "reconcile.ts", "RECONCILE_MS"],
  ["integrating", /growing pauses, for (\d+) (second)s/, "meeting-client.ts", "PATIENCE"],
  ["webhooks", /2xx within (\d+) (second)s/, "post.ts", "TIMEOUT_MS"],
  ["webhooks", /for (\w+) (day)s from its first try/, "switch-off.ts", "KEEP_TRYING_MS"],
  ["webhooks", /For (\d+) (hour)s after a rotation/, "webhooks.ts", "ROTATION_MS"],
  ["recording", /segments of (\d+) seconds/, "ffmpeg.ts", "SEGMENT_SECONDS"],
  ["moving-in", /at most ([\d,]+) lines and/, "imports.ts", "IMPORT_LINES"],
  ["moving-in", /takes at most (\d+) lines/, "plain.ts", "ALL_LINES"],
  ["moving-in", /kept for (\w+) days/, "imports.ts", "IMPORT_DAYS"],
  ["moving-in", /once, within (\d+) days/, "password-code.ts", "INVITATION_DAYS"],
  ["meetings", /seat is free after (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["meetings", /Seats are kept for (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["integrating", /with the same ticket within (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["interface", /the seat is kept for (\d+) (second)s from/, "claim-seat.ts", "AWAY_MS"],
  ["promises", /keeps its seat for (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["promises", /Connection lost \((\d+) (s)\)/, "claim-seat.ts", "AWAY_MS"],
  ["promises", /Page reloaded \((\d+) (s)\)/, "reconnect.ts", "RETURN_MS"],
  [
    "decisions/0041-a-right-to-enter-is-no-right-to-stay",
    /for (\d+) (second)s after a lost/,
    "claim-seat.ts",
    "AWAY_MS",
  ],
  ["samples/bot.mjs", /is kept for (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["samples/bot.py", /is kept for (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["samples/meeting.js", /is kept for (\d+) (second)s/, "claim-seat.ts", "AWAY_MS"],
  ["promises", /at most (\d+) emails about dates an hour/, "letters.ts", "MOST_TO_ONE"],
  ["promises", /emails start at once, at most (\d+) an hour/, "letters.ts", "MOST_AN_HOUR"],
];

/** Files that repeat how much somebody may send in a meeting: the words around "at once", and the rate. */
const rates: readonly (readonly [string, RegExp, Rate])[] = [
  ["docs/interface.md", /seat may send (\d+) commands at once and (\d+) a second/, COMMANDS],
  ["docs/interface.md", /`promote` (\d+) at once and (\d+) a second/, CHANGES],
  ["docs/interface.md", /`quality` (\d+) at once and one each (\d+) seconds/, QUALITIES],
  ["docs/meetings.md", /floods chat or hands \| (\d+) at once, then (\d+) a second/, CHANGES],
  ["docs/promises.md", /devices, requests: (\d+) at once, then (\d+) a second/, CHANGES],
  ["contract/meetings/socket.ts", /may send (\d+) commands at once and (\d+) a/, COMMANDS],
  ["contract/meetings/socket.ts", /others see (\d+) at once and (\d+) a second/, CHANGES],
  [
    "contract/meetings/socket.ts",
    /`quality` (\d+) at once and one each[\s*]+(\d+) seconds/,
    QUALITIES,
  ],
];

test("docs repeat how much somebody may send in a meeting", () => {
  for (const [file, sentence, { burst, perSecond }] of rates) {
    const [, atOnce, each] = sentence.exec(read(file)) ?? [];
    const pace = perSecond < 1 ? 1 / perSecond : perSecond;
    assert.deepEqual([atOnce, each], [`${burst}`, `${pace}`], `${file}: ${sentence}`);
  }
});

for (const [document, sentence, file, name] of numbers) {
  const path = `docs/${document.includes(".") ? document : `${document}.md`}`;
  test(`${path} and the code have the same ${name} (${file})`, () => {
    const [, count, unit] = sentence.exec(read(path)) ?? [];
    assert.ok(count !== undefined, `No sentence of ${path} fits ${sentence}.`);
    const value = numberOf(count) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN));
    assert.equal(value, constantOf(file, name));
  });
}
