import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "../users/people.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);
const DAY_MS = 86_400_000;

test("guests of a series that has begun see its next date, before they enter and inside", async () => {
  const { ask } = await world.organization("Guests of a series");
  const owner = await create(ask);
  await ask("createRoom", { name: "Lesson", room: "lesson", roomOwnerId: owner.id });
  const begun = Date.now() - 3 * DAY_MS + 3_600_000;
  const schedule = { roomId: "lesson", startsAt: new Date(begun).toISOString(), minutes: 30 };
  const saved = await ask("editSchedule", {
    ...schedule,
    repetition: { every: "day", count: 10 },
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const { url } = (await ask("getRoomLink", { roomId: "lesson" })).body;
  const code = url.split("/").at(-1);
  const next = new Date(begun + 3 * DAY_MS).toISOString();
  assert.equal(saved.body.schedule.nextAt, next);
  const { invitation } = (await world.open("fetchInvitation", { roomId: code })).body;
  assert.equal(invitation.scheduledDateTime, next);
  const joined = await world.open("joinRoom", { roomId: code, peerName: "Guest" });
  assert.equal(joined.body.room.scheduledDateTime, next);
  // The record of the room keeps the date that was set.
  const { roomSetting } = (await ask("fetchRoom", { id: "lesson" })).body;
  assert.equal(roomSetting.scheduledDateTime, schedule.startsAt);

  await ask("editSchedule", schedule);
  const over = (await world.open("fetchInvitation", { roomId: code })).body;
  assert.equal(over.invitation.scheduledDateTime, schedule.startsAt);
});
