// Runs: sqlite

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findBinary, installedPath } from "../../server/media/binary.ts";
import { installEngine } from "../../server/media/install.ts";
import { type Archive, LIVEKIT_VERSION } from "../../server/media/release.ts";

const skip = process.platform === "win32" ? "Parley does not install LiveKit on Windows" : false;

/** A program that prints its version as LiveKit does; the install needs nothing else of it. */
const programOf = (version: string) => `#!/bin/sh\necho "livekit-server version ${version}"\n`;

let folder = "";
const files = new Map<string, Buffer>();
let truncate = false;
const server = createServer((request, response) => {
  const file = files.get(request.url ?? "");
  if (file === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { "content-length": file.length });
  if (!truncate) return void response.end(file);
  response.write(file.subarray(0, file.length / 2), () => response.destroy());
});
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-install-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves a real archive, made by tar, with a correct description. */
const publish = async (name: string, version = LIVEKIT_VERSION): Promise<Archive> => {
  const at = await mkdtemp(join(folder, "archive-"));
  await writeFile(join(at, "LICENSE"), "A license.\n".repeat(100));
  await writeFile(join(at, "livekit-server"), programOf(version), { mode: 0o755 });
  execFileSync("tar", ["-czf", "out.tar.gz", "LICENSE", "livekit-server"], { cwd: at });
  const packed = await readFile(join(at, "out.tar.gz"));
  files.set(`/${name}`, packed);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}/${name}`,
    bytes: packed.length,
    sha256: createHash("sha256").update(packed).digest("hex"),
  };
};

/** Installs without Go: the PATH has only what the program itself needs. */
const install = async (archive: Archive | undefined) => {
  const dataDir = await mkdtemp(join(folder, "data-"));
  const installing = installEngine({ dataDir, archive, environment: { PATH: "/nowhere" } });
  return { dataDir, installing };
};

const nothingIn = async (dataDir: string): Promise<void> => {
  assert.deepEqual(await readdir(join(dataDir, "livekit")), []);
};

test("an archive with the right size and sum is installed, found, and not fetched again", {
  skip,
}, async () => {
  const archive = await publish("right.tar.gz");
  const { dataDir, installing } = await install(archive);
  assert.deepEqual(await installing, {
    path: installedPath(dataDir),
    version: LIVEKIT_VERSION,
    from: "release",
  });
  const found = await findBinary({ server: undefined, dataDir, path: "" });
  assert.ok(typeof found === "object" && found.from === "DATA_DIR");
  files.delete("/right.tar.gz");
  const again = await installEngine({ dataDir, archive, environment: {} });
  assert.equal(again.from, "there already");
  assert.deepEqual(await readdir(join(dataDir, "livekit")), ["livekit-server"]);
});

test("an archive with another sum is refused before it is unpacked, and leaves nothing", {
  skip,
}, async () => {
  const archive = await publish("sum.tar.gz");
  const { dataDir, installing } = await install({ ...archive, sha256: "0".repeat(64) });
  await assert.rejects(installing, /SHA-256 sum .* Nothing was installed\.$/);
  await nothingIn(dataDir);
});

for (const [what, more] of [
  ["shorter", 1],
  ["longer", -1],
] as const) {
  test(`an archive that is ${what} than it should be is refused, and leaves nothing`, {
    skip,
  }, async () => {
    const archive = await publish(`${what}.tar.gz`);
    const { dataDir, installing } = await install({ ...archive, bytes: archive.bytes + more });
    await assert.rejects(installing, /bytes, not \d+\. Nothing was installed\.$/);
    await nothingIn(dataDir);
  });
}

test("an archive with another version in it is refused, and leaves nothing", { skip }, async () => {
  const { dataDir, installing } = await install(await publish("old.tar.gz", "1.12.0"));
  await assert.rejects(installing, /it is 1\.12\.0, not LiveKit/);
  await nothingIn(dataDir);
});

test("a download that breaks off leaves nothing, and says what to do if Go is not installed", {
  skip,
}, async () => {
  const archive = await publish("broken.tar.gz");
  truncate = true;
  const { dataDir, installing } = await install(archive);
  await assert.rejects(installing, /cannot be downloaded.*Go is not installed.*LIVEKIT_SERVER/s);
  truncate = false;
  await nothingIn(dataDir);
});

test("on a machine without an archive, the message says what to do", { skip }, async () => {
  const { dataDir, installing } = await install(undefined);
  await assert.rejects(installing, /^InstallError: There is no archive for /);
  await nothingIn(dataDir);
});

test("the program is looked for in LIVEKIT_SERVER, then in the data folder, then on the PATH", {
  skip,
}, async () => {
  const { dataDir, installing } = await install(await publish("order.tar.gz"));
  await installing;
  const elsewhere = await mkdtemp(join(folder, "path-"));
  const named = join(elsewhere, "livekit-server");
  await writeFile(named, programOf(LIVEKIT_VERSION), { mode: 0o755 });
  const from = async (server: string | undefined, data: string, path: string) => {
    const found = await findBinary({ server, dataDir: data, path });
    return typeof found === "string" ? found : found.from;
  };
  assert.equal(await from(named, dataDir, elsewhere), "LIVEKIT_SERVER");
  assert.equal(await from(undefined, dataDir, elsewhere), "DATA_DIR");
  assert.equal(await from(undefined, elsewhere, elsewhere), "PATH");
  assert.match(await from(undefined, elsewhere, ""), /^There is no LiveKit server/);
  await writeFile(named, programOf("1.9.12"), { mode: 0o755 });
  assert.match(await from(undefined, elsewhere, elsewhere), /only .*1\.9\.12/);
  assert.match(await from(named, dataDir, ""), /is LiveKit 1\.9\.12; Parley needs/);
  assert.match(await from(join(folder, "none"), dataDir, ""), /not a LiveKit server/);
});
