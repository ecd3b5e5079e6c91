// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString, makeDocumentFromString } from "@redocly/openapi-core";
import { links } from "../../contract/docs/links.ts";
import { operations } from "../../contract/index.ts";
import { documentPath } from "../../server/http/openapi.ts";
import { startWorld } from "../world/world.ts";
import { at, documentOf, resolved } from "./served-document.ts";

/*
 * Rules of the OpenAPI document that generators of clients need, in many languages (decision 0070).
 */

type Json = Record<string, unknown>;

const world = await startWorld(test, {
  environment: { PUBLIC_URL: "https://meet.example.org/video" },
});
const document = await documentOf(world.url);

/** The requests' records, by name. */
const requests = (): readonly Json[] =>
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => {
      const { content } = (requestBody ?? { content: {} }) as { readonly content: Json };
      return Object.values(content).map((one) => (one as { readonly schema: Json }).schema);
    });

/** Every schema of the document with its place, also within others. */
function* schemasIn(part: unknown, place: string): Generator<[string, Json]> {
  if (typeof part !== "object" || part === null) return;
  for (const [key, one] of Object.entries(part)) {
    // Examples hold anything.
    if (key === "example" || key === "examples" || key === "default") continue;
    const here = `${place}/${key}`;
    if (["schema", "items"].includes(key) || /\/(?:schemas|properties|anyOf)$/.test(place))
      yield [here, one as Json];
    yield* schemasIn(one, here);
  }
}
const schemas = () => [...schemasIn(document, "")];

test("P-OPS-19: records have names: an object with fields is in the components, once", () => {
  const inline = schemas().filter(
    ([place, { properties }]) => properties && !/^\/components\/schemas\/\w+$/.test(place),
  );
  assert.deepEqual(inline, []);
  const names = Object.keys(document.components.schemas ?? {});
  for (const name of ["Room", "Person", "Pagination", "Meeting", "Peer", "Recording", "Webhook"])
    assert.ok(names.includes(name), name);
  for (const name of [
    "Delivery",
    "HistoryEntry",
    "ImportRecord",
    "AccessKey",
    "PeerType",
    "SortOrder",
  ])
    assert.ok(names.includes(name), name);
  for (const name of ["RoomInput", "RoomEdit", "PersonInput", "PersonEdit"])
    assert.ok(names.includes(name), name);
  // Requests and answers of two operations may be alike; records may not.
  const records = Object.entries(document.components.schemas ?? {}).filter(
    ([name, { properties }]) => properties && !/(?:Request|Answer)$/.test(name),
  );
  const texts = records.map(([, one]) => JSON.stringify(one.properties));
  const copies = records.filter((_, place) => texts.indexOf(texts[place] ?? "") !== place);
  assert.deepEqual(
    copies.map(([name]) => name),
    [],
  );
});

test("P-OPS-19: every value has a type, no boolean a single value, no default stands beside a choice", () => {
  for (const [place, schema] of schemas()) {
    const { type, enum: words, anyOf, $ref } = schema;
    const isAny = place.endsWith("/now");
    assert.ok(isAny || type || anyOf || $ref, `${place} has no type`);
    assert.ok(!("const" in schema), `${place} has a const`);
    if (words) assert.equal(typeof type, "string", place);
    if (anyOf) assert.ok(!("default" in schema), `${place} has a default beside a choice`);
    const types = Array.isArray(type) ? type : [type];
    const real = types.filter((one) => one !== "null");
    assert.ok(real.length <= 1, `${place} has several types`);
  }
});

test("P-OPS-19: the code of a failure is open for later codes", () => {
  const { Failure, FieldError, Reason } = document.components.schemas ?? {};
  for (const one of [Failure, FieldError, Reason]) {
    const { code } = (one ?? assert.fail()).properties as { readonly code: Json };
    assert.equal(code.type, "string");
    assert.equal(code.enum, undefined);
  }
});

test("P-OPS-19: a moment is a date-time, a day a date, and every integer beyond 32 bits says so", () => {
  let moments = 0;
  for (const [place, schema] of schemas()) {
    if (place.includes("/schemas/FieldError/") || place.includes("/schemas/Reason/")) continue;
    const type = JSON.stringify(schema.type ?? "");
    if (/ISO 8601/.test(`${schema.description}`) && type.includes("string")) {
      moments += 1;
      assert.match(`${schema.format}`, /^date(-time)?$/, place);
    }
    if (/(?:At|Since)$/.test(place) && type.includes("string"))
      assert.equal(schema.format, "date-time", place);
    if (schema.type === "integer" && !schema.enum)
      assert.ok(
        schema.format === "int64" || Number(schema.maximum) < 2 ** 31 || schema.minimum === 0,
        place,
      );
  }
  assert.ok(moments > 40, `${moments}`);
});

test("P-OPS-19: an address in an answer is a uri, and a path from the service a uri-reference", () => {
  let found = 0;
  const look = (schema: Json, value: unknown, place: string): void => {
    if (Array.isArray(value)) look(schema.items as Json, value[0], `${place}/0`);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) {
        const property = (schema.properties as Json | undefined)?.[name] as Json | undefined;
        if (property) look(property, one, `${place}/${name}`);
      }
    else if (/^(?:\/|https?:|otpauth:)/.test(`${value}`)) {
      found += 1;
      assert.equal(schema.format, `${value}`.startsWith("/") ? "uri-reference" : "uri", place);
    }
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const { responses } of Object.values(methods))
      for (const [status, answer] of Object.entries(responses as Readonly<Record<string, Json>>)) {
        if (!status.startsWith("2")) continue;
        const { content } = resolved(document, answer) as { readonly content?: Json };
        const json = content?.["application/json"] as Json | undefined;
        if (json) look(json.schema as Json, json.example, path);
      }
  assert.ok(found > 20, `${found}`);
});

test("P-OPS-19: no word of an answer has a name that generators give themselves", () => {
  for (const [place, schema] of schemas())
    assert.ok(!(schema.enum as unknown[] | undefined)?.includes("client"), place);
});

test("P-OPS-19: paths differ by more than the names of their parameters", () => {
  const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
  assert.equal(new Set(shapes).size, shapes.length);
});

test("P-OPS-19: failures and parameters are in the components, and no key is an example", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const [status, one] of Object.entries(responses as Json)) {
        if (Number(status) >= 400) assert.ok((one as Json).$ref, `${path} ${status}`);
      }
    }
  }
  const key = document.components.parameters?.IdempotencyKey;
  assert.doesNotMatch(JSON.stringify(key), /"examples?"/);
  assert.ok(JSON.stringify(document).length < 600_000);
});

test("P-OPS-19: no example and no name makes a generator warn", () => {
  for (const request of requests()) {
    const record = (request.$ref ? at(document, String(request.$ref)) : request) as Json;
    assert.equal((record.examples as readonly unknown[]).length, 1, JSON.stringify(request));
  }
  for (const failure of Object.values(document.components.responses ?? {})) {
    const { content } = failure as { readonly content: Readonly<Record<string, Json>> };
    for (const one of Object.values(content["application/json"]?.examples ?? {})) {
      assert.deepEqual(Object.keys(one), ["$ref"]);
      assert.ok(at(document, one.$ref), one.$ref);
    }
  }
  // A list in the components has entries with a name.
  for (const [name, { type, items }] of Object.entries(document.components.schemas ?? {}))
    if (type === "array") assert.ok((items as Json).$ref, name);
});

test("P-OPS-19: a created thing links to what takes its ID, and a room to its edit", () => {
  for (const [id, some] of Object.entries(links)) {
    const operation = operations[id as keyof typeof operations];
    const methods = document.paths[documentPath(operation)] ?? {};
    const { responses } = methods[operation.method.toLowerCase()] as {
      readonly responses: Readonly<Record<string, Json>>;
    };
    const said = responses[operation.status]?.links as Readonly<Record<string, Json>>;
    assert.deepEqual(
      Object.keys(said),
      some.map(({ to }) => to),
    );
    const { schema } = (
      resolved(document, responses[operation.status]?.content) as Readonly<Record<string, Json>>
    )["application/json"] as { readonly schema: Json };
    for (const { to, parameter, at: place } of some) {
      const field = place.split("/").slice(1).join("/properties/");
      assert.ok(at(schema, `properties/${field}`), `${id} ${place}`);
      if (parameter === undefined) {
        assert.equal((said[to] as Json).requestBody, `$response.body#${place}`);
        continue;
      }
      const input = operations[to].input as {
        readonly shape?: Json;
        readonly in?: { shape: Json };
      };
      assert.ok(parameter in (input.shape ?? input.in?.shape ?? {}), `${to} ${parameter}`);
    }
  }
});

test("P-OPS-19: the document has a server, a contact and a description of each group", () => {
  assert.deepEqual(document.servers, [{ url: "https://meet.example.org/video" }]);
  const { contact } = document.info as { readonly contact: Json };
  assert.deepEqual(Object.keys(contact), ["name", "url"]);
  for (const tag of document.tags as Json[]) assert.ok(String(tag.description).length > 10);
});

test("P-OPS-19: redocly finds no fault, and YAML says the same as JSON", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const answer = await fetch(`${world.url}/openapi.yaml`);
  assert.equal(answer.headers.get("content-type"), "application/yaml; charset=utf-8");
  const source = await answer.text();
  const problems = await lintFromString({ source, absoluteRef: "openapi.yaml", config });
  assert.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
  assert.deepEqual(makeDocumentFromString(source, "openapi.yaml").parsed, document);
});
