import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import { uuid7 } from "../../server/lib/id.ts";
import { askAs } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { inDays } from "./invited.ts";

/* What a person learns by inviting others, and how hostile names and addresses are handled. */

const world = await startWorld(test);

/** An owner without `admin`, a room of the owner, and somebody else of the organization. */
const ownerIn = async () => {
  const tenant = await world.tenant();
  const owner = await tenant.addPerson(`owner@${tenant.id}.example.org`);
  const other = await tenant.addPerson(`other@${tenant.id}.example.org`, { name: "Hidden Name" });
  await tenant.ask("createRoom", { name: "Own", room: "own", roomOwnerId: owner.id });
  await tenant.ask("editOrganization", { ownersMay: "edit" });
  const mine = askAs(world.url, await tenant.tokenOf(owner.id));
  const schedule = { roomId: "own", startsAt: inDays(3) };
  return { ...tenant, owner, other, mine, schedule };
};

test("an owner without admin does not learn whose an address or an ID is", async () => {
  const { ask, owner, other, mine, schedule } = await ownerIn();
  const strangers = await world.tenant();
  const emails = [other.email, strangers.admin.email, "nobody@example.com"];
  const { status, text, body } = await mine("editSchedule", { ...schedule, emails });
  assert.equal(status, 200, text);
  assert.deepEqual([body.schedule.people, body.schedule.emails], [[], emails]);
  assert.doesNotMatch(text, new RegExp(`Hidden|${other.id}`));
  const [known, foreign, unknown] = await Promise.all(
    [other.id, strangers.admin.id, uuid7()].map((id) =>
      mine("editSchedule", { ...schedule, userIds: [id] }),
    ),
  );
  assert.equal(known?.status, 400);
  assert.deepEqual(known?.body, unknown?.body);
  assert.deepEqual(foreign?.body, unknown?.body);
  // An owner's address also stands for that person.
  const own = await mine("editSchedule", { ...schedule, emails: [owner.email] });
  assert.equal(own.body.schedule.people[0].userId, owner.id);
  assert.deepEqual(own.body.schedule.emails, []);
  // A person whom an administrator has invited by name stays invited, also when another owner saves.
  await ask("editSchedule", { ...schedule, userIds: [other.id] });
  for (const more of [{ userIds: [other.id] }, { emails: [other.email] }]) {
    const saved = await mine("editSchedule", { ...schedule, ...more });
    assert.deepEqual(
      [saved.body.schedule.people.length, saved.body.schedule.emails],
      [1, []],
      JSON.stringify(more),
    );
  }
});

test("an invited address stays one invitation when an administrator saves the schedule", async () => {
  const { ask, tokenOf, other, mine, schedule } = await ownerIn();
  await mine("editSchedule", { ...schedule, emails: [other.email] });
  const { body } = await ask("editSchedule", { ...schedule, emails: [other.email] });
  assert.deepEqual([body.schedule.people, body.schedule.emails], [[], [other.email]]);
  const coming = await askAs(world.url, await tokenOf(other.id))("listComing", {});
  assert.deepEqual(coming.body.dates[0].roomId, "own");
  const named = await ask("editSchedule", {
    ...schedule,
    userIds: [other.id],
    emails: [other.email],
  });
  assert.deepEqual([named.body.schedule.people.length, named.body.schedule.emails], [1, []]);
});

test("names and addresses add nothing to emails and files for calendars", async () => {
  const { ask, admin, schedule } = await ownerIn();
  const hostile = 'A;ATTENDEE:mailto:x@example.com,"\\n=cmd|x';
  await ask("createRoom", { name: hostile, room: "hostile", roomOwnerId: admin.id });
  await ask("editSchedule", { ...schedule, roomId: "hostile" });
  const { text } = await ask("downloadSchedule", { id: "hostile" });
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
  assert.equal(event?.getFirstPropertyValue("summary"), hostile);
  assert.deepEqual(event?.getAllProperties("attendee"), []);
  for (const name of ["A\r\nBcc: x@example.com", "A\nATTENDEE:mailto:x@example.com", "A\u2028B"]) {
    const made = await ask("createRoom", { name, roomOwnerId: admin.id });
    assert.equal(made.status, 400, name);
  }
  for (const email of [
    "a@example.com\r\nBcc: x@example.com",
    '"a;b"@example.com',
    "a@example.com,x@example.com",
    "a@example.com;X=1",
    "a:b@example.com",
    "<a@example.com>",
  ]) {
    const { status } = await ask("editSchedule", { ...schedule, emails: [email] });
    assert.equal(status, 400, email);
  }
});
