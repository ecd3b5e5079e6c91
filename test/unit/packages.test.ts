// Runs: alone, complete

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { makeClientPackage } from "../../packaging/client.ts";
import { root } from "../../packaging/folder.ts";
import { makeProgramPackage } from "../../packaging/program.ts";

/** The host's PATH: without the Node of this repository. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.startsWith(join(root, "node_modules")))
  .join(delimiter);
const env = { PATH, HOME: process.env.HOME, npm_config_cache: process.env.npm_config_cache };

const run = async (cwd: string, command: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, env })).stdout;

/** The folder of a user who has installed both packages, offline, from their files. */
const install = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-packages-"));
  makeClientPackage(join(folder, "client"));
  await makeProgramPackage(join(folder, "program"));
  // Node itself would only cost time, a hundred megabytes to pack and unpack: a script stands in for it.
  const [binary = ""] = globSync("program/node_modules/node-*/bin/node", { cwd: folder });
  assert.ok(statSync(join(folder, binary)).size > 50_000_000);
  writeFileSync(join(folder, binary), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  await run(folder, "npm", "pack", "./client", "./program", "--pack-destination", folder);
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{ "private": true, "type": "module" }');
  const files = globSync("*.tgz", { cwd: folder }).map((file) => `../${file}`);
  await run(home, "npm", "install", "--offline", ...files);
  return home;
};

/** A user's code for the client. */
const script = (url: string, key: object) => `
  import { createClient, pagesOf, ParleyError, tokensByAccessKey } from "parley-client";
  const baseUrl = ${JSON.stringify(url)};
  const token = tokensByAccessKey({ baseUrl, ...${JSON.stringify(key)} });
  const parley = createClient({ baseUrl, token });
  const account = { email: "ann@example.org", name: "Ann", loginUrl: "https://example.org/" };
  const { user } = await parley.createUser(account);
  for (const name of ["One", "Two", "Three"]) await parley.createRoom({ name, roomOwnerId: user.id });
  const names = [];
  for await (const { roomSettings } of pagesOf(parley.listRooms, { limit: 2 })) {
    names.push(roomSettings.map(({ name }) => name));
  }
  const failure = await parley.fetchRoom({ id: "none" }).catch((error) => error);
  const refused = failure instanceof ParleyError && failure.code;
  const page = await (await fetch(baseUrl, { headers: { accept: "text/html" } })).text();
  const console = page.includes("<script");
  process.stdout.write(JSON.stringify({ node: process.version, names, refused, console }));
`;

test("both packages install from their files without a registry, and work on the host's Node", async (t) => {
  const host = (await run(tmpdir(), "node", "--version")).trim();
  const home = await install();
  // npm and npx put this folder before the host's PATH: it must not contain a `node`.
  assert.deepEqual(globSync("*", { cwd: join(home, "node_modules/.bin") }), ["parley"]);

  // Nothing ran during the install: some dependencies have scripts that report to third parties.
  const scripts = globSync("**/package.json", { cwd: join(home, "node_modules") }).filter(
    (file) => {
      const { scripts } = JSON.parse(readFileSync(join(home, "node_modules", file), "utf8"));
      return ["preinstall", "install", "postinstall"].some((name) => scripts?.[name] !== undefined);
    },
  );
  assert.deepEqual(scripts, []);

  // Files to which the manual in the package links are in the package.
  const program = join(home, "node_modules/parley");
  for (const name of [
    "moving-in.md",
    "operating.md",
    "https.md",
    "scaling.md",
    "meetings.md",
    "embedding.md",
    "recording.md",
  ]) {
    const manual = readFileSync(join(program, "docs", name), "utf8");
    const links = [...manual.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = ""]) => link);
    assert.ok(links.length > 0);
    for (const link of links) assert.ok(existsSync(join(program, "docs", link)), link);
  }

  const service = spawn("npx", ["parley", "start", "--json"], {
    cwd: home,
    env: { ...env, PORT: "0", DRAIN_SECONDS: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(service, "close");
  t.after(async () => {
    process.kill(-(service.pid ?? 0), "SIGTERM");
    await ended;
  });
  let [out, errors] = ["", ""];
  service.stdout.setEncoding("utf8");
  service.stderr.setEncoding("utf8").on("data", (piece: string) => {
    errors += piece;
  });
  for await (const piece of service.stdout) {
    out += piece;
    if (out.endsWith("\n}\n")) break;
  }
  assert.ok(out.endsWith("\n}\n"), out + errors);
  const { url, firstStart } = JSON.parse(out);

  writeFileSync(join(home, "use.js"), script(url, firstStart.accessKey));
  assert.deepEqual(JSON.parse(await run(home, "node", "use.js")), {
    node: host,
    names: [["One", "Three"], ["Two"]],
    refused: "room_not_found",
    console: true,
  });

  // Only the client: its size, its dependencies, and the same types as in the repository.
  const client = join(home, "node_modules/parley-client");
  const files = globSync("*", { cwd: client });
  const codes = files.filter((name) => name.endsWith(".js"));
  const sizeOf = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + statSync(join(client, name)).size, 0);
  assert.ok(sizeOf(files) < 285_000, `the client takes ${sizeOf(files)} bytes`);
  assert.ok(sizeOf(codes) < 40_000, `its code takes ${sizeOf(codes)} bytes`);
  for (const name of codes) assert.doesNotMatch(readFileSync(join(client, name), "utf8"), /zod/i);
  assert.equal(
    JSON.parse(readFileSync(join(client, "package.json"), "utf8")).dependencies,
    undefined,
  );
  const readme = readFileSync(join(client, "README.md"), "utf8");
  assert.match(readme, /The code takes \d+ kB, \d+ kB compressed; the types take \d+ kB\./);
  // The size in the README of the repository, within a tenth.
  const { size } = statSync(join(home, "../parley-client-0.1.0.tgz"));
  const stated = /the typed client alone \((\d+) kB packed/.exec(
    readFileSync(join(root, "README.md"), "utf8"),
  );
  const kilobytes = Number(stated?.[1]);
  assert.ok(Math.abs(kilobytes - size / 1000) < kilobytes / 10, `it takes ${size} bytes`);
  const { main, types: declared } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  for (const name of [main, declared]) assert.ok(existsSync(join(client, name)), name);
  // The records are exported.
  writeFileSync(
    join(home, "records.ts"),
    `import type { Client, Pagination, PeerType, Person, Room, RoomEdit } from "parley-client";
    export const rename = async (parley: Client, room: Room): Promise<Room> => {
      const edit: RoomEdit = { ...room, name: "Board room" };
      return (await parley.editRoom(edit)).roomSetting;
    };
    export const first = async (parley: Client): Promise<[Person | undefined, Pagination]> => {
      const { users, pagination } = await parley.listUsers({ role: "moderator" });
      return [users[0], pagination];
    };
    export const type: PeerType = "viewer";
    `,
  );
  const types = readFileSync(join(root, "test/http/client-types.ts"), "utf8");
  writeFileSync(join(home, "types.ts"), types.replace('"parley/client"', '"parley-client"'));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--lib", "esnext,dom"];
  await run(
    home,
    process.execPath,
    compiler,
    "--noEmit",
    ...strict,
    "--module",
    "nodenext",
    "types.ts",
    "records.ts",
  );
});

test("a clone has `parley/client` without a build", async () => {
  const { createClient, pagesOf } = await import("parley/client");
  assert.equal(typeof createClient().listRooms, "function");
  assert.equal(typeof pagesOf, "function");
});
