// Runs: sqlite, complete, unsteady

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { run, schemathesis } from "./tools.ts";

/*
 * Thousands of requests that Schemathesis makes of the OpenAPI document, in a minute: no server error, every answer
 * with a documented status and as its schema says, and what the document allows is accepted.
 */

/** Limits that schemas state: a request that the document allows is refused for none of them. */
const SAID_BY_SCHEMAS: ReadonlySet<string> = new Set([
  "required",
  "not_object",
  "not_object_with",
  "not_text",
  "too_long",
  "password_length",
  "not_true_or_false",
  "not_one_of",
  "not_list",
  "not_list_of",
  "not_bounded_list",
  "too_few",
  "too_many",
  "not_whole_number",
  "too_small",
  "too_large",
  "over_limit",
  "invalid_page",
  "invalid_limit",
  "invalid_pagination",
  "not_idempotency_key",
  "method_not_allowed",
  "unsupported_media_type",
]);

interface Interaction {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly body?: { readonly $base64: string } | null;
  };
  readonly response: {
    readonly status_code: number;
    readonly content?: { readonly $base64: string } | null;
  } | null;
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly message: string } };
}

interface Recorder {
  readonly checks: Readonly<Record<string, readonly Check[]>>;
  readonly interactions: Readonly<Record<string, Interaction>>;
}

const textOf = (part: { readonly $base64: string } | null | undefined): string =>
  Buffer.from(part?.$base64 ?? "", "base64").toString();

/** The subject of a failure: a code for each of its fields, otherwise its own. */
const faultsOf = (body: string): readonly { readonly code: string; readonly field?: string }[] => {
  const { code, errors = [] } = JSON.parse(body) as {
    readonly code: string;
    readonly errors?: readonly { readonly code: string; readonly field: string }[];
  };
  return errors.length > 0 ? errors : [{ code }];
};

/** Returns whether a field that is required was sent, and is blank. */
const isSentBlank = (field: string | undefined, body: string): boolean => {
  const sent = (field ?? "")
    .split(/[.[\]]+/)
    .reduce<unknown>(
      (where, name) => (where as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      body === "" ? undefined : JSON.parse(body),
    );
  return typeof sent === "string" && sent.trim() === "";
};

/** Returns whether a check fails at a rule that no document states: relations, moments, stored data, kinds of characters. */
const isBeyond = ({ name }: Check, { request, response }: Interaction): boolean => {
  if (name === "positive_data_acceptance")
    return faultsOf(textOf(response?.content)).every(
      // The text of an import is required where there is no file.
      ({ code, field }) =>
        !SAID_BY_SCHEMAS.has(code) ||
        (code === "required" && (field === "text" || isSentBlank(field, textOf(request.body)))),
    );
  if (name !== "negative_data_rejection") return false;
  // A body that may be omitted may be null as well; what is too long may be so for the whole body.
  return textOf(request.body) === "null" || response?.status_code === 413;
};

const shown = ({ name, failure_info: info }: Check, { request, response }: Interaction): string =>
  [
    `${name}: ${request.method} ${request.uri}`,
    JSON.stringify(request.headers),
    textOf(request.body).slice(0, 1000),
    `${response?.status_code} ${textOf(response?.content).slice(0, 1000)}`,
    info?.failure.message.slice(0, 500),
  ].join("\n  ");

test("Schemathesis finds no fault in a minute", async (t) => {
  const tool = await schemathesis();
  if ("missing" in tool) return t.skip(tool.missing);
  const world = await startWorld(t, { environment: { RATE_LIMIT: "1000000" } });
  const { ask, admin, token } = await world.tenant();
  const home = mkdtempSync(join(tmpdir(), "parley-schemathesis-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));

  // The examples are of a room and a person that exist.
  const { body: document } = await send(world.url, { method: "GET", path: "/openapi.json" });
  const { example } = document.paths["/api/roomSetting/{id}"].get.parameters[0];
  await ask("createRoom", { name: "Board meeting", room: example, roomOwnerId: admin.id });
  const person = document.components.schemas.RoomInput.examples[0].roomOwnerId;
  const file = join(home, "openapi.json");
  writeFileSync(file, JSON.stringify(document).replaceAll(person, admin.id));

  const report = join(home, "report.ndjson");
  const args = [
    ...["run", file, "-u", world.url, "-H", `Authorization: Bearer ${token}`],
    // It would end the token of all others.
    ...["--exclude-operation-id", "signOut"],
    // A room may be called as an address: DELETE /api/import/continue removes an import of this ID.
    ...["--exclude-checks", "allow_header_conformance"],
    ...["--max-time", "60", "--request-timeout", "60", "--no-color", "--warnings", "off"],
    ...["--report", "ndjson", "--report-ndjson-path", report],
  ];
  const env = { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: join(home, randomUUID()) };
  const { out } = await run(tool.path, args, { cwd: home, env });
  const events = readFileSync(report, "utf8").trimEnd().split("\n");
  let requests = 0;
  const faults: string[] = [];
  for (const event of events) {
    const { ScenarioFinished: scenario } = JSON.parse(event) as {
      readonly ScenarioFinished?: { readonly recorder: Recorder };
    };
    const { checks = {}, interactions = {} } = scenario?.recorder ?? {};
    for (const [id, some] of Object.entries(checks)) {
      const interaction = interactions[id];
      if (interaction === undefined) continue;
      requests += 1;
      for (const check of some)
        if (check.status !== "success" && !isBeyond(check, interaction))
          faults.push(shown(check, interaction));
    }
  }
  const [seed = out.slice(-2000)] = /Seed: \d+/.exec(out) ?? [];
  assert.ok(requests > 500, `${requests} requests\n${out.slice(-4000)}`);
  assert.equal(faults.length, 0, `${seed}\n${faults.slice(0, 20).join("\n")}`);
});
