import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { done, keeping } from "./keeping.ts";

const world = await startWorld(test);

test("emails to a person in the bin are in no list, and come back with the person", async () => {
  const tenant = await keeping(world);
  const { ask, id } = tenant;
  const input = { email: `mail@${id}.example.org`, name: "Ann", loginUrl: "https://x.org/" };
  const { user } = (await ask("createUser", input)).body;
  const letters = async () => (await ask("listLetters", {})).body.pagination.total;
  assert.equal(await letters(), 1);
  done(await ask("revokeUsers", [{ userId: user.id }]));
  done(await ask("binUsers", { userIds: [user.id] }));
  assert.equal(await letters(), 0);
  done(await ask("restoreFromBin", { ids: [user.id] }));
  assert.equal(await letters(), 1);
});
