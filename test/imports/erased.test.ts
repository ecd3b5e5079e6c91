import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { carryOut, linesOf, upload } from "./importing.ts";

const world = await startWorld(test);

test("no import keeps anything of a permanently deleted person, and later imports stay complete", async () => {
  const { ask, id: organizationId } = await world.tenant();
  const emails = ["a@erased.example.org", "b@erased.example.org", "c@erased.example.org"];
  const made = await upload(ask, {
    kind: "users",
    text: emails.map((email) => ({ email, name: "Gone" })),
  });
  await carryOut(ask, made.id);
  const people = (await linesOf(ask, made.id)).map(({ id }) => id);
  const gone = people.slice(1);
  for (const id of gone) {
    await ask("revokeUsers", [{ userId: id }]);
    await ask("deleteUsers", [id]);
  }
  const again = { email: emails[1], name: "Again" };
  const later = await upload(ask, { kind: "users", text: [again] });
  assert.deepEqual(
    (await linesOf(ask, made.id)).map(({ name }) => name),
    [emails[0], "", ""],
  );
  await until("the lines are erased", async () => {
    const left = world.database.read
      .selectFrom("line_erasures")
      .select("id")
      .where("organization_id", "=", organizationId);
    return (await left.executeTakeFirst()) === undefined;
  });
  const rows = await world.database.read
    .selectFrom("import_lines")
    .selectAll()
    .where("import_id", "in", [made.id, later.id])
    .orderBy("import_id")
    .orderBy("line")
    .execute();
  assert.deepEqual(
    rows.map(({ name, given }) => [name, given]),
    [
      [emails[0], null],
      [null, null],
      [null, null],
      [emails[1], JSON.stringify(again)],
    ],
  );
});

test("a person whose imported ID is another organization's username can be deleted permanently", async () => {
  const [{ ask }, other] = [await world.tenant(), await world.tenant()];
  const { username } = await create(other.ask, { name: "Ann Lee" });
  const made = await upload(ask, {
    kind: "users",
    text: [{ id: username, email: "namesake@erased.example.org", name: "Bo" }],
  });
  await carryOut(ask, made.id);
  const [line] = await linesOf(ask, made.id);
  assert.equal(line?.id, username);
  await ask("revokeUsers", [{ userId: username }]);
  assert.equal((await ask("deleteUsers", [username])).status, 200);
});

test("an import is removed with its lines after seven days", async () => {
  const { ask, addPerson } = await world.tenant();
  const text = [{ email: "kept@erased.example.org", name: "Kept" }];
  const [old, kept] = [
    await upload(ask, { kind: "users", text }),
    await upload(ask, { kind: "users", text }),
  ];
  const created_at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  await world.database.change(async (tx) => {
    await tx.updateTable("imports").set({ created_at }).where("id", "=", old.id).execute();
  });
  // Triggers the cleanup job.
  const { id } = await addPerson("woken@erased.example.org");
  await ask("revokeUsers", [{ userId: id }]);
  await ask("deleteUsers", [id]);
  const linesIn = async (importId: string): Promise<number> => {
    const lines = world.database.read.selectFrom("import_lines").select("line");
    return (await lines.where("import_id", "=", importId).execute()).length;
  };
  await until("the import is gone", async () => (await linesIn(old.id)) === 0);
  assert.equal(await linesIn(kept.id), 1);
});
