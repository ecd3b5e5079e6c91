// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createClient, type ParleyError } from "../../contract/client.ts";
import { until } from "../world/process.ts";
import { assertAccessible, assertNothingSticksOut, shoot } from "./looks.ts";
import { createPerson } from "./people.ts";
import { patientFetch } from "./service.ts";
import {
  clipboardOf,
  loseClipboard,
  noticed,
  press,
  readLink,
  settled,
  startVisits,
} from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const olga = await createPerson(service, "Olga Owner");

const wide = { width: 1280, height: 860 };
/** The smallest width that WCAG requires. */
const narrow = { width: 320, height: 640 };

/** Creates a room owned by Olga. @returns its ID */
const newRoom = async (name: string): Promise<string> => {
  const seats = { noOfModerators: 3, noOfParticipants: 5, noOfViewers: 5 };
  const { roomSetting } = await client.createRoom({ name, roomOwnerId: olga.id, ...seats });
  return roomSetting.room;
};

/** Lets guests in by the room's link, each as a different person. */
const enter = async (roomId: string, ...names: readonly string[]): Promise<void> => {
  const { code } = await client.getRoomLink({ roomId });
  const guest = createClient({ baseUrl: service.url, fetch: patientFetch });
  for (const peerName of names) {
    const { ticket } = await guest.joinRoom({ roomId: code, peerName });
    await service.sit(ticket);
  }
};

/** Removes somebody in the console, with a choice of the dialog. */
const remove = async (page: Page, name: string, mayReturn: string): Promise<void> => {
  await inside(page)
    .getByRole("button", { name: `Remove ${name}` })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(mayReturn).check();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await noticed(page, `${name} was removed from the meeting.`);
};

const look = async (page: Page, name: string): Promise<void> => {
  for (const [label, size] of Object.entries({ wide, narrow })) {
    await page.setViewportSize(size);
    await settled(page);
    await assertNothingSticksOut(page, `${name}, ${label}`);
    await assertAccessible(page, `${name}, ${label}`, { rules: { region: { enabled: false } } });
    await shoot(page, `${name}-${label}`);
  }
  await page.setViewportSize(wide);
};

/** The part of a page that shows who is inside. */
const inside = (page: Page) => page.getByRole("region", { name: "Inside now" });

test("a room is entered, and its link copied, from its row", async () => {
  const id = await newRoom("Daily");
  await visit({ at: "/rooms?search=Daily" }, async ({ page, context }) => {
    const open = () => page.getByRole("button", { name: "Actions for Daily" }).click();
    await open();
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    await noticed(page, "The link is copied");
    assert.equal(await clipboardOf(page), (await client.getRoomLink({ roomId: id })).url);
    await open();
    const opened = context.waitForEvent("page");
    await page.getByRole("menuitem", { name: "Start" }).click();
    const door = await opened;
    await door.getByRole("heading", { name: "Daily" }).waitFor();
    const { code } = await client.getRoomLink({ roomId: id });
    await door.waitForURL(`**/m/${code}`);
    await door.close();
    await open();
    await page.getByRole("menuitem", { name: "Meetings" }).click();
    await page.getByRole("heading", { name: "Meetings in Daily" }).waitFor();
    await inside(page).getByText("Nobody is inside.").waitFor();
    await page.getByText("No meeting yet").waitFor();
  });
});

test("a person who entered from the console copies the room's link, not the page's address", async () => {
  const id = await newRoom("Standup");
  await visit({}, async ({ page }) => {
    await page.goto(`/m/${id}`);
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Copy the link" }).click();
    await noticed(page, "The link is copied.");
    assert.equal(await clipboardOf(page), (await client.getRoomLink({ roomId: id })).url);
    await loseClipboard(page);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Copy the link" }).click();
    await readLink(page, (await client.getRoomLink({ roomId: id })).url);
    await page.getByRole("button", { name: "Leave" }).click();
  });
});

test("people inside appear without a reload, and can be removed; the meeting can be locked and ended", async () => {
  const id = await newRoom("Review");
  await visit({ at: `/rooms/${id}/meetings` }, async ({ page }) => {
    await inside(page).getByText("Nobody is inside.").waitFor();
    await enter(id, "Ann", "Bob");
    await inside(page).getByText("Bob").waitFor();
    await page.getByRole("link", { name: /^Join Review/ }).waitFor();

    await inside(page).getByRole("button", { name: "Lock", exact: true }).click();
    await inside(page).getByText("Locked", { exact: true }).waitFor();
    assert.equal((await client.getMeeting({ roomId: id })).meeting.locked, true);
    await inside(page).getByRole("button", { name: "Unlock" }).click();
    await inside(page).getByText("Locked", { exact: true }).waitFor({ state: "detached" });

    await look(page, "meetings-inside");

    await remove(page, "Bob", "Yes, at once");
    await inside(page).getByText("Bob").waitFor({ state: "detached" });
    const { peers } = (await client.getMeeting({ roomId: id })).meeting;
    assert.deepEqual(
      peers.map(({ peerName }) => peerName),
      ["Ann"],
    );

    await inside(page).getByRole("button", { name: "End for everybody" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Everybody inside is disconnected.").waitFor();
    await dialog.getByRole("button", { name: "End for everybody" }).click();
    await noticed(page, "The meeting is over.");
    await inside(page).getByText("Nobody is inside.").waitFor();
    await page.getByRole("link", { name: /^Start Review/ }).waitFor();
  });
  assert.equal((await client.fetchRoom({ id })).roomSetting.roomStatus, "free");
});

test("the console removes a person for now, for the meeting, or for good", async () => {
  const id = await newRoom("Open house");
  await client.editRoom({ room: id, roomOwnerId: olga.id, roomPermaLink: true });
  const { accessKey, secretAccessKey } = (await client.createAccessKey()).accessKey;
  const join = async (peerId: string): Promise<string> => {
    const asked = { accessKey, secretAccessKey, roomId: id, peerId, peerName: peerId };
    const { sessionToken } = await client.createSessionToken(asked);
    try {
      const { ticket } = await client.joinRoom({ roomId: id, sessionToken });
      await service.sit(ticket);
      return "inside";
    } catch (failure) {
      return (failure as ParleyError).code;
    }
  };
  await enter(id, "Ann");
  for (const peerId of ["Bob", "Cid", "Dot", "Eve"]) assert.equal(await join(peerId), "inside");
  await visit({ at: `/rooms/${id}/meetings` }, async ({ page }) => {
    await remove(page, "Bob", "Yes, at once");
    await remove(page, "Cid", "Not to this meeting");
    await remove(page, "Eve", "After an hour");
    await remove(page, "Dot", "Never to this room or its later meetings");
    await enter(id, "Fred");
    await inside(page).getByText("Fred").waitFor();
    await remove(page, "Fred", "Never to this room or its later meetings");
    const excluded = page.getByRole("region", { name: "Excluded" });
    await excluded.getByText("for good").first().waitFor();
    await look(page, "excluded");
    await excluded.getByRole("button", { name: "Let back in: Fred" }).click();
    await noticed(page, "Fred may come back.");
    await excluded.getByText("Fred").waitFor({ state: "detached" });
    await excluded.getByText("Dot").waitFor();
  });
  assert.deepEqual(await Promise.all(["Bob", "Cid", "Dot", "Eve"].map(join)), [
    "inside",
    "banned",
    "banned",
    "banned",
  ]);
  await client.closeRoom({ roomId: id });
  assert.deepEqual(await Promise.all(["Cid", "Dot", "Eve"].map(join)), [
    "inside",
    "banned",
    "banned",
  ]);
});

test("an edit of the type of a room in use says that it applies to the next meeting", async () => {
  const id = await newRoom("Town hall");
  await enter(id, "Zoe");
  await visit({ at: `/rooms/${id}` }, async ({ page }) => {
    await inside(page).getByText("Zoe").waitFor();
    await page.getByLabel("Type", { exact: true }).selectOption("event");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "The current meeting keeps its type");
  });
});

test("a past meeting is listed with its attendance, also as CSV", async () => {
  const id = await newRoom("Retrospective");
  await enter(id, "=Cleo", "Dan");
  const { accessKey, secretAccessKey } = (await client.createAccessKey()).accessKey;
  const metadata = { student: "s-4711", group: ["b", 2] };
  const asked = { accessKey, secretAccessKey, roomId: id, peerName: "Eve", metadata };
  const { sessionToken } = await client.createSessionToken(asked);
  await service.sit((await client.joinRoom({ roomId: id, sessionToken })).ticket);
  await client.closeRoom({ roomId: id });
  await visit({ at: "/meetings" }, async ({ page }) => {
    const row = page.getByRole("row").filter({ hasText: "Retrospective" });
    await row.waitFor();
    await look(page, "meetings");
    const search = page.getByRole("searchbox", { name: "Search meetings by room" });
    await search.fill("nothing is called so");
    await page.getByText("No meeting matches").waitFor();
    await search.fill("RETRO");
    await row.waitFor();
    await row.getByRole("button", { name: /^Attendance/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row").filter({ hasText: "Dan" }).getByText("Meeting ended").waitFor();
    const eve = dialog.getByRole("row").filter({ hasText: "Eve" });
    await eve.getByText("s-4711").waitFor();
    await look(page, "attendance");
    const downloaded = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Export CSV" }).click();
    const file = await downloaded;
    assert.match(file.suggestedFilename(), new RegExp(`^attendance-${id}-`));
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? "", /peerName,peerType,userId,joinedAt,leftAt,seconds,reason/);
    assert.match(lines.join("\n"), /Dan,participant,.*,closed/);
    // A guest's name must not become a formula in a spreadsheet.
    assert.match(lines.join("\n"), /'=Cleo/);
    await press(page, "Escape");
    await row.getByRole("link", { name: "Retrospective" }).click();
    await page.getByRole("heading", { name: "Meetings in Retrospective" }).waitFor();
  });
});

test("an owner without admin sees who is inside their own rooms", async () => {
  const mine = await newRoom("Olga's room");
  const { roomSetting: other } = await client.createRoom({
    name: "Not hers",
    roomOwnerId: service.adminId,
    noOfModerators: 3,
  });
  await enter(mine, "Ellen");
  await service.enter(other.room, "Fay");
  const as = { login: olga.email, password: olga.password };
  const scheduledDateTime = "2099-05-04T10:00:00Z";
  await client.editRoom({ room: mine, roomOwnerId: olga.id, scheduledDateTime });
  await visit({ as, failing: [404] }, async ({ page }) => {
    const row = page.getByRole("row").filter({ hasText: "Olga's room" });
    await row.getByText("Ellen").waitFor();
    await row.getByRole("link", { name: /^Join Olga's room/ }).waitFor();
    // The next meeting, and the running one.
    await row.getByRole("time").filter({ hasText: "2099" }).waitFor();
    const { meetings } = await client.listMeetings({ roomId: mine });
    await row.locator(`time[datetime="${meetings[0]?.startedAt}"]`).waitFor();
    await row.getByRole("button", { name: "Copy link of Olga's room" }).click();
    await noticed(page, "The link is copied");
    assert.equal(await clipboardOf(page), (await client.getRoomLink({ roomId: mine })).url);
    await enter(mine, "Gina");
    await row.getByText("Ellen, Gina").waitFor();
    await look(page, "my-rooms");
    await page.emulateMedia({ colorScheme: "dark" });
    await settled(page);
    await assertAccessible(page, "my rooms, dark", { runOnly: ["color-contrast"] });
    await shoot(page, "my-rooms-dark-wide");
    await page.emulateMedia({ colorScheme: "light" });
    await row.getByRole("link", { name: "Olga's room", exact: true }).click();
    await inside(page).getByText("Ellen").waitFor();
    await remove(page, "Gina", "Yes, at once");
    await look(page, "own-room");
    await remove(page, "Ellen", "Yes, at once");
    await inside(page).getByText("Nobody is inside.").waitFor();
    await page.goto("/meetings");
    await page.getByRole("link", { name: "Olga's room" }).waitFor();
    assert.equal(await page.getByText("Not hers").count(), 0);
  });
  await client.closeRoom({ roomId: other.room });
});

test("the pages of meetings keep their contrast in dark mode", async () => {
  const id = await newRoom("Night shift");
  await enter(id, "Gil");
  await visit({ at: `/rooms/${id}/meetings`, colorScheme: "dark" }, async ({ page }) => {
    await inside(page).getByText("Gil").waitFor();
    await settled(page);
    await assertAccessible(page, "inside, dark", { runOnly: ["color-contrast"] });
    await shoot(page, "meetings-inside-dark-wide");
  });
});

test("the overview counts people inside live, and a new room's form suggests seats and says what carries meetings", async () => {
  const id = await newRoom("Live");
  await visit({}, async ({ page }) => {
    await page
      .getByText("There is no media engine: at most 6 people can meet in a room.")
      .waitFor();
    const now = page.getByText(/(is|are) in \d+ meetings? now|Nobody is in a meeting now/);
    const before = await now.innerText();
    await service.enter(id, "Counted");
    await page.getByText(/(is|are) in \d+ meetings? now/).waitFor();
    await until("one more is counted", async () => {
      const count = (text: string) => Number(/^\d+/.exec(text)?.[0] ?? 0);
      return count(await now.innerText()) === count(before) + 1;
    });
    const running = page.getByRole("region", { name: "Now", exact: true });
    const line = running.getByRole("listitem").filter({ hasText: "Live" });
    await line.getByText(/^1 inside since /).waitFor();
    await line.getByRole("link", { name: "Join Live (opens in a new tab)" }).waitFor();
    await page.goto("/rooms/new");
    assert.equal(await page.getByLabel("Seats", { exact: true }).inputValue(), "12");
    const warned = page.getByText("without a media engine only 6 people can be inside");
    await warned.filter({ hasText: "The room has 12 seats" }).first().waitFor();
    await page.getByLabel("Seats", { exact: true }).fill("6");
    await warned.first().waitFor({ state: "detached" });
  });
});

test("a name in the other direction stands at the start of its line", async () => {
  const room = await newRoom("Mirrored");
  await enter(room, "Ann Lee");
  await visit({ locale: "ar-EG", at: `/rooms/${room}` }, async ({ page }) => {
    await page.locator("li bdi", { hasText: "Ann Lee" }).waitFor();
    const gap = await page.evaluate<number>(`(() => {
      const name = document.querySelector("li bdi");
      const text = document.createRange();
      text.selectNodeContents(name);
      const line = name.parentElement.getBoundingClientRect();
      return line.right - text.getBoundingClientRect().right;
    })()`);
    assert.ok(gap < 1, `${gap} px`);
  });
});
