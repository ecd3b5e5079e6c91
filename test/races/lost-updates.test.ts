// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { savesWhole } from "../twins/twins.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const both = async (times: number, one: (n: number) => Promise<unknown>, other: typeof one) => {
  const each = async (edit: typeof one) => {
    for (let n = 1; n <= times; n += 1) await edit(n);
  };
  await Promise.all([each(one), each(other)]);
};

const editRooms = async (t: TestContext, times: number, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const second = await world.second();
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  const { body } = await tenant.ask("createRoom", { name: "Board", roomOwnerId });
  const room = body.roomSetting.room;
  const [here, there] = [tenant.ask, tenant.askAt(second)];
  const edit = (ask: typeof here, changes: object) =>
    ask("editRoom", { room, roomOwnerId, ...changes });
  // Each client edits a different field: after each answer nobody else may have reset it.
  await both(
    times,
    async (n) => {
      await edit(here, { noOfViewers: n });
      const { body } = await here("fetchRoom", { id: room });
      assert.equal(body.roomSetting.noOfViewers, n, "set back by an edit of another field");
    },
    async (n) => {
      await edit(there, { roomAgenda: `${n}` });
      const { body } = await there("fetchRoom", { id: room });
      assert.equal(body.roomSetting.roomAgenda, `${n}`, "set back by an edit of another field");
    },
  );
  const { body: last } = await tenant.ask("fetchRoom", { id: room });
  const { noOfViewers, roomAgenda } = last.roomSetting;
  assert.deepEqual({ noOfViewers, roomAgenda }, { noOfViewers: times, roomAgenda: `${times}` });
  t.diagnostic(`${2 * times} edits of two fields, two at a time`);
};

test("P-STA-2: of two simultaneous edits of different fields of a room, both last", (t) =>
  editRooms(t, count(100, 500, 40)));

testTwin(
  "P-STA-2: a twin that saves the whole room, and loses an update, is detected",
  async (t) => {
    await assert.rejects(editRooms(t, 100, savesWhole), { code: "ERR_ASSERTION" });
  },
);

test("P-STA-2: of two simultaneous edits of different fields of a person, both last", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  const { id: userId } = await tenant.addPerson("ann@example.org");
  const times = count(100, 500, 40);
  const edit = (url: string, changes: object) => () =>
    tenant.askAt(url)("editUser", { userId, ...changes });
  await both(
    times,
    (n) => edit(world.url, { location: `${n}` })(),
    (n) => edit(second, { tags: [`${n}`], role: n % 2 === 0 ? "viewer" : "moderator" })(),
  );
  const { body } = await tenant.ask("findUsers", { userIds: [userId] });
  const [{ location, tags }] = body.users;
  assert.deepEqual({ location, tags }, { location: `${times}`, tags: [`${times}`] });
});

test("P-STA-2: the state of an account is not reset by a simultaneous edit", async (t) => {
  const world = await startWorld(t);
  const second = await world.second();
  const tenant = await world.tenant();
  for (let n = 0; n < count(20, 200, 8); n += 1) {
    const { id: userId } = await tenant.addPerson(`p${n}@example.org`);
    const [, edited] = await Promise.all([
      tenant.ask("revokeUsers", [{ userId }]),
      tenant.askAt(second)("editUser", { userId, name: `New ${n}` }),
    ]);
    assert.equal(edited.status, 200);
    const { body } = await tenant.ask("findUsers", { userIds: [userId] });
    assert.deepEqual([body.users[0].accountDeleted, body.users[0].name], [true, `New ${n}`]);
  }
});
