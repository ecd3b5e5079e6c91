import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import type { FieldError } from "../../contract/kit/reasons.ts";
import { texts } from "../../contract/kit/texts.ts";
import { all } from "../isolation/rows.ts";
import { fieldsUnchecked } from "../twins/open-doors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { OperationId } from "../world/ask.ts";
import { naughtyStrings } from "../world/corpora.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

/** The fields of an operation's body, and whether they are in the elements of an array. */
const shapeOf = (schema: z.ZodType): { readonly fields: string[]; readonly inArray: boolean } => {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) {
    return { fields: shapeOf(schema.element as z.ZodType).fields, inArray: true };
  }
  return { fields: schema instanceof z.ZodObject ? Object.keys(schema.shape) : [], inArray: false };
};

const strings = ["", " ", "true", "1", "null", "[]", "\0", "\ud800", "__proto__", "x".repeat(9000)];
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 1.5, 1e21, 1e308, Number.MAX_SAFE_INTEGER),
  fc.constantFrom<unknown>([], {}, [null], [[]], [{}], ["a", "b"], { a: 1 }, { $ne: null }),
  fc.constantFrom(...strings, ...naughtyStrings()),
  fc.jsonValue({ maxDepth: 3 }),
);

const takesBody = ([id, operation]: (typeof all)[number]): boolean =>
  operation.in === "body" && id !== "signIn" && id !== "getAuthToken";

/** Bodies of operations with arbitrary values in any field, or with an arbitrary value as the body. */
const bodiesOf = (some: typeof all) =>
  fc.oneof(
    ...some.map(([id, operation]) => {
      const { fields, inArray } = shapeOf(operation.input);
      const object = fc.record(Object.fromEntries(fields.map((field) => [field, value])), {
        requiredKeys: [],
      });
      const entries = fields.length > 0 ? object : value;
      const body = inArray ? fc.array(entries, { maxLength: 3 }) : object;
      const any = fc.oneof({ weight: 9, arbitrary: body }, value);
      return any.map((input): readonly [OperationId, unknown] => [id, input]);
    }),
  );

const send = async (t: TestContext, seed: number, many: number, some = all, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const { ask } = await world.tenant();
  const came = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(bodiesOf(some.filter(takesBody)), async ([id, input]) => {
      // Checks every answer against the contract: JSON, the operation's own text, never a 500.
      const { status, body } = await ask(id, input);
      came.set(status, (came.get(status) ?? 0) + 1);
      if (body.code !== "invalid_input") return;
      const errors = body.errors as FieldError[];
      assert.ok(errors.length > 0, "a refusal says what was wrong");
      for (const error of errors) {
        const { field, message, code } = error;
        assert.ok(message.length > 0);
        // Parley's own sentence, or a text of the contract that stands alone.
        const isSaid = message.startsWith(`${field} `) || code in texts;
        if (field !== "") assert.ok(isSaid, `${field}: ${message}`);
      }
    }),
    { seed, numRuns: many, endOnFailure: twin !== undefined },
  );
  return came;
};

test("P-INP-1: any value in any field gets an answer of the contract, and a refusal names the field", async (t) => {
  const many = count(700, 20_000, 300);
  const came = await send(t, rollDice(t).seed, many);
  t.diagnostic(
    `${many} bodies: ${[...came].map(([status, n]) => `${n} times ${status}`).join(", ")}`,
  );
});

testTwin("P-INP-1: a twin that accepts any input unchecked is detected", async (t) => {
  // The only operation that accepts everything in this twin.
  const some = all.filter(([id]) => id === "editUser");
  await assert.rejects(send(t, 1, 300, some, fieldsUnchecked), /Property failed/);
});

const wrongTypes: Readonly<Record<string, readonly unknown[]>> = {
  text: [1, true, [], {}, ["a", "b"], [["a"]], { toString: "x" }],
  flag: ["true", "false", 1, 0, "yes", [], {}, null],
  number: ["1", "", true, [], [1], {}, 1.5, -1, null],
  list: ["a", "a,b", 1, true, {}, { 0: "a", length: 1 }, [1], [null], [["a"]]],
};

/** A field of a request, and a request that is otherwise valid. */
const fields: readonly [OperationId, string, keyof typeof wrongTypes][] = [
  ...["name", "roomOwnerId", "roomType", "roomPassword", "recordingFormat", "roomAgenda"].map(
    (field): [OperationId, string, string] => ["createRoom", field, "text"],
  ),
  ...["liveStreamUrl", "liveStreamKey", "scheduledDateTime", "recordingStrategy"].map(
    (field): [OperationId, string, string] => ["createRoom", field, "text"],
  ),
  ...["isStatic", "audioStatus", "enableRecording", "roomPermaLink", "enablePresenters"].map(
    (field): [OperationId, string, string] => ["createRoom", field, "flag"],
  ),
  ...["noOfModerators", "noOfParticipants", "noOfViewers", "noOfUpgradeRequests"].map(
    (field): [OperationId, string, string] => ["createRoom", field, "number"],
  ),
  ["createRoom", "recordingResolutions", "list"],
  ...["email", "name", "loginUrl", "location", "role"].map(
    (field): [OperationId, string, string] => ["createUser", field, "text"],
  ),
  ...["admin", "meetNowEnabled", "displayRating"].map((field): [OperationId, string, string] => [
    "createUser",
    field,
    "flag",
  ]),
  ["createUser", "tags", "list"],
  ["editUser", "userId", "text"],
  ["resetPassword", "userId", "text"],
  ["resetPassword", "loginUrl", "text"],
  ["suspendRestoreUser", "userId", "text"],
  ["suspendRestoreUser", "action", "text"],
  ["reactivateUser", "userId", "text"],
  ["reactivateUser", "email", "text"],
  ["listUsers", "role", "text"],
  ["listUsers", "search", "text"],
  ["listUsers", "page", "number"],
  ["fetchUsers", "role", "text"],
];

test("P-INP-5: a value of the wrong type is refused with its field's name, changes nothing and sends nothing", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { id: userId } = await tenant.addPerson("ann@example.org");
  const right: Partial<Record<OperationId, object>> = {
    createRoom: { name: "Room", roomOwnerId: tenant.admin.id },
    createUser: { email: "b@example.org", name: "B", loginUrl: "https://x.org" },
    editUser: { userId, name: "New" },
    resetPassword: { userId },
    suspendRestoreUser: { userId, action: "suspend" },
    listUsers: { role: "moderator" },
  };
  const state = async () => {
    const answers = [
      await tenant.ask("listRooms", {}),
      await tenant.ask("listUsers", { role: "moderator,admin" }),
      await tenant.ask("listLetters", {}),
    ];
    return answers.map(({ text }) => text).join();
  };
  const before = await state();
  let asked = 0;
  for (const [id, field, kind] of fields) {
    for (const wrong of wrongTypes[kind] ?? []) {
      const { status, body } = await tenant.ask(id, { ...right[id], [field]: wrong });
      const about = `${id} ${field} ${JSON.stringify(wrong)}: ${JSON.stringify(body)}`;
      assert.equal(status, 400, about);
      const places: string[] = body.errors.map((error: { readonly field: string }) => error.field);
      assert.ok(
        places.some((place) => place === field || place.startsWith(`${field}[`)),
        about,
      );
      asked += 1;
    }
  }
  // One password reset for two accounts (GitLab, CVE-2023-7028).
  const two = await tenant.ask("resetPassword", { userId: [userId, tenant.admin.id] });
  assert.equal(two.body.errors[0].field, "userId");
  assert.equal(await state(), before);
  t.diagnostic(`${asked} wrong values in ${fields.length} fields`);
});
