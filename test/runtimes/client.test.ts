// Runs: sqlite, complete
// Needs: browser

import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { makeClientPackage } from "../../packaging/client.ts";
import { root } from "../../packaging/folder.ts";
import { openBrowser } from "../console/browser.ts";
import { installed, run } from "../generators/tools.ts";
import { freePort } from "../world/free-port.ts";
import { startWorld } from "../world/world.ts";

/*
 * The packed client on every runtime that it names, with a real service: a request, a typed failure, and a meeting.
 */

const port = await freePort();
const page = `http://127.0.0.1:${port}`;
const world = await startWorld(test, { environment: { CORS_ORIGINS: page } });
const { accessKey, admin } = await world.tenant();
const given = {
  baseUrl: world.url,
  key: { accessKey: accessKey.accessKey, secretAccessKey: accessKey.secretAccessKey },
  roomOwnerId: admin.id,
};
const expected = {
  codes: ["room_not_found", "peer_not_found"],
  read: "Good morning",
  you: "Ann",
  reason: "left",
};

const home = mkdtempSync(join(tmpdir(), "parley-runtimes-"));
test.after(() => rmSync(home, { recursive: true, force: true }));
const modules = join(home, "node_modules");
// Beside the folder: the compiler writes nothing for modules in one called so.
makeClientPackage(join(home, "client"));
cpSync(join(home, "client"), join(modules, "parley-client"), { recursive: true });
cpSync(join(root, "node_modules/ws"), join(modules, "ws"), { recursive: true });
cpSync(fileURLToPath(new URL("program.js.txt", import.meta.url)), join(home, "program.js"));
writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, type: "module" }));
writeFileSync(
  join(home, "main.js"),
  `import { tryClient } from "./program.js";
  const { WebSocket } = globalThis.WebSocket ? {} : await import("ws");
  const answer = await tryClient({ ...${JSON.stringify(given)}, WebSocket });
  console.log(JSON.stringify(answer));
  `,
);

const { platform } = process;
const arch: string = process.arch;

/** Runtimes as npm has them: the package of this platform, its version, its program, and how it runs a file. */
const runtimes = [
  ...["20.20.2", "22.23.3", "24.9.0"].map((version) => ({
    name: `Node ${version.split(".")[0]}`,
    package: `node-${platform}-${arch}`,
    version,
    program: "bin/node",
    args: [] as string[],
  })),
  {
    name: "Deno",
    package: `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`,
    version: "2.9.6",
    program: "deno",
    args: ["run", "--allow-all", "--node-modules-dir=manual"],
  },
  {
    name: "Bun",
    package: `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`,
    version: "1.4.5",
    program: "bin/bun",
    args: ["run"],
  },
];

for (const { name, package: wanted, version, program, args } of runtimes) {
  test(`the client works on ${name}`, async (t) => {
    const folder = join(root, ".cache/runtimes", name.replace(" ", "-").toLowerCase());
    const path = join(folder, "node_modules", wanted, program);
    const tool = await installed(path, "npm", ["npm", "--version"], async () => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
      const options = ["--ignore-scripts", "--no-audit", "--no-save"];
      await run("npm", ["install", ...options, `${wanted}@${version}`], { cwd: folder });
    });
    if ("missing" in tool) return t.skip(`${name}: ${tool.missing}`);
    const { ok, out } = await run(path, [...args, "main.js"], { cwd: home });
    assert.ok(ok, out);
    assert.deepEqual(JSON.parse(out.trim().split("\n").at(-1) ?? ""), expected);
  });
}

test("the client works in a browser's page of another origin, bundled", async (t) => {
  writeFileSync(
    join(home, "page.js"),
    `import { tryClient } from "./program.js";
    tryClient(${JSON.stringify(given)}).then(
      (answer) => { document.title = JSON.stringify(answer); },
      (error) => { document.title = String(error.stack); },
    );
    `,
  );
  await build({
    root: home,
    logLevel: "silent",
    build: { lib: { entry: join(home, "page.js"), formats: ["es"], fileName: "bundle" } },
  });
  const bundle = join(home, "dist/bundle.js");
  assert.ok(existsSync(bundle));
  const server = createServer((request, response) => {
    if (request.url === "/bundle.js") {
      response.setHeader("content-type", "text/javascript").end(readFileSync(bundle));
    } else {
      response.setHeader("content-type", "text/html");
      response.end(
        '<!doctype html><title>-</title><script type="module" src="/bundle.js"></script>',
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  t.after(() => server.close());
  assert.equal((server.address() as AddressInfo).port, port);
  const browser = await openBrowser(t);
  const shown = await browser.newPage();
  await shown.goto(page);
  await shown.waitForFunction("document.title !== '-'");
  assert.deepEqual(JSON.parse(await shown.title()), expected);
});
