// Runs: sqlite, complete, unsteady

import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../generators/tools.ts";
import { yamlNamed } from "../site/shell.ts";
import { KUBERNETES, writeSchemas } from "./schemas.ts";
import { helm, kubeconform } from "./tools.ts";

/*
 * The chart with five sets of values (chart-values). PARLEY_RENDER=1 writes what is rendered into `rendered`, to
 * be looked at as a change.
 */

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const chart = at("../../deploy/helm/parley");
const home = mkdtempSync(join(tmpdir(), "parley-chart-"));
test.after(() => rmSync(home, { recursive: true, force: true }));

const tools = await Promise.all([helm(), kubeconform()]);
const missing = tools.flatMap((tool) => ("missing" in tool ? [tool.missing] : []))[0];
const [helmPath = "", kubeconformPath = ""] = tools.map((tool) => "path" in tool && tool.path);
const schemas = missing ? { missing } : await writeSchemas(join(home, "schemas"));
const skip = "missing" in schemas && schemas.missing;

const called = (args: readonly string[]) =>
  run(helmPath || "", args, { env: { PATH: process.env.PATH, HOME: home } });
const template = (...args: readonly string[]) =>
  called(["template", "meet", chart, "--kube-version", KUBERNETES, ...args]);

for (const values of globSync("*.yaml", { cwd: at("chart-values") }).sort()) {
  test(`the chart with ${values} is what Kubernetes accepts, and renders as before`, {
    skip,
  }, async () => {
    const file = join(at("chart-values"), values);
    const linted = await called([
      ...["lint", "--strict", "--kube-version", KUBERNETES, "--values", file, chart],
    ]);
    assert.ok(linted.ok, linted.out);
    const { ok, out } = await template("--values", file);
    assert.ok(ok, out);
    const rendered = join(home, values);
    writeFileSync(rendered, out);
    assert.ok("location" in schemas);
    const checked = await run(kubeconformPath || "", [
      ...["-strict", "-summary", "-schema-location", schemas.location, rendered],
    ]);
    assert.ok(checked.ok, checked.out);
    assert.match(checked.out, /Invalid: 0, Errors: 0, Skipped: 0/);
    const kept = join(at("rendered"), basename(values));
    if (process.env.PARLEY_RENDER) writeFileSync(kept, out);
    assert.equal(out, readFileSync(kept, "utf8"));
  });
}

test("the values and the restore of docs/kubernetes.md are what Kubernetes accepts", {
  skip,
}, async () => {
  const named = (name: string) => yamlNamed(name, "docs/kubernetes.md");
  const file = join(home, "page.yaml");
  writeFileSync(file, named("parley.yaml"));
  const { ok, out } = await template("--values", file);
  assert.ok(ok, out);
  assert.match(out, /host: "?meet.example.org/);
  const rendered = join(home, "page-rendered.yaml");
  writeFileSync(rendered, `${out}---\n${named("restore.yaml")}`);
  assert.ok("location" in schemas);
  const checked = await run(kubeconformPath || "", [
    ...["-strict", "-schema-location", schemas.location, rendered],
  ]);
  assert.ok(checked.ok, checked.out);
  assert.match(out, /image: registry.example.org\/parley:0.1.0\n/);
  assert.match(named("restore.yaml"), /image: registry.example.org\/parley:0.1.0\n/);
});

test("values that cannot work are refused in words", { skip }, async () => {
  const url = ["--set", "settings.PUBLIC_URL=https://meet.example.org"];
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--set", "existingSecret=parley"], /settings\.PUBLIC_URL is missing/],
    [url, /existingSecret is missing/],
    [[...url, "--set", "database=sqlite"], /set replicas to 1/],
    [
      [...url, "--set", "settings.PARLEY_SECRET=x"],
      /\/settings\/PARLEY_SECRET': value must be 'in the secret that existingSecret names'/,
    ],
    [[...url, "--set", "settings.PORT=80"], /\/settings\/PORT': value must be 'left to the chart'/],
    [[...url, "--set", "settings.port=80"], /invalid propertyName 'port'/],
    [[...url, "--set", "replica=3"], /replica/],
    [
      [...url, "--set", "existingSecret=parley", "--set", "backup.schedule=15 3 * * *"],
      /settings\.BACKUP_TO with the bucket/,
    ],
    [
      [...url, "--set", "existingSecret=parley", "--set", "gateway.enabled=true"],
      /gateway\.parentRefs is missing/,
    ],
  ];
  for (const [args, words] of wrong) {
    const { ok, out } = await template(...args);
    assert.ok(!ok, args.join(" "));
    assert.match(out, words);
  }
});

test("a field that Kubernetes does not know is found", { skip }, async () => {
  const { out } = await template("--values", join(at("chart-values"), "gateway.yaml"));
  assert.ok("location" in schemas);
  for (const [right, wrong] of [
    ["runAsNonRoot:", "runAsNoRoot:"],
    ["backendRefs:", "backends:"],
  ] as const) {
    const file = join(home, "wrong.yaml");
    writeFileSync(file, out.replace(right, wrong));
    const checked = await run(kubeconformPath || "", [
      ...["-strict", "-schema-location", schemas.location, file],
    ]);
    assert.ok(!checked.ok, right);
  }
});
