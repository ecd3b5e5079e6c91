import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { MOST_AN_HOUR } from "../../server/schedule/letters.ts";
import { countsNone } from "../twins/schedule.ts";
import { testTwin } from "../twins/test-twin.ts";
import { until } from "../world/process.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { emailIn, inDays, mailInto, newRoom as makeRoom, weekly } from "./invited.ts";

const sink = await startSink();
after(() => sink.stop());
const environment = mailInto(sink);
const world = await startWorld(test, { environment });
const newRoom = (name: string, here = world) => makeRoom(here, name);
const emailTo = (email: string, method: string, more?: (text: string) => boolean) =>
  emailIn(sink, email, method, more);

/* Effects of changes of a room on its invitations. */

const isAfter =
  ({ sequence }: { readonly sequence: number }) =>
  (text: string): boolean =>
    Number(/SEQUENCE:(\d+)/.exec(text)?.[1]) > sequence;

/** The last entry of this kind in the history. */
const lastEntry = async (ask: Awaited<ReturnType<typeof newRoom>>["ask"], kind: string) => {
  const { entries } = (await ask("listHistory", {})).body;
  return entries.find((entry: { readonly kind: string }) => entry.kind === kind).number;
};

test("the recycle bin cancels the dates of a room, and a restoration invites to them again", async () => {
  const { ask, schedule } = await newRoom("Resting");
  const email = `${randomUUID()}@example.com`;
  await schedule({ repetition: weekly, minutes: 30, emails: [email] });
  const first = await emailTo(email, "REQUEST");
  await ask("editOrganization", { binDays: 7 });
  const [id] = (await ask("binRooms", { rooms: ["lesson"] })).body.ids;
  const canceled = await emailTo(email, "CANCEL", isAfter(first));
  assert.equal(canceled.uid, first.uid);
  assert.equal((await ask("restoreFromBin", { ids: [id] })).status, 200);
  const again = await emailTo(email, "REQUEST", isAfter(canceled));
  assert.equal(again.uid, first.uid);
  const { schedule: kept } = (await ask("fetchSchedule", { id: "lesson" })).body;
  assert.deepEqual([kept.minutes, kept.repetition.count, kept.emails], [30, 5, [email]]);
});

test("taking back an edit moves the dates back, and every invited person hears of it", async () => {
  const { ask, owner } = await newRoom("Undone");
  const made = await ask("createRoom", { name: "New", room: "new", roomOwnerId: owner.id });
  assert.equal(made.status, 201);
  const email = `${randomUUID()}@example.com`;
  const startsAt = inDays(3);
  const scheduled = { roomId: "new", startsAt, minutes: 20, emails: [email] };
  assert.equal((await ask("editSchedule", scheduled)).status, 200);
  const first = await emailTo(email, "REQUEST");
  const moved = { room: "new", roomOwnerId: owner.id, scheduledDateTime: inDays(4) };
  assert.equal((await ask("editRoom", moved)).status, 200);
  const second = await emailTo(email, "REQUEST", isAfter(first));
  const undone = await ask("undoChange", { number: await lastEntry(ask, "roomEdited") });
  assert.equal(undone.status, 200, undone.text);
  await emailTo(email, "REQUEST", isAfter(second));
  const { schedule } = (await ask("fetchSchedule", { id: "new" })).body;
  assert.deepEqual([schedule.startsAt, schedule.minutes, schedule.emails], [startsAt, 20, [email]]);
});

for (const [how, takeAway] of [
  ["by the schedule", (_: string) => ["editSchedule", { roomId: "lesson", startsAt: null }]],
  [
    "by an edit of the room",
    (roomOwnerId: string) => ["editRoom", { room: "lesson", roomOwnerId, scheduledDateTime: null }],
  ],
] as const) {
  test(`a date that was taken away ${how} comes back with its length, repetition and invitations`, async () => {
    const { ask, owner, schedule } = await newRoom(`Away ${how}`);
    const email = `${randomUUID()}@example.com`;
    const repetition = { ...weekly, every: "twoWeeks" };
    const made = await schedule({ repetition, minutes: 25, emails: [email], userIds: [owner.id] });
    const first = await emailTo(email, "REQUEST");
    const [operation, body] = takeAway(owner.id);
    assert.equal((await ask(operation as "editRoom", body)).status, 200);
    const canceled = await emailTo(email, "CANCEL");
    assert.equal((await ask("fetchSchedule", { id: "lesson" })).body.schedule, null);
    assert.equal((await ask("downloadSchedule", { id: "lesson" })).body.code, "not_scheduled");
    const undone = await ask("undoChange", { number: await lastEntry(ask, "roomEdited") });
    assert.equal(undone.status, 200, undone.text);
    const again = await emailTo(email, "REQUEST", isAfter(canceled));
    assert.equal(again.uid, first.uid);
    const { schedule: now } = (await ask("fetchSchedule", { id: "lesson" })).body;
    const kept = ({ startsAt, timeZone, minutes, repetition, people, emails }: typeof made) => {
      return { startsAt, timeZone, minutes, repetition, people, emails };
    };
    assert.deepEqual(kept(now), kept(made));
  });
}

test("removed dates are forgotten with the room's next date, and do not replace it", async () => {
  const { ask, owner, schedule } = await newRoom("Forgotten");
  await schedule({ minutes: 25, emails: [`${randomUUID()}@example.com`] });
  const removed = { roomId: "lesson", startsAt: null };
  await ask("editSchedule", removed);
  const number = await lastEntry(ask, "roomScheduled");
  const next = { room: "lesson", roomOwnerId: owner.id, scheduledDateTime: inDays(9) };
  assert.equal((await ask("editRoom", next)).status, 200);
  assert.equal((await ask("fetchSchedule", { id: "lesson" })).body.schedule, null);
  const refused = await ask("undoChange", { number });
  assert.equal(refused.body.code, "changed_since");
  const fresh = await schedule({ minutes: 45 });
  assert.deepEqual([fresh.minutes, fresh.emails], [45, []]);
  // A change of dates that left some is not taken back: people know of it by email.
  const latest = await lastEntry(ask, "roomScheduled");
  assert.equal((await ask("undoChange", { number: latest })).body.code, "undo_impossible");
});

test("a repetition that an edit of the room removed comes back when the edit is taken back", async () => {
  const { ask, owner, schedule } = await newRoom("Given up");
  const monday = new Date(Date.now() + 8 * 86_400_000);
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7));
  monday.setUTCHours(12);
  const saturday = new Date(monday.getTime() + 5 * 86_400_000);
  const weekday = { every: "weekday", count: 5 };
  const before = await schedule({ startsAt: monday.toISOString(), repetition: weekday });
  const scheduledDateTime = saturday.toISOString();
  await ask("editRoom", { room: "lesson", roomOwnerId: owner.id, scheduledDateTime });
  const moved = (await ask("fetchSchedule", { id: "lesson" })).body.schedule;
  assert.equal(moved.repetition, null);
  const undone = await ask("undoChange", { number: await lastEntry(ask, "roomEdited") });
  assert.equal(undone.status, 200, undone.text);
  const { schedule: now } = (await ask("fetchSchedule", { id: "lesson" })).body;
  assert.deepEqual([now.startsAt, now.repetition], [before.startsAt, before.repetition]);
});

test("people hear of it when dates to which they are invited end early", async () => {
  const { schedule } = await newRoom("Shortened");
  const email = `${randomUUID()}@example.com`;
  const startsAt = inDays(-8);
  const weeklyUntil = (count: number) => ({ startsAt, repetition: { every: "week", count } });
  await schedule({ ...weeklyUntil(4), emails: [email] });
  const first = await emailTo(email, "REQUEST");
  await schedule({ ...weeklyUntil(2), emails: [email] });
  const second = await emailTo(email, "REQUEST", isAfter(first));
  assert.match(second.calendar, /COUNT=2/);
});

test("a new link reaches every invited person, as an update of the same event", async () => {
  const { ask, owner, schedule } = await newRoom("Linked");
  const email = `${randomUUID()}@example.com`;
  await schedule({ emails: [email] });
  const first = await emailTo(email, "REQUEST");
  const { url: former } = (await ask("getRoomLink", { roomId: "lesson" })).body;
  const unfolded = ({ calendar }: { readonly calendar: string }) => calendar.replace(/\r?\n /g, "");
  assert.ok(unfolded(first).includes(former));
  const { url } = (await ask("getRoomLink", { roomId: "lesson", renew: true })).body;
  const second = await emailTo(email, "REQUEST", isAfter(first));
  assert.equal(second.uid, first.uid);
  assert.ok(unfolded(second).includes(url));
  // The email says nothing about passwords and admission, so nobody hears of them.
  const closed = { roomPassword: "sesame of the room", authenticationRequired: true };
  await ask("editRoom", { room: "lesson", roomOwnerId: owner.id, ...closed });
  await ask("editRoom", { room: "lesson", roomOwnerId: owner.id, name: "Last" });
  await emailTo(email, "REQUEST", isAfter(second));
  assert.equal(sink.letters.filter(({ to }) => to.includes(email)).length, 3);
  assert.doesNotMatch(JSON.stringify(sink.letters), /sesame/);
});

/** An organization that has sent all of its emails of an hour sends the next one once it may. */
const waitsForAnHour = async (here = world): Promise<void> => {
  const name = `Many ${randomUUID()}`;
  const { schedule } = await newRoom(name, here);
  const change = (work: Parameters<typeof here.database.change>[0]) => here.database.change(work);
  const ofMany = async () =>
    here.database.read
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
  const { id } = await ofMany();
  const at = new Date().toISOString();
  await change(async (tx) => {
    const sent = Array.from({ length: MOST_AN_HOUR }, () => ({
      id: uuid7(),
      organization_id: id,
      user_id: null,
      kind: "meeting-change" as const,
      recipient: "sent@example.com",
      credentials: 0,
      state: "sent" as const,
      content: null,
      attempts: 1,
      due_at: at,
      last_error: null,
      created_at: at,
      retried_at: null,
      ended_at: at,
      sent_to: "server" as const,
      held_for: null,
    }));
    for (let from = 0; from < sent.length; from += 50) {
      await tx
        .insertInto("letters")
        .values(sent.slice(from, from + 50))
        .execute();
    }
  });
  const email = `${randomUUID()}@example.com`;
  await schedule({ emails: [email] });
  // The work has looked, and put the email off.
  await until("the email is put off, or sent", async () => {
    const left = await here.database.read
      .selectFrom("notices")
      .select("due_at")
      .where("organization_id", "=", id)
      .execute();
    const isSent = sink.letters.some(({ to }) => to.includes(email));
    return (
      isSent || left.some(({ due_at }) => due_at > new Date(Date.now() + 60_000).toISOString())
    );
  });
  assert.deepEqual(
    sink.letters.filter(({ to }) => to.includes(email)),
    [],
  );
  const old = new Date(Date.now() - 2 * 3_600_000).toISOString();
  await change(async (tx) => {
    await tx
      .updateTable("letters")
      .set({ created_at: old })
      .where("organization_id", "=", id)
      .execute();
    await tx.updateTable("notices").set({ due_at: at }).where("organization_id", "=", id).execute();
  });
  // Any change of dates wakes the work.
  const other = await newRoom(`Waking ${randomUUID()}`, here);
  await other.schedule({ emails: ["other@example.com"] });
  await emailTo(email, "REQUEST");
};

test("an organization sends at most 500 emails about dates an hour, and the rest later", () =>
  waitsForAnHour());

testTwin("a twin that counts no emails is detected", async (t) => {
  const here = await startWorld(t, { environment, twin: countsNone });
  await assert.rejects(waitsForAnHour(here), assert.AssertionError);
});
