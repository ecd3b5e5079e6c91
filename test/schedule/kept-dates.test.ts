import assert from "node:assert/strict";
import { test } from "node:test";
import { removeInEach } from "../../server/change/removals.ts";
import { forgetOldDates } from "../../server/rooms/follow-schedule.ts";
import { startWorld } from "../world/world.ts";
import { inDays } from "./invited.ts";

const world = await startWorld(test);

test("removed dates are forgotten with their entry in the history", async () => {
  const { ask, admin } = await world.tenant();
  await ask("createRoom", { name: "Old", room: "old", roomOwnerId: admin.id });
  const dates = { roomId: "old", startsAt: inDays(3), emails: ["guest@example.com"] };
  assert.equal((await ask("editSchedule", dates)).status, 200);
  assert.equal((await ask("editSchedule", { roomId: "old", startsAt: null })).status, 200);
  const kept = async () => {
    const { read } = world.database;
    const of = (table: "schedules" | "invitees") =>
      read.selectFrom(table).select("room_id").execute();
    return [(await of("schedules")).length, (await of("invitees")).length];
  };
  const forget = () => removeInEach(world.database, () => false, forgetOldDates);
  await ask("editOrganization", { historyDays: 30 });
  await forget();
  assert.deepEqual(await kept(), [1, 1]);
  await world.database.change((tx) =>
    tx
      .updateTable("schedules")
      .set({ removed_at: inDays(-31) })
      .execute(),
  );
  await forget();
  assert.deepEqual(await kept(), [0, 0]);
});
