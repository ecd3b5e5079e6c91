// Runs: sqlite

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { door, type Process, startProcess, until } from "../world/process.ts";
import { blocksOf, isSettings, settingsOf } from "./shell.ts";

/** The shell blocks of a section of a document. */
const sectionOf = (file: string, heading: string) => {
  const [, section = ""] = readFileSync(join(root, file), "utf8").split(`\n## ${heading}\n`);
  // What PostgreSQL's own programs do is theirs to show.
  const [own = ""] = section.split(/\n## |\n### To any moment/);
  const blocks = blocksOf(file, own, "sh");
  assert.ok(blocks.length > 0, `${file} has no block below ${heading}.`);
  return blocks;
};

/** A machine on which a reader follows the docs: its service, and a shell with the programs that they name. */
const startMachine = async (t: TestContext, settings: Readonly<Record<string, string>>) => {
  const house = await openHouse(t);
  const { DATA_DIR = "" } = house.environment;
  const folder = `${DATA_DIR}-machine`;
  const PORT = String(await freePort());
  const environment = { ...house.environment, ...settings, PORT };
  let service: Process = await startProcess(t, environment);
  // What systemctl asks for: the service runs beside the shell.
  const control = createServer(async ({ url }, response) => {
    if (url === "/stop") await service.end();
    if (url === "/start" && service.hasEnded()) service = await startProcess(t, environment);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(control, "listening");
  t.after(() => control.close());
  const { port } = control.address() as AddressInfo;
  const programs = {
    parley: `exec "${process.execPath}" "${door()}" "$@"`,
    npx: '[ "$1" = parley ] && shift && exec parley "$@"',
    node: `exec "${process.execPath}" "$@"`,
    systemctl: `[ "$2" = parley ] || exit 0; curl -fsS "http://127.0.0.1:${port}/$1"`,
    // Its user is this one.
    install: `mkdir -p "$7" && chmod "$3" "$7"`,
    cp: ":",
  };
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  symlinkSync(DATA_DIR, join(folder, "data"));
  /** Runs a block as it is in the document; returns what it printed. */
  const run = (block: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = {
        ...environment,
        PATH: `${bin}:${process.env.PATH}`,
        PARLEY_ENV_FILE: "/dev/null",
      };
      execFile("sh", ["-ec", block], { cwd: folder, env }, (error, out, err) =>
        error === null ? resolve(out) : reject(new Error(`${block}\n${out}${err}`)),
      );
    });
  return { run, folder, data: DATA_DIR, url: () => service.url };
};

test("the lines of the README make a token, a person, a room and an email", async (t) => {
  const machine = await startMachine(t, {});
  const [block] = sectionOf("README.md", "Try the interface");
  const text = block?.text.replace("http://127.0.0.1:3000", machine.url()) ?? "";
  // The email is written a moment later than the answer that promises it.
  const [before, email = ""] = text.split("# Her email");
  assert.match(await machine.run(before ?? ""), /"name":"Board meeting".*"total":1/s);
  await until("the email is a file", () => globSync(`${machine.data}/mail/*.eml`).length > 0);
  assert.match(email, /data\/mail\/\*\.eml/);
});

test("the lines of the chapter on backups back up and restore, in their order", async (t) => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-backups-")), "parley");
  t.after(() => rmSync(dirname(place), { recursive: true }));
  const today = new Date().toISOString().slice(0, 10);
  const blocks = sectionOf("docs/operating.md", "Back up").map(({ file, text }) => ({
    file,
    text: text.replaceAll("/var/backups/parley", place).replaceAll(/\b\d{4}-\d\d-\d\d\b/g, today),
  }));
  const settings = Object.assign({}, ...blocks.filter(isSettings).map(settingsOf));
  const machine = await startMachine(t, settings);
  for (const { text } of blocks.filter((block) => !isSettings(block))) await machine.run(text);
  assert.ok(globSync("**/*.db", { cwd: place }).length > 0);
  assert.ok((await fetch(`${machine.url()}/readyz`)).ok);
});
