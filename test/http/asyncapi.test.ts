// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import specifications from "@asyncapi/specs";
import { makeDocumentFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { senderOf } from "../../contract/docs/socket-docs.ts";
import { type CommandName, commands } from "../../contract/meetings/commands.ts";
import { serverMessages } from "../../contract/meetings/socket.ts";
import { openMeetingCommands } from "../../server/socket/registry.ts";
import { startWorld } from "../world/world.ts";
import { type Json, resolved } from "./served-document.ts";

interface Message {
  readonly summary: string;
  readonly payload: Json;
  readonly examples: readonly { readonly payload: Json }[];
}

const world = await startWorld(test, {
  environment: { PUBLIC_URL: "https://meet.example.org/video" },
});
const load = async (kind: string): Promise<string> => {
  const answer = await fetch(`${world.url}/asyncapi.${kind}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), `application/${kind}; charset=utf-8`);
  return answer.text();
};
const document = JSON.parse(await load("json"));
const asYaml = await load("yaml");
const whole = resolved(document, document) as {
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
};
const names = Object.keys(commands) as CommandName[];

test("P-OPS-20: the meeting socket is described by a valid AsyncAPI document, as JSON and YAML", async () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const isValid = ajv.compile(specifications.schemasWithoutId["3.0.0"] as object);
  const served = document;
  assert.ok(isValid(document), JSON.stringify(isValid.errors?.slice(0, 5)));
  assert.deepEqual(served.servers.service, {
    host: "meet.example.org",
    protocol: "wss",
    pathname: "/video",
  });
  const yaml = makeDocumentFromString(asYaml, "asyncapi.yaml");
  assert.deepEqual(yaml.parsed, document);
});

test("P-OPS-20: the document has every message, every command and who may send it", () => {
  const { messages } = whole.components;
  const known = ["ticket", ...names.map((name) => `do.${name}`), ...Object.keys(serverMessages)];
  assert.deepEqual(Object.keys(messages).sort(), known.sort());
  const registry = openMeetingCommands({} as never);
  for (const name of names) {
    assert.equal(senderOf(name), registry[name].who, name);
    assert.ok(messages[`do.${name}`]?.summary.includes(`**For:** ${registry[name].who}`), name);
  }
});

/** The paths of fields without a description. */
const silentIn = ({ properties, items, anyOf }: Json, at: string): string[] => [
  ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${at}.${name}`]),
    ...silentIn(field, `${at}.${name}`),
  ]),
  ...(items ? silentIn(items as Json, `${at}[]`) : []),
  ...((anyOf ?? []) as Json[]).flatMap((one) => silentIn(one, at)),
];

test("P-OPS-20: every field has a meaning, and every message an example that fits", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const [name, { payload, examples }] of Object.entries(whole.components.messages)) {
    assert.deepEqual(silentIn(payload, name), []);
    const isValid = ajv.compile(payload);
    assert.ok(examples.length > 0, name);
    for (const { payload: example } of examples)
      assert.ok(isValid(example), `${name}: ${JSON.stringify(isValid.errors)}`);
  }
});
