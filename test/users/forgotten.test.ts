import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyHistory } from "../../server/history/verify.ts";
import { openOrganization, operator } from "../../server/organization.ts";
import { letterIn } from "../letters/mailbox.ts";
import { enter } from "../meetings/inside.ts";
import { askAs } from "../world/ask.ts";
import { addHeldMeeting } from "../world/held.ts";
import { until } from "../world/process.ts";
import { tracesOf } from "../world/traces.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke, signIn } from "./people.ts";

const world = await startWorld(test);

/** More than a page of SQLite takes, so that rows move between pages. */
const MANY = 60;

test("deletion for good leaves nothing of a person, neither in a table nor in a file", async (t) => {
  const { ask, id, admin, change } = await world.tenant();
  const person = await create(ask, {
    ...{ email: "xanthippe@trace.example.org", name: "Xanthippe Quill", admin: true },
    ...{ location: "Xanthippe's place", tags: ["xanthippe"] },
  });
  const token = await signIn(world.open, person.username, person.password);
  const theirs = askAs(world.url, token);
  const key = { "idempotency-key": "xanthippe-once" };
  await theirs("editUser", { userId: person.id, name: "Xanthippe Quillon" }, key);
  const owned = { roomOwnerId: `${person.id},${admin.id}`, noOfParticipants: 5 };
  const rooms: string[] = [];
  for (let room = 0; room < MANY; room += 1) {
    const made = await theirs("createRoom", { name: `Room ${room}`, ...owned });
    rooms.push(made.body.roomSetting.room);
  }
  const [room = ""] = rooms;
  const inside = await enter(t, { url: world.url, ask: theirs }, room);
  inside.cut();
  await change(async ({ tx }) => {
    for (let meeting = 0; meeting < MANY; meeting += 1) {
      const at = new Date(Date.now() - meeting * 60_000);
      const meetingId = `of-${person.id}-${meeting}`;
      const held = { organizationId: id, room, meetingId, userId: person.id, at };
      await addHeldMeeting(tx, { ...held, name: "Xanthippe Quillon" });
    }
  });
  await world.open("signIn", { login: person.email, password: "not-the-password-1" });
  await letterIn(ask, person.id, "sent");
  const words = ["xanthippe", "quill", person.username];
  for (const word of words) assert.notDeepEqual(await tracesOf(world, word), [], word);

  await revoke(ask, person.id);
  await ask("deleteUsers", [person.id]);
  let left: string[] = [];
  await until("nothing is left of the person", async () => {
    // Looks at once for what is too old, and empties the log.
    await ask("editOrganization", {});
    left = (await Promise.all(words.map((word) => tracesOf(world, word)))).flat();
    return left.length === 0;
  }).catch((error: unknown) => assert.fail(`${error}: ${left}`));
  // What is not the person's is still there.
  const listed = await ask("listMeetings", { roomId: room, limit: 100 });
  assert.equal(listed.body.pagination.total, MANY + 1);
  const { entries } = (await ask("listHistory", { personId: person.id, limit: 1000 })).body;
  assert.ok(entries.length > MANY);
  const organization = openOrganization(world.database, id, operator);
  assert.equal((await verifyHistory(organization)).broken, null);
});
