// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { reasonTable } from "../../contract/docs/reason-examples.ts";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { errorOf, reasonCodes, wrong } from "../../contract/kit/reasons.ts";
import { commands } from "../../contract/meetings/commands.ts";
import { refusalOf } from "../../server/lib/refusal.ts";
import { reasonsIn, storedReasons } from "../../server/records/import-reasons.ts";
import { naughtyStrings } from "../world/corpora.ts";
import { assertReason, assertReasons } from "../world/reasons.ts";
import { rollDice } from "../world/seed.ts";

const root = new URL("../../", import.meta.url);
/** The files that state the table. */
const tables = /reason|file-phrases|texts\.ts/;
const sources = globSync("{contract,server}/**/*.ts", { cwd: root })
  .filter((name) => !tables.test(name.replace("server/records/import-reasons.ts", "")))
  .map((name) => readFileSync(new URL(name, root), "utf8"));

test("each code of the table of reasons is made somewhere", () => {
  const all = sources.join("");
  assert.deepEqual(
    reasonCodes.filter((code) => !all.includes(`"${code}"`)),
    [],
  );
});

test("a schema of the contract refuses with a reason, not with a text", () => {
  const texts = sources.flatMap((source) => [
    ...source.matchAll(/\{ error: ["'`].*\}\)|addIssue\(["'`].*|refuseField\([^,]*, `.*/g),
  ]);
  assert.deepEqual(
    texts.map(([text]) => text),
    [],
  );
});

const texts = ["", " ", "true", "1", "null", "\0", "\ud800", "a,b", "\u202e", "x".repeat(9000)];
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 1.5, 1e21, Number.MAX_SAFE_INTEGER),
  fc.constantFrom<unknown>([], {}, [null], [[]], [{}], ["a", "b"], { a: 1 }),
  fc.constantFrom(...texts, ...naughtyStrings()),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Inputs with arbitrary values in any field. */
const inputsOf = (schema: z.ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodPipe) return inputsOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) {
    return fc.oneof(fc.array(inputsOf(schema.element as z.ZodType), { maxLength: 3 }), value);
  }
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return inputsOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodNullable) return inputsOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return value;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const shape = Object.fromEntries(fields.map(([name, field]) => [name, inputsOf(field)]));
  return fc.oneof({ weight: 9, arbitrary: fc.record(shape, { requiredKeys: [] }) }, value);
};

const isRecord = (input: unknown): boolean =>
  typeof input === "object" && input !== null && !Array.isArray(input);

const isObject = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodPipe ? isObject(schema.in as z.ZodType) : schema instanceof z.ZodObject;

test("each error of an operation or a command has a known code that makes its text", (t) => {
  const { seed } = rollDice(t);
  const schemas = [
    ...Object.entries<Operation>(operations)
      // The parts of a path are always texts.
      .filter(([, { in: where }]) => where !== "path")
      .map(([id, { input }]) => [id, input] as const),
    ...Object.entries<z.ZodType>(commands),
  ];
  const seen = new Map<string, number>();
  for (const [id, schema] of schemas) {
    fc.assert(
      fc.property(inputsOf(schema), (input) => {
        // Anything but an object is refused before the schema.
        if (isObject(schema) && !isRecord(input)) return;
        const { error } = schema.safeParse(input);
        if (error === undefined) return;
        const { errors, message, reason } = refusalOf(error.issues);
        const body = JSON.parse(JSON.stringify({ errors: errors.map(errorOf), reason }));
        assertReasons(message, body);
        assert.ok(body.errors.length > 0, id);
        for (const one of body.errors) {
          assert.doesNotMatch(one.message, /undefined|NaN|\[object/, id);
          assert.notEqual(one.code, "not_accepted", `${id} ${one.field}`);
          seen.set(one.code, (seen.get(one.code) ?? 0) + 1);
        }
      }),
      { seed, numRuns: 60 },
    );
  }
  t.diagnostic(`${[...seen].map(([code, times]) => `${code} ${times}`).join(", ")}`);
  for (const code of ["required", "too_long", "not_one_of", "too_large", "not_email"]) {
    assert.ok(seen.has(code), code);
  }
});

test("every example of the table makes a text of its own values", () => {
  for (const { code, text, values } of reasonTable) {
    assert.doesNotMatch(text, /undefined|NaN|\[object/, code);
    for (const { name } of values)
      assert.doesNotMatch(name, /^(?:field|about|code|message|check|ok|problem)$/, code);
  }
});

test("reasons of an import's line are answered as stored, and those of earlier versions as texts", () => {
  const reasons = [
    wrong("email", "not_email"),
    wrong("noOfViewers", "too_large", { min: 0, max: 9 }),
    wrong("", "same_as_line", { line: 3, key: "email" }),
  ];
  const { reason, reasons: errors } = reasonsIn(storedReasons(reasons));
  assert.equal(
    reason,
    "email must be an email address, such as ann@example.org; noOfViewers must be a whole number from 0 to 9; Line 3 has the same email.",
  );
  errors.forEach(assertReason);
  assert.deepEqual(errors[1], {
    field: "noOfViewers",
    code: "too_large",
    message: "noOfViewers must be a whole number from 0 to 9",
    min: 0,
    max: 9,
  });
  const former = "Line 3 has the same email.";
  assert.deepEqual(reasonsIn(former), { reason: former, reasons: [] });
  assert.deepEqual(reasonsIn(null), { reason: null, reasons: [] });
});
