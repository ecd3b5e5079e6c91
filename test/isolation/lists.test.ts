// Runs: both

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { seesEveryRoom } from "../twins/open-doors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { OperationId } from "../world/ask.ts";
import { naughtyStrings } from "../world/corpora.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const SENTINEL = "Sentinel";

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("", "s", "S", "SENT", "en", SENTINEL, "%", "_", "\\", "' or 1=1 --"),
  },
  fc.constantFrom("", ...naughtyStrings()),
  fc.string({ maxLength: 8 }),
);
/** The valid value, and sometimes an arbitrary one. */
const mostly = <T>(right: readonly T[], wrong: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...right) }, wrong);
const strange = fc.constantFrom(0, -1, 2 ** 53, 1e308, 1.5);
const number = mostly([1, 1, 2, 3], strange);
const order = {
  sortBy: mostly(["name", "createdAt"], fc.oneof(fc.constant("updatedAt"), text)),
  sortOrder: mostly(["ASC", "DESC"], text),
  search: text,
  page: number,
};
const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] });

/** Lists with all kinds of parameters. */
const lists = (theirs: readonly string[]) => {
  const role = mostly(["moderator", "moderator,admin", "*", "%"], text);
  const id = mostly(theirs, text);
  const page = fc.record(
    { ...order, limit: mostly([10, 100], strange), role },
    { requiredKeys: ["role"] },
  );
  const asked = (operation: OperationId, input: fc.Arbitrary<unknown>) =>
    input.map((value) => [operation, value] as const);
  return fc.oneof(
    asked(
      "listRooms",
      some({
        ...order,
        limit: mostly([10, 1000], strange),
        userFilter: id,
        withoutOwner: mostly([true, false], text),
      }),
    ),
    asked("listUsers", page),
    asked("listRevokedUsers", page),
    asked("fetchUsers", some({ role })),
    asked("fetchRevokedUsers", some({ role })),
    asked("findUsers", some({ userIds: fc.array(id, { maxLength: 3 }) })),
    asked(
      "listLetters",
      some({ page: number, limit: number, state: fc.constantFrom("waiting", "sent", "x") }),
    ),
    asked("getOrganization", fc.constant({})),
    asked("listAccessKeys", fc.constant({})),
  );
};

const fuzz = async (t: TestContext, seed: number, many: number, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const ids: string[] = [theirs.id, theirs.admin.id];
  for (let n = 0; n < 5; n += 1) {
    const { id } = await theirs.addPerson(`${SENTINEL}${n}@b.org`, { name: `${SENTINEL} ${n}` });
    const room = { name: `${SENTINEL} ${n}`, roomOwnerId: id, room: `${SENTINEL}${n}` };
    await theirs.ask("createRoom", room);
    ids.push(id);
  }
  await theirs.ask("revokeUsers", [{ userId: ids[2] }]);
  for (const name of ["Mine", "Also mine"]) {
    await mine.ask("createRoom", { name, roomOwnerId: mine.admin.id });
  }
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(lists(ids), async ([operation, input]) => {
      const { status, text: answer, body } = await mine.ask(operation, input);
      // A parameter that a refusal repeats was the caller's own.
      if (status >= 300) return;
      answered += 1;
      assert.ok(!answer.includes(SENTINEL), `${operation} ${JSON.stringify(input)}: ${answer}`);
      for (const id of ids) assert.ok(!answer.includes(id), `${operation}: ${answer}`);
      if (body.pagination) assert.ok(body.pagination.total <= 2, `${operation}: ${answer}`);
    }),
    { seed, numRuns: many, endOnFailure: true },
  );
  return answered;
};

test("P-TEN-3: no list shows or counts another organization's data, whatever its parameters", async (t) => {
  const many = count(400, 5000, 150);
  const answered = await fuzz(t, rollDice(t).seed, many);
  t.diagnostic(`${many} requests, ${answered} answered with a list`);
});

testTwin("P-TEN-3: a twin whose list of rooms ignores organizations is detected", async (t) => {
  await assert.rejects(fuzz(t, 1, 400, seesEveryRoom), /Property failed/);
});
