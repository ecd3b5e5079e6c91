// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { documentPath } from "../../server/http/openapi.ts";
import { all } from "../isolation/rows.ts";
import { requestFor, send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { at, documentOf, served } from "./served-document.ts";

test("P-OPS-13: the OpenAPI document is valid, and every reference in it resolves", async (t) => {
  const world = await startWorld(t);
  const document = await documentOf(world.url);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, null, 1)?.slice(0, 2000));
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, to]) => to,
  );
  assert.ok(references.length > 0);
  for (const reference of new Set(references)) {
    assert.ok(at(document, reference ?? ""), `${reference} leads nowhere`);
  }
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length, "each operation has an ID of its own");
});

test("P-OPS-13: the service, its document and the contract have the same operations", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const authorization = `Bearer ${token}`;
  const { paths } = await documentOf(world.url);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const contract = all.map(([, operation]) => `${operation.method} ${documentPath(operation)}`);
  assert.deepEqual(documented.sort(), contract.sort());
  // Each is served: no answer says that the address or the method is unknown.
  for (const [id, operation] of all) {
    const { path } = requestFor(operation, operation.in === "path" ? { id: "none" } : undefined);
    const { method } = operation;
    const { body } = await send(
      world.url,
      { method, path, body: method === "GET" ? undefined : "" },
      { authorization },
    );
    assert.ok(!["not_found", "method_not_allowed"].includes(body.code), id);
    if (id === "signOut") break;
  }
});

test("P-OPS-13: each operation documents its parameters, its body, its success and every refusal", async (t) => {
  const world = await startWorld(t);
  for (const [id, operation, entry] of await served(world.url)) {
    const described = entry as {
      readonly operationId: string;
      readonly responses: Readonly<Record<string, { readonly description: string }>>;
      readonly requestBody?: unknown;
      readonly parameters?: readonly {
        readonly name: string;
        readonly in: string;
        readonly required: boolean;
      }[];
    };
    const { responses, parameters = [] } = described;
    assert.equal(described.operationId, id);
    assert.ok(responses[operation.status], id);
    if (operation.otherStatus) assert.ok(responses[operation.otherStatus.status], id);
    const listed = Object.values(responses)
      .map(({ description }) => `${description}`)
      .join();
    for (const code of operation.refusals)
      assert.ok(listed.includes(`\`${code}\``), `${id}: ${code}`);
    if (operation.access !== "anyone") assert.ok(responses[401], id);
    assert.equal(operation.in === "body", described.requestBody !== undefined, id);
    for (const [, name] of documentPath(operation).matchAll(/\{(\w+)\}/g)) {
      assert.ok(
        parameters.some((one) => one.name === name && one.in === "path" && one.required),
        id,
      );
    }
  }
});

test("P-OPS-13: nothing is served at the addresses that attackers try first", async (t) => {
  const world = await startWorld(t);
  const tried = [
    "/debug",
    "/api/debug",
    "/.env",
    "/.git/config",
    "/server/main.ts",
    "/package.json",
    "/admin",
    "/swagger.json",
    "/api-docs",
    "/actuator/health",
    "/metrics",
    "/status",
    "/graphql",
    "/console",
    ...[
      "/docs/../package.json",
      "/docs/..%2fpackage.json",
      "/docs/%2e%2e/package.json",
      "/docs//etc/passwd",
    ],
    "/docs/page.css.map",
    "/docs/package.json",
    "/docs/index.html",
    "/data/parley.db",
  ];
  for (const path of tried) {
    const { status, body } = await send(world.url, { method: "GET", path });
    assert.ok(status === 404 || status === 401, `${path}: ${status}`);
    assert.equal(body.success, false, path);
  }
});
