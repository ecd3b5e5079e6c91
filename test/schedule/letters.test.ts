import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { MOST_TO_ONE } from "../../server/schedule/letters.ts";
import { floodsMailboxes, remindsAgain } from "../twins/schedule.ts";
import { testTwin } from "../twins/test-twin.ts";
import { create } from "../users/people.ts";
import { until } from "../world/process.ts";
import { type SunkLetter, startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { emailIn, inDays, mailInto, newRoom as makeRoom, weekly } from "./invited.ts";

const sink = await startSink();
after(() => sink.stop());
const environment = mailInto(sink);
const world = await startWorld(test, { environment });
const newRoom = (name: string, here = world) => makeRoom(here, name);
const emailTo = (email: string, method: string, more?: (text: string) => boolean) =>
  emailIn(sink, email, method, more);

/** An edit of another room's dates wakes the work in the background. */
const wake = async (here = world) => {
  const { schedule } = await newRoom(`Waking ${randomUUID()}`, here);
  await schedule({ emails: ["other@example.com"] });
};

test("invited people get one event: the same UID, a growing sequence, a cancellation", async () => {
  const { ask, schedule } = await newRoom("Lessons");
  const email = "invited@example.com";
  await schedule({ repetition: weekly, emails: [email] });
  const first = await emailTo(email, "REQUEST");
  assert.match(first.letter?.parsed.subject ?? "", /^Invitation to a meeting: Lesson$/);
  assert.match(first.calendar, /BEGIN:VTIMEZONE\nTZID:Europe\/Berlin/);

  // The interface moves the date, and keeps length and repetition.
  const { roomSetting } = (await ask("fetchRoom", { id: "lesson" })).body;
  const moved = inDays(4);
  const edited = await ask("editRoom", {
    room: "lesson",
    roomOwnerId: roomSetting.roomOwnerId,
    scheduledDateTime: moved,
  });
  assert.equal(edited.status, 200);
  const isNewer = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]) > first.sequence;
  const second = await emailTo(email, "REQUEST", isNewer);
  assert.equal(second.uid, first.uid);
  const { schedule: kept } = (await ask("fetchSchedule", { id: "lesson" })).body;
  assert.equal(kept.startsAt, moved);
  assert.equal(kept.repetition.count, 5);

  const removed = await ask("editSchedule", { roomId: "lesson", startsAt: null });
  assert.equal(removed.body.schedule, null);
  const canceled = await emailTo(email, "CANCEL");
  assert.equal(canceled.uid, first.uid);
  assert.ok(canceled.sequence > second.sequence);
  const room = (await ask("fetchRoom", { id: "lesson" })).body.roomSetting;
  assert.equal(room.scheduledDateTime, null);
});

test("a host sees whose invitation arrived, and which address refuses it", async () => {
  const { ask, schedule } = await newRoom("Standing");
  const [good, bad] = ["arrives@example.com", "nobody@example.com"];
  sink.fate = (stage, address) =>
    stage === "recipient" && address === bad ? { code: 550, text: "No such mailbox" } : undefined;
  const saved = await schedule({ emails: [good, bad] });
  assert.deepEqual(saved.invitations, [
    { email: good, state: "waiting" },
    { email: bad, state: "waiting" },
  ]);
  await until("both stand", async () => {
    const { invitations } = (await ask("fetchSchedule", { id: "lesson" })).body.schedule;
    return (
      JSON.stringify(invitations.map(({ state }: { state: string }) => state)) ===
      '["sent","refused"]'
    );
  });
  sink.fate = () => undefined;
});

test("only the people concerned get an email about a change, and a deleted room is canceled", async () => {
  const { ask, owner, schedule } = await newRoom("Concerned");
  const startsAt = inDays(3);
  const [stays, goes, comes] = ["stays", "goes", "comes"].map((name) => `${name}@example.com`);
  await schedule({ startsAt, emails: [stays, goes], userIds: [owner.id] });
  await emailTo(stays ?? "", "REQUEST");
  await emailTo(goes ?? "", "REQUEST");
  await emailTo(owner.email, "REQUEST");
  await schedule({ startsAt, emails: [stays, comes, owner.email.toUpperCase()] });
  await emailTo(goes ?? "", "CANCEL");
  await emailTo(comes ?? "", "REQUEST");
  const { schedule: now } = (await ask("fetchSchedule", { id: "lesson" })).body;
  assert.deepEqual(
    now.people.map(({ userId }: { readonly userId: string }) => userId),
    [owner.id],
  );
  await ask("deleteRoom", { id: "lesson" });
  await emailTo(stays ?? "", "CANCEL");
  const sent = (email: string | undefined) =>
    sink.letters.filter(({ to }) => to.includes(email ?? "")).length;
  assert.equal(sent(stays), 2);
  assert.equal(sent(goes), 2);
});

/** A reminder that is due is sent, and not again when the work goes on. */
const remindsOnce = async (here = world): Promise<void> => {
  const { ask, owner, schedule } = await newRoom(`Reminded ${randomUUID()}`, here);
  const email = `${randomUUID()}@example.com`;
  await schedule({ startsAt: inDays(1), emails: [email] });
  await emailTo(email, "REQUEST");
  const soon = new Date(Date.now() + 600_000).toISOString();
  const due = new Date(Date.now() - 300_000).toISOString();
  await here.database.change((tx) =>
    tx
      .updateTable("schedules")
      .set({ starts_at: soon, remind_at: due })
      .where("room_id", "in", ({ selectFrom }) =>
        selectFrom("invitees").select("room_id").where("email", "=", email),
      )
      .execute(),
  );
  const isReminder = (address: string) => (letter: SunkLetter) =>
    letter.to.includes(address) && letter.parsed.subject === "A meeting begins soon: Lesson";
  await wake(here);
  await sink.waitFor(isReminder(email));
  await sink.waitFor(isReminder(owner.email));
  // Whatever is due is queued and posted before an invitation that is made later.
  const last = `${randomUUID()}@example.com`;
  await ask("createRoom", { name: "Next", room: "next", roomOwnerId: owner.id });
  await ask("editSchedule", { roomId: "next", startsAt: inDays(2), emails: [last] });
  await emailTo(last, "REQUEST");
  assert.equal(sink.letters.filter(isReminder(email)).length, 1);
};

test("a reminder comes once before the date, to invited people and owners", () => remindsOnce());

testTwin("a twin that does not advance a reminder is detected", async (t) => {
  const here = await startWorld(t, { environment, twin: remindsAgain });
  await assert.rejects(remindsOnce(here), assert.AssertionError);
});

/** A host moves a date repeatedly. @returns how many emails are written to the mailbox that is invited */
const flood = async (here = world): Promise<number> => {
  const { schedule } = await newRoom(`Flooding ${randomUUID()}`, here);
  const victim = randomUUID();
  const { read } = here.database;
  const isHeld = ({ due_at }: { readonly due_at: string }) =>
    Date.parse(due_at) > Date.now() + 60_000;
  for (let move = 0; move < MOST_TO_ONE; move += 1) {
    // Every other time by another address of the same mailbox: a cancellation and an invitation.
    const email = move % 2 === 0 ? `${victim}@example.com` : `${victim}+${move}@Example.com`;
    await schedule({ startsAt: inDays(3 + move), emails: [email] });
    await until("what is not held is written", async () => {
      const notices = read.selectFrom("notices").select("due_at");
      return (await notices.where("email", "like", `${victim}%`).execute()).every(isHeld);
    });
  }
  const other = `${randomUUID()}@example.com`;
  await schedule({ startsAt: inDays(40), emails: [other] });
  await emailTo(other, "REQUEST");
  const letters = read.selectFrom("letters").select("id");
  return (await letters.where("recipient", "like", `${victim}%`).execute()).length;
};

test("a date that is moved repeatedly sends a mailbox a limited number of emails an hour", async () => {
  assert.equal(await flood(), MOST_TO_ONE);
});

testTwin("a twin that floods mailboxes is detected", async (t) => {
  const here = await startWorld(t, { environment, twin: floodsMailboxes });
  assert.ok((await flood(here)) > MOST_TO_ONE);
});

test("an invited address is erased with its person", async () => {
  const { ask, schedule } = await newRoom("Forgotten");
  const email = "forgotten@example.com";
  await schedule({ emails: [email] });
  const person = await create(ask, { email });
  const { invitations } = JSON.parse((await ask("exportUser", { userId: person.id })).text);
  assert.deepEqual(invitations, [{ roomId: "lesson", userId: null, email }]);
  await ask("revokeUsers", [{ userId: person.id }]);
  assert.equal((await ask("deleteUsers", [person.id])).status, 200);
  assert.deepEqual((await ask("fetchSchedule", { id: "lesson" })).body.schedule.emails, []);
});

test("an impossible schedule is refused, and nothing is stored", async () => {
  const { ask } = await newRoom("Refused");
  const { owner: stranger } = await newRoom("Strangers");
  const wrong = [
    { userIds: [stranger.id] },
    { emails: ["no address"] },
    { timeZone: "Mars/Phobos" },
    { minutes: 0 },
    { repetition: { every: "week" } },
    { repetition: { every: "day", until: "2020-01-01" } },
    { emails: Array.from({ length: 101 }, (_, n) => `${n}@example.com`) },
  ];
  for (const more of wrong) {
    const { status } = await ask("editSchedule", {
      roomId: "lesson",
      startsAt: inDays(3),
      ...more,
    });
    assert.equal(status, 400, JSON.stringify(more).slice(0, 100));
  }
  assert.equal((await ask("fetchSchedule", { id: "lesson" })).body.schedule, null);
  const unknown = await ask("editSchedule", { roomId: "nowhere", startsAt: null });
  assert.equal(unknown.status, 404);
});
