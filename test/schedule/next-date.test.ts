import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import { create } from "../users/people.ts";
import { startWorld } from "../world/world.ts";

/* Dates of a room, for people who have its link. */

const world = await startWorld(test);
const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

const eventIn = (calendar: string) => {
  const event = new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent("vevent");
  assert.ok(event);
  return event;
};

const newRoom = async (name: string, more: object = {}) => {
  const { ask } = await world.organization(name);
  const owner = await create(ask, { email: `${name}@hidden.example` });
  const room = { name: "Lesson", room: "lesson", roomOwnerId: owner.id, roomPermaLink: true };
  const made = await ask("createRoom", { ...room, ...more });
  assert.equal(made.status, 201, made.text);
  const { code, url } = (await ask("getRoomLink", { roomId: "lesson" })).body;
  return { ask, owner, code, url };
};

test("a link shows the next date and its event, and names no invited person", async () => {
  const { ask, owner, code, url } = await newRoom("Shown");
  const schedule = {
    roomId: "lesson",
    startsAt: inDays(-6),
    timeZone: "Europe/Berlin",
    minutes: 30,
    repetition: { every: "day", count: 20 },
  };
  const invited = { userIds: [owner.id], emails: ["secret@hidden.example"] };
  assert.equal((await ask("editSchedule", { ...schedule, ...invited })).status, 200);
  const { next } = (await world.open("fetchNextDate", { roomId: code })).body;
  assert.equal(Date.parse(next.endsAt) - Date.parse(next.startsAt), 30 * 60_000);
  assert.ok(next.endsAt > new Date().toISOString());
  assert.equal(next.opens, true);
  const hosts = await ask("downloadSchedule", { id: "lesson" });
  const event = eventIn(next.calendar);
  for (const name of ["uid", "sequence", "dtstart", "rrule"]) {
    const [theirs, own] = [event, eventIn(hosts.text)].map((one) =>
      String(one.getFirstPropertyValue(name)),
    );
    assert.equal(theirs, own, name);
  }
  assert.equal(event.getFirstPropertyValue("url"), url);
  assert.doesNotMatch(next.calendar, /hidden\.example|ATTENDEE/);
  assert.match(next.calendar, /BEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin/);
});

test("a date without a schedule lasts an hour in UTC, for guests and hosts, and no date gives no event", async () => {
  const startsAt = inDays(2);
  const { ask, code } = await newRoom("Planned", { scheduledDateTime: startsAt });
  const { next } = (await world.open("fetchNextDate", { roomId: code })).body;
  assert.deepEqual([next.startsAt, next.timeZone], [startsAt, "UTC"]);
  const hosts = await ask("downloadSchedule", { id: "lesson" });
  assert.equal(
    eventIn(hosts.text).getFirstPropertyValue("uid"),
    eventIn(next.calendar).getFirstPropertyValue("uid"),
  );
  const { code: bare, ask: other } = await newRoom("Undated");
  assert.equal((await world.open("fetchNextDate", { roomId: bare })).body.next, null);
  assert.equal((await other("downloadSchedule", { id: "lesson" })).body.code, "not_scheduled");
});

test("a link that ended with a meeting shows the next date and no link; a replaced one shows nothing", async () => {
  const { ask, code } = await newRoom("Over", { scheduledDateTime: inDays(2) });
  const end = (is_over: boolean) =>
    world.database.change((tx) =>
      tx
        .updateTable("room_links")
        .set({ ended_at: new Date().toISOString(), is_over })
        .where("code", "=", code)
        .execute(),
    );
  await end(true);
  const { next } = (await world.open("fetchNextDate", { roomId: code })).body;
  assert.equal(next.opens, false);
  assert.equal(eventIn(next.calendar).getFirstPropertyValue("url"), null);
  assert.equal((await world.open("fetchInvitation", { roomId: code })).body.code, "link_ended");
  // A host who makes a new link takes the former ones away, with all that they tell.
  const { code: newest } = (await ask("getRoomLink", { roomId: "lesson", renew: true })).body;
  assert.equal((await world.open("fetchNextDate", { roomId: code })).body.code, "link_ended");
  assert.equal((await world.open("fetchNextDate", { roomId: newest })).body.next.opens, true);
  await ask("deleteRoom", { id: "lesson" });
  assert.equal((await world.open("fetchNextDate", { roomId: newest })).body.code, "room_not_found");
});
