// Runs: always

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** Prints the packages that a service on SQLite, without a media engine and metrics, loads at its start. */
const program = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
    return next(url, context);
  },
});
await import("./server/cli/start.ts");
await import("./server/main.ts");
await import("./server/db/sqlite/open-sqlite.ts");
process.stdout.write(JSON.stringify([...loaded]));
`;

const rarelyNeeded = [
  "@livekit/protocol",
  "@bufbuild/protobuf",
  "prom-client",
  "pg",
  "nodemailer",
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-trace-otlp-proto",
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
  "read-excel-file",
  "ajv",
];

test("a start loads no library that only some services need", () => {
  const packages: string[] = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
    }),
  );
  assert.ok(packages.includes("fastify"), packages.join());
  assert.deepEqual(
    packages.filter((name) => rarelyNeeded.includes(name)),
    [],
  );
});
