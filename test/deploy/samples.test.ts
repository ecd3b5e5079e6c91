// Runs: sqlite, complete
// Needs: nginx

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { withoutNginx } from "../run/programs.ts";
import { unpacked } from "../run/unpacked.ts";
import { blocksOf } from "../site/shell.ts";

/*
 * Samples that no other test runs, checked by their own programs; http/proxies runs nginx and HAProxy.
 */

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const caddy = unpacked("caddy", "usr/bin/caddy");
const withoutCaddy = caddy === undefined && "Debian's package of Caddy cannot be had";

test("Caddy takes the sample", { skip: withoutCaddy }, () => {
  const file = join(root, "deploy/Caddyfile");
  const checked = spawnSync(caddy ?? "", ["validate", "--adapter", "caddyfile", "--config", file]);
  assert.equal(checked.status, 0, String(checked.stderr));
});

test("nginx takes the lines for a path with those of the sample", { skip: withoutNginx() }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-sample-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [lines] = blocksOf("docs/https.md", read("docs/https.md"), "nginx");
  assert.ok(lines);
  const sample = read("deploy/nginx.conf")
    .replaceAll(/^\s*ssl_certificate.*$/gm, "")
    .replaceAll(" ssl http2", "")
    .replaceAll("/var/log/nginx", folder)
    .replace(/\}\s*$/, `${lines.text}}`);
  const config = join(folder, "nginx.conf");
  writeFileSync(config, `pid ${folder}/pid; events {} http { ${sample} }`);
  const checked = spawnSync("nginx", ["-t", "-p", folder, "-e", "stderr", "-c", config]);
  assert.equal(checked.status, 0, String(checked.stderr));
});
