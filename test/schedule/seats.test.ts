import assert from "node:assert/strict";
import { test } from "node:test";
import { tooFewSeats } from "../../contract/schedule/seats.ts";
import { startWorld } from "../world/world.ts";
import { inDays } from "./invited.ts";

const world = await startWorld(test);

test("an answer warns that invited people may find no seat, at the first invitation and when more are invited", async () => {
  const { ask, admin } = await world.tenant();
  const seats = { noOfModerators: 1, noOfParticipants: 2 };
  const made = { name: "Small", room: "small", roomOwnerId: admin.id, ...seats };
  assert.equal((await ask("createRoom", made)).status, 201);
  const emails = ["a", "b", "c"].map((name) => `${name}@example.com`);
  const invite = async (some: readonly string[], userIds: readonly string[] = []) => {
    const startsAt = inDays(3);
    const answer = await ask("editSchedule", { roomId: "small", startsAt, emails: some, userIds });
    assert.equal(answer.status, 200, answer.text);
    return answer.headers.get("Parley-Note");
  };
  assert.equal(await invite(emails), tooFewSeats);
  // The owner has one seat, invited or not.
  assert.equal(await invite(emails.slice(0, 2), [admin.id]), null);
  assert.equal(await invite(emails), tooFewSeats);
  const more = { room: "small", roomOwnerId: admin.id, noOfParticipants: 3 };
  assert.equal((await ask("editRoom", more)).status, 200);
  assert.equal(await invite(emails), null);
});
