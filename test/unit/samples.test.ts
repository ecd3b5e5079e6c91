// Runs: always

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../packaging/folder.ts";
import { findCommand } from "../../server/cli/find-command.ts";
import { parse } from "../../server/cli/parse.ts";
import { describeConfig, readConfig } from "../../server/config/config.ts";
import {
  type Block,
  blocksOf,
  commandsOf,
  isSettings,
  settingsOf,
  writtenBy,
} from "../site/shell.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const documents = globSync(["*.md", "docs/*.md", "packaging/*.md", "test/README.md"], {
  cwd: root,
});
const blocks = documents.flatMap((file) => blocksOf(file, read(file), "sh"));
const scripts = blocks.filter((block) => !isSettings(block));
/** Every command of the docs, with its document. */
const commands = scripts.flatMap((block) =>
  commandsOf(block).map((words) => ({ file: block.file, words })),
);

/** The fault of a command, if it can be found without running it. */
type Check = (args: readonly string[]) => string | undefined;

const ofParley: Check = (args) => {
  if (args.includes("--help")) return undefined;
  try {
    const found = findCommand(args, false);
    if (found === undefined) return "no command";
    parse(found.command, found.rest);
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const isThere = (path: string): boolean =>
  globSync(path.replace(/^\/opt\/parley\//, ""), { cwd: root }).length > 0;

/** A file of the repository that a command copies or links to. */
const ofFiles: Check = (args) =>
  args.find((arg) => /^(?:\/opt\/parley\/)?(?:deploy|docs)\//.test(arg) && !isThere(arg));

const ofUnits: Check = ([verb = "", ...rest]) => {
  if (verb === "daemon-reload") return undefined;
  const [unit = ""] = rest.filter((word) => !word.startsWith("-"));
  const file = unit.includes(".") ? unit : `${unit}.service`;
  return existsSync(join(root, "deploy", file)) ? undefined : `no unit ${file}`;
};

const ofNpm: Check = ([verb = "", ...rest]) => {
  if (!["run", "start", "test"].includes(verb)) return undefined;
  const [name = ""] = verb === "run" ? rest.filter((word) => !word.startsWith("-")) : [verb];
  return name in packageJson.scripts ? undefined : `no script ${name}`;
};

/** Programs of a machine: a document may name these, and each other one is a slip until it is listed. */
const PROGRAMS = new Set(
  "adduser apt cat cd chmod curl date docker echo export git grep helm install journalctl kubectl ls mkdir node openssl pg_basebackup pick podman read_json sh tar xargs".split(
    " ",
  ),
);

/** Scripts that the docs write before they run them. */
const ownScripts = new Set(scripts.flatMap(({ text }) => writtenBy(text).map(([file]) => file)));

const wrongWith = ([program = "", ...args]: readonly string[]): string | undefined => {
  if (program === "parley" || program === "./parley.js") return ofParley(args);
  if (program === "npx") return args[0] === "parley" ? ofParley(args.slice(1)) : undefined;
  if (program === "npm") return ofNpm(args);
  if (program === "systemctl") return ofUnits(args);
  if (program === "cp" || program === "ln") return ofFiles(args);
  return PROGRAMS.has(program) || ownScripts.has(program)
    ? ofFiles(args)
    : `unknown program ${program}`;
};

test("commands in the docs have the words and options that their programs know", () => {
  assert.ok(commands.length > 60);
  const wrong = commands.flatMap(({ file, words }) => {
    const reason = wrongWith(words);
    return reason === undefined ? [] : [`${file}: ${words.join(" ")}: ${reason}`];
  });
  assert.deepEqual(wrong, []);
});

test("a wrong command in a document is found", () => {
  for (const line of [
    "parley backp /tmp/one.db",
    "parley backup --forse x",
    "cd /opt && npm run biuld",
    "systemctl start parlay",
    "cp deploy/parley.servce /etc",
    "A=$(parley org lst) && echo",
    "nonsense",
  ]) {
    const found = commandsOf({ file: "", text: line }).map(wrongWith);
    assert.ok(
      found.some((reason) => reason !== undefined),
      line,
    );
  }
});

test("shell blocks of the docs are read by a shell", { skip: process.platform === "win32" }, () => {
  for (const { file, text } of scripts) {
    const { stderr, status } = spawnSync("sh", ["-n"], {
      input: text.replaceAll(/<this \w+>/g, "X"),
    });
    assert.equal(status, 0, `${file}: ${stderr}\n${text}`);
  }
});

/** Values that a reader replaces by their own. */
const SAMPLES: Readonly<Record<string, string>> = {
  PARLEY_SECRET: "ab".repeat(32),
  TURN_SECRET: "0123456789",
};

test("settings in the docs exist and are accepted", () => {
  const known = new Set(describeConfig({}).map(({ name }) => name));
  const written = scripts.flatMap(({ file, text }) =>
    writtenBy(text).flatMap(([to, content]): readonly Block[] =>
      to.endsWith(".env") ? [{ file, text: content }] : [],
    ),
  );
  const all = [...blocks.filter(isSettings), ...written];
  assert.ok(all.length > 5);
  for (const block of all) {
    const settings = Object.entries(settingsOf(block)).map(([name, value]) => [
      name,
      value === "..." ? (SAMPLES[name] ?? value) : value,
    ]);
    for (const [name = ""] of settings) assert.ok(known.has(name), `${block.file}: ${name}`);
    const whole = {
      ...(block.text.includes("DATABASE_URL") && SAMPLES),
      ...Object.fromEntries(settings),
    };
    assert.doesNotThrow(() => readConfig(whole), `${block.file}: ${block.text}`);
  }
});

test("settings that the docs name with a value exist", () => {
  const known = new Set(describeConfig({}).map(({ name }) => name));
  const unknown = globSync("docs/*.md", { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)=/g)].flatMap(([, name = ""]) =>
      known.has(name) ? [] : [`${file}: ${name}`],
    ),
  );
  assert.deepEqual(unknown, []);
});
