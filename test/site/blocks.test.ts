// Runs: sqlite, complete

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../packaging/folder.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { door, type Process, startProcess, until } from "../world/process.ts";
import { startSink } from "../world/sink.ts";
import { blocksOf, isSettings, settingsOf } from "./shell.ts";

/** The blocks of a section of a document, by default those for a shell. */
const sectionOf = (file: string, heading: string, language = "sh") => {
  const [, section = ""] = readFileSync(join(root, file), "utf8").split(`\n## ${heading}\n`);
  // PostgreSQL's own programs are not tested here.
  const [own = ""] = section.split(/\n## |\n### To any moment/);
  const blocks = blocksOf(file, own, language);
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
  // The effect of systemctl: the service runs beside the shell.
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
    // The folders that they fill are there already.
    git: ":",
    npm: ":",
  };
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  symlinkSync(DATA_DIR, join(folder, "data"));
  // A clone has the command line too.
  symlinkSync(join(bin, "parley"), join(folder, "parley.js"));
  /** Runs a block as it is in the document; returns its output. */
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

test("the lines of the chapter on upgrades check, back up, stop and start", async (t) => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-upgrade-")), "parley");
  t.after(() => rmSync(dirname(place), { recursive: true }));
  const machine = await startMachine(t, { BACKUP_TO: place });
  const settings = join(machine.folder, "settings");
  writeFileSync(settings, `DATA_DIR=${machine.data}\n`);
  const [check, upgrade] = sectionOf("docs/operating.md", "Upgrade").map(({ text }) =>
    text
      .replaceAll("<this repository>", "it")
      .replaceAll(/\/opt\/parley(-next)?/g, machine.folder)
      .replaceAll("/etc/parley.env", settings),
  );
  assert.match(await machine.run(check ?? ""), /[Mm]igration/);
  await machine.run(upgrade ?? "");
  assert.equal(globSync("*.db", { cwd: place }).length, 1);
  assert.ok((await fetch(`${machine.url()}/readyz`)).ok);
});

test("the lines that take an organization out and delete it do so", async (t) => {
  const machine = await startMachine(t, {});
  await machine.run("parley org create Acme");
  const file = join(machine.folder, "acme.zip");
  const [take, end] = sectionOf("docs/operating.md", "Take an organization out, and delete it").map(
    ({ text }) => text.replaceAll("/var/backups/parley/acme.zip", file),
  );
  await machine.run(take ?? "");
  assert.equal(readFileSync(file).subarray(0, 2).toString(), "PK");
  await machine.run(`echo Acme | ${end}`);
  assert.doesNotMatch(await machine.run("parley org list"), /Acme/);
});

test("the line of the chapter on email sends one", async (t) => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const machine = await startMachine(t, {
    SMTP_URL: sink.url,
    MAIL_FROM: "Parley <a@example.org>",
  });
  const [block] = sectionOf("docs/operating.md", "Email");
  await machine.run(block?.text ?? "");
  await sink.waitFor(1);
});

test("the receiver of the page on webhooks takes the event that its lines send", async (t) => {
  const machine = await startMachine(t, { ALLOWED_NETWORKS: "loopback" });
  const port = await freePort();
  const file = "docs/webhooks.md";
  const document = readFileSync(join(root, file), "utf8");
  const [receiver] = blocksOf(file, document, "js");
  const lines = blocksOf(file, document, "sh").find(({ text }) => text.includes("receiver.mjs"));
  assert.ok(receiver && lines);
  const taken = join(machine.folder, "taken");
  writeFileSync(join(machine.folder, "receiver.mjs"), receiver.text.replace("8080", String(port)));
  const token = (
    await machine.run(`parley access-key create --org "My organization" --json \
      | curl -s ${machine.url()}/api/siteSetting/getAuthToken -H 'Content-Type: application/json' -d @-`)
  ).match(/"token":"([^"]+)"/)?.[1];
  const text = lines.text
    .replaceAll("8080", String(port))
    .replace("http://127.0.0.1:3000", machine.url())
    .replace("receiver.mjs &", `receiver.mjs > ${taken} 2>&1 &`);
  const pid = Number((await machine.run(`TOKEN=${token}\n${text}\necho " $!"`)).split(" ").at(-1));
  t.after(() => process.kill(pid));
  await until("the receiver has the event", () => /type: /.test(readFileSync(taken, "utf8")));
});

test("the hook of the page on HTTPS copies a renewed certificate", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-hook-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const live = join(folder, "letsencrypt/live/meet.example.org");
  for (const path of [live, join(folder, "letsencrypt/renewal-hooks/deploy")]) {
    mkdirSync(path, { recursive: true });
  }
  for (const name of ["fullchain.pem", "privkey.pem"]) writeFileSync(join(live, name), name);
  const hook = blocksOf(
    "docs/https.md",
    readFileSync(join(root, "docs/https.md"), "utf8"),
    "sh",
  ).find(({ text }) => text.includes("renewal-hooks"));
  const text = hook?.text.replaceAll("/etc/", `${folder}/`).replaceAll("-g parley ", "");
  await promisify(execFile)("sh", ["-ec", text ?? ""]);
  const key = join(folder, "parley/tls/privkey.pem");
  assert.equal(readFileSync(key, "utf8"), "privkey.pem");
  assert.equal(statSync(key).mode & 0o777, 0o640);
});

test("the program of the README lists rooms", async (t) => {
  const machine = await startMachine(t, {});
  const [block] = sectionOf("README.md", "Try the interface", "ts");
  const file = join(machine.folder, "rooms.ts");
  writeFileSync(
    file,
    (block?.text ?? "")
      .replace("parley-client", new URL("../../contract/client.ts", import.meta.url).href)
      .replace("http://127.0.0.1:3000", machine.url()),
  );
  const [key] = sectionOf("README.md", "Try the interface");
  await machine.run(
    key?.text.replace("http://127.0.0.1:3000", machine.url()).split("# Her email")[0] ?? "",
  );
  const made = JSON.parse(
    await machine.run('parley access-key create --org "My organization" --json'),
  );
  const printed = await machine.run(
    `ACCESS_KEY=${made.accessKey} SECRET_ACCESS_KEY=${made.secretAccessKey} node ${file}`,
  );
  assert.match(printed, /^\d+ Board meeting$/m);
});
