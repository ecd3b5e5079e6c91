// Runs: sqlite

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { readConfig } from "../../server/config/config.ts";
import { startParley } from "../../server/main.ts";
import { emptyEnvironment } from "../world/world.ts";

const PAGE = "<!doctype html><title>The page</title>";

test("the console's page carries its policy at every address and in every encoding", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-page-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "index.html.gz"), gzipSync(PAGE));
  await writeFile(join(folder, "assets", "x.js"), "1;");
  const config = readConfig(await emptyEnvironment(t, "sqlite"));
  const parley = await startParley(config, { console: { folder }, logTo: { write: () => {} } });
  t.after(() => parley.stop());
  let pages = 0;
  for (const address of [
    ...["/", "/index.html", "/%69ndex.html", "/index.html?x=1", "/index.html.gz", "//index.html"],
    "/index.html/",
    "/INDEX.HTML",
    "/assets/..%2findex.html",
    "/rooms/4711",
    "/assets/none.js",
  ]) {
    for (const encoding of ["identity", "gzip"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await fetch(parley.url + address, {
          method,
          headers: { accept: "text/html", "accept-encoding": encoding },
        });
        if (status !== 200) continue;
        pages += 1;
        const about = `${method} ${address} ${encoding}`;
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'self'/, about);
        assert.equal(headers.get("referrer-policy"), "same-origin", about);
        assert.equal(headers.get("cross-origin-opener-policy"), "same-origin", about);
      }
    }
  }
  assert.ok(pages >= 28, `${pages} pages`);
  const statusOf = async (address: string, accept = "*/*") =>
    (await fetch(parley.url + address, { headers: { accept } })).status;
  for (const [address, accept, status] of [
    ["/", "*/*", 200],
    ["/?utm=1", "*/*", 200],
    ["/", "image/png, text/*;q=0.5", 200],
    ["/", "application/json", 404],
    ["/rooms", "*/*", 404],
  ] as const) {
    assert.equal(await statusOf(address, accept), status, `${address} ${accept}`);
  }
  const script = await fetch(`${parley.url}/assets/x.js`);
  assert.equal(script.headers.get("content-security-policy"), null);
});
