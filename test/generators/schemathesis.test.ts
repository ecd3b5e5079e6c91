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

/** Why a request is refused that the document allows: what schemas cannot say, by the code. */
const BEYOND_SCHEMAS: Readonly<Record<string, string>> = {
  later_than: "two fields",
  span_too_long: "two fields",
  one_not_both: "two fields",
  room_or_recording: "two fields",
  nothing_to_set: "two fields",
  required: "two fields",
  not_future: "the time",
  in_the_past: "the time",
  link_ended: "the time",
  unknown_owner: "what is stored",
  unknown_people: "what is stored",
  idempotency_reused: "what was sent before",
  not_entity_tag: "a header of another type, which Schemathesis makes a text",
  not_picture: "bytes",
  not_time_zone: "the names of another body",
  not_url: "a format, which schemas only note",
  not_day: "a format, which schemas only note",
  not_base64: "a format, which schemas only note",
  not_date_time: "a format, which schemas only note",
  not_email: "a format, which schemas only note",
  not_one_line: "classes of characters that not every language's patterns have",
  not_plain_lines: "classes of characters that not every language's patterns have",
  not_storable: "classes of characters that not every language's patterns have",
};

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

/** The codes of a failure: those of its fields, otherwise its own. */
const codesOf = (body: string): readonly string[] => {
  try {
    const { code, errors = [] } = JSON.parse(body) as {
      readonly code: string;
      readonly errors?: readonly { readonly code: string }[];
    };
    return errors.length > 0 ? errors.map((one) => one.code) : [code];
  } catch {
    return [body];
  }
};

/** Whether a check fails at what a document cannot say. */
const isBeyond = ({ name }: Check, { request, response }: Interaction): boolean => {
  if (name === "positive_data_acceptance")
    return codesOf(textOf(response?.content)).every(
      // What is in a file has codes of its own.
      (code) => code in BEYOND_SCHEMAS || code.startsWith("file_"),
    );
  // A body that may be omitted may be null as well.
  return name === "negative_data_rejection" && textOf(request.body) === "null";
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
