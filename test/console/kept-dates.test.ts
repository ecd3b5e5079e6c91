// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { startVisits } from "./visit.ts";

/* The dates of a room that is copied, undone, or too small. */

const { service, visit } = await startVisits();
const { client, adminId } = service;

const scheduled = async (name: string) => {
  const seats = { noOfModerators: 1, noOfParticipants: 2 };
  const made = await client.createRoom({ name, roomOwnerId: adminId, ...seats });
  const { room } = made.roomSetting;
  await client.editSchedule({
    roomId: room,
    startsAt: "2035-05-08T07:00:00.000Z",
    timeZone: "Europe/Berlin",
    minutes: 45,
    emails: ["ann@example.com"],
    repetition: { every: "twoWeeks", days: ["tuesday"], count: 6 },
  });
  return room;
};

test("a duplicate keeps the length and the repetition of the dates, and invites nobody", async () => {
  const room = await scheduled("Copied dates");
  await visit({}, async ({ page }) => {
    await page.goto(`/rooms/new?from=${room}`);
    await page.getByText("nobody is invited to them").waitFor();
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByRole("heading", { name: "Copied dates (copy)" }).waitFor();
    await page.getByText("Every two weeks on Tuesday, 6 dates").waitFor();
  });
  const rooms = (await client.listRooms({ search: "Copied dates (copy)" })).roomSettings;
  const { schedule } = await client.fetchSchedule({ id: rooms[0]?.room ?? "" });
  assert.deepEqual(
    [schedule?.startsAt, schedule?.minutes, schedule?.timeZone, schedule?.emails],
    ["2035-05-08T07:00:00.000Z", 45, "Europe/Berlin", []],
  );
});

test("the form warns before saving where more people are invited than there are seats", async () => {
  const room = await scheduled("Small room");
  await visit({}, async ({ page }) => {
    await page.goto(`/rooms/${room}`);
    const dates = page.getByRole("region", { name: "Dates and invitations" });
    await dates.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Invite", { exact: true });
    await field.fill("ben@example.com, kim@example.com");
    assert.equal(await dialog.getByText("The room has 3 seats").count(), 0);
    await field.press("Enter");
    await dialog.getByText("The room has 3 seats, and 4 people are expected").waitFor();
    await dialog.getByRole("button", { name: "Do not invite kim@example.com" }).click();
    await dialog.getByText("The room has 3 seats").waitFor({ state: "detached" });
  });
});

test("removed dates come back whole from the history", async () => {
  const room = await scheduled("Brought back");
  const before = (await client.fetchSchedule({ id: room })).schedule;
  await client.editSchedule({ roomId: room, startsAt: null });
  await visit({}, async ({ page }) => {
    await page.goto(`/history?roomId=${room}`);
    const row = page.getByRole("row").filter({ hasText: "Room scheduled" }).first();
    await row.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
  const after = (await client.fetchSchedule({ id: room })).schedule;
  assert.deepEqual(
    [after?.startsAt, after?.minutes, after?.repetition, after?.emails],
    [before?.startsAt, before?.minutes, before?.repetition, before?.emails],
  );
});
