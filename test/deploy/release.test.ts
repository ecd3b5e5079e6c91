// Runs: sqlite, complete

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../packaging/folder.ts";
import { run } from "../generators/tools.ts";

test("one command makes the files of a release, and their checksums are right", async (t) => {
  const to = mkdtempSync(join(tmpdir(), "parley-release-"));
  t.after(() => rmSync(to, { recursive: true, force: true }));
  const args = ["packaging/release.ts", "--to", to, "--tag", `v${packageJson.version}`];
  const made = await run(process.execPath, args, { cwd: root });
  assert.ok(made.ok, made.out);
  const { ok, out } = await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: to });
  assert.ok(ok, out);
  assert.equal(out.match(/: OK$/gm)?.length, 4);
  const sbom = JSON.parse(readFileSync(join(to, `parley-${packageJson.version}.cdx.json`), "utf8"));
  assert.equal(sbom.bomFormat, "CycloneDX");
  assert.ok(sbom.components.some(({ name }: { readonly name: string }) => name === "fastify"));
  assert.match(readFileSync(join(to, "NOTES.md"), "utf8"), /^### /);
  const listed = await run("tar", ["-tzf", `parley-chart-${packageJson.version}.tgz`], { cwd: to });
  assert.match(listed.out, /^parley\/Chart\.yaml$/m);
});
