// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../packaging/folder.ts";
import { hide } from "../../server/config/setting.ts";
import { variables } from "../../server/config/variables.ts";

const folder = join(root, "deploy/helm/parley");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const templates = globSync("templates/*", { cwd: folder }).map(read).join("\n");
const values = parse(read("values.yaml"));
const sample = globSync("test/deploy/chart-values/*.yaml", { cwd: root }).map((file) =>
  parse(readFileSync(join(root, file), "utf8")),
);
const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(read("values.schema.json")),
);

test("settings that the chart names exist", () => {
  const known = new Set<string>(Object.values(variables).map(({ name }) => name));
  const named = [
    ...[...templates.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|settings\.(\w+)/g)].map(
      ([word, setting]) => setting ?? word,
    ),
    ...[...read("values.yaml").matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([word]) => word),
    ...[values, ...sample].flatMap(({ settings }) => Object.keys(settings)),
  ];
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test("values are accepted as the schema says, and secret settings are not among them", () => {
  for (const one of [values, ...sample]) assert.ok(accepts(one), JSON.stringify(accepts.errors));
  const refused = [
    "HOST",
    "PORT",
    "DATA_DIR",
    "DATABASE_URL",
    "SMTP_URL",
    "TLS_CERT",
    "TLS_KEY",
    "LIVEKIT_API_KEY",
  ];
  const wrong = Object.values(variables).filter(({ name, ...setting }) => {
    const isSecret = "mask" in setting && setting.mask === hide;
    const value = name === "PUBLIC_URL" ? "https://meet.example.org" : "1";
    return accepts({ settings: { [name]: value } }) === (isSecret || refused.includes(name));
  });
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
  assert.ok(!accepts({ replica: 2 }));
});

test("the paths of the chart's probes exist, and its versions are the program's", () => {
  const paths = [...templates.matchAll(/path: (\/\w+)$/gm)].map(([, path]) => path);
  assert.deepEqual(new Set(paths), new Set(["/healthz", "/readyz", "/metrics"]));
  const served = ["health.ts", "metrics.ts"]
    .map((file) => readFileSync(join(root, "server/http", file), "utf8"))
    .join("\n");
  for (const path of paths) assert.match(served, new RegExp(`"${path}"`));
  const { version, appVersion } = parse(read("Chart.yaml"));
  assert.deepEqual([version, appVersion], [packageJson.version, packageJson.version]);
});

test("the notes of the chart and docs/kubernetes.md find the first sign-in in whole logs", () => {
  const command = read("templates/NOTES.txt").match(/^ *(kubectl .* first)$/m)?.[1] ?? "";
  assert.ok(command.includes("logs --tail=-1"), "a selector shows ten lines of each pod otherwise");
  const made = command
    .replaceAll("{{ .Release.Namespace }}", "parley")
    .replaceAll("{{ .Release.Name }}", "parley");
  const page = readFileSync(join(root, "docs/kubernetes.md"), "utf8");
  assert.ok(page.split("\n").includes(made), made);
});

test("docs/kubernetes.md builds the images under the names that the chart looks for", () => {
  const page = readFileSync(join(root, "docs/kubernetes.md"), "utf8");
  for (const [target, tag] of [
    ["service", packageJson.version],
    ["media", `${packageJson.version}-media`],
  ] as const) {
    assert.ok(page.includes(`--target ${target} -t registry.example.org/parley:${tag} `), target);
  }
});
