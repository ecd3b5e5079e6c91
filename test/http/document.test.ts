// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "../../contract/kit/operation.ts";
import { documentPath } from "../../server/http/openapi.ts";
import { startWorld } from "../world/world.ts";
import { served as servedDocument } from "./served-document.ts";

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly example?: unknown } | undefined;
}

interface Parameter {
  readonly name: string;
  readonly schema?: { readonly maximum?: number };
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
}

interface Described {
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** Each operation of the contract with its entry in the served document. */
const served = async (url: string) =>
  (await servedDocument(url)).map(
    ([id, operation, entry]) => [id, operation, entry as Described] as const,
  );

const successOf = ({ status, file }: Operation, { responses }: Described) =>
  responses[status]?.content[file?.[0] ?? "application/json"] ?? assert.fail(`no ${status}`);

/** The paths of a schema's fields that have no description. */
const silentIn = ({ properties = {}, items, anyOf = [] }: Schema, at: string): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${at}.${name}`]),
    ...silentIn(field, `${at}.${name}`),
  ]),
  ...[...(items ? [items] : []), ...anyOf].flatMap((one) => silentIn(one, at)),
];

/** The name of a parameter in the contract: the document may call one of a path otherwise. */
const contractName = (operation: Operation, name: string): string => {
  const place = documentPath(operation).split("/").indexOf(`{${name}}`);
  return operation.path.split("/")[place]?.slice(1) ?? name;
};

/** The example of a request, as the operation receives it. */
const exampleOf = (operation: Operation, { requestBody, parameters = [] }: Described) =>
  operation.in === "body"
    ? requestBody?.content["application/json"]?.schema.examples?.[0]
    : Object.fromEntries(
        parameters
          .filter((one) => one.in === operation.in && one.example !== undefined)
          .map(({ name, example }) => [contractName(operation, name), String(example)]),
      );

test("P-OPS-13: the document says what each operation does, and what each field means", async (t) => {
  const { url } = await startWorld(t);
  for (const [id, operation, described] of await served(url)) {
    assert.ok((described.description ?? "").length > operation.summary.length, id);
    const body = described.requestBody?.content["application/json"]?.schema ?? {};
    const answer = successOf(operation, described).schema;
    const silent = [
      ...(described.parameters ?? []).filter((one) => !one.description).map(({ name }) => name),
      ...silentIn(body, "request"),
      ...silentIn(answer, "answer"),
    ];
    assert.deepEqual(silent, [], id);
  }
});

test("P-OPS-13: a body is required if the operation needs one", async (t) => {
  const { url } = await startWorld(t);
  const isRequired = new Map<string, boolean | undefined>(
    (await served(url)).map(([id, , { requestBody }]) => [id, requestBody?.required]),
  );
  const wanted = {
    createAccessKey: false,
    createRoom: true,
    revokeUsers: true,
    fetchRoom: undefined,
  };
  for (const [id, required] of Object.entries(wanted))
    assert.equal(isRequired.get(id), required, id);
});

test("P-OPS-13: each operation has a valid example of its request and answer", async (t) => {
  const { url } = await startWorld(t);
  for (const [id, operation, described] of await served(url)) {
    const request = exampleOf(operation, described);
    if (operation.in !== "nothing") assert.notDeepEqual(request ?? {}, {}, id);
    assert.deepEqual(operation.input.safeParse(request).error?.issues, undefined, id);
    const { example } = successOf(operation, described);
    // The reply of a file is its text.
    const answer =
      operation.file && typeof example !== "string" ? JSON.stringify(example) : example;
    assert.deepEqual(operation.reply.safeParse(answer).error?.issues, undefined, id);
  }
});

test("P-OPS-13: the largest page of a list is the documented one", async (t) => {
  const { url } = await startWorld(t);
  let limited = 0;
  for (const [id, operation, { parameters = [] }] of await served(url)) {
    const limit = parameters.find(({ name }) => name === "limit");
    if (operation.in !== "query" || limit === undefined) continue;
    const given = exampleOf(operation, { parameters, responses: {} });
    const takes = (size: number) =>
      operation.input.safeParse(Object.assign({}, given, { limit: String(size) })).success;
    const most = limit.schema?.maximum;
    assert.equal(takes(most ?? Number.MAX_SAFE_INTEGER), true, id);
    if (most === undefined && id !== "listRooms") {
      const { data } = operation.input.safeParse(Object.assign({}, given, { limit: "5000" }));
      assert.equal((data as { readonly limit: number }).limit, 1000, `${id} cuts its pages`);
      assert.match(limit.description ?? "", /\bmore than 1000 counts as 1000\b/, id);
    }
    if (most === undefined || most === Number.MAX_SAFE_INTEGER) continue;
    limited += 1;
    assert.equal(takes(most + 1), false, id);
    assert.match(limit.description ?? "", new RegExp(`\\b${most}\\b`), id);
  }
  assert.equal(limited, 6);
});
