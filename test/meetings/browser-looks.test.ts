// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { press } from "../console/visit.ts";
import { addRecorder } from "../recordings/rows.ts";
import { capture, endLive, goLive } from "./captured.ts";
import { drawn, look, narrow, wide } from "./looks.ts";
import { choose, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

/** For pages with a few words and an action: a wide window shows nothing else. */
const lookNarrow = (page: Page, name: string): Promise<void> => look(page, name, { narrow });

const openDialog = async (person: Person, menu: string | RegExp, item: string): Promise<void> => {
  await choose(person, menu, item);
  await person.page.getByRole("dialog").waitFor();
};
const closeDialog = async ({ page }: Person): Promise<void> => {
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
};

test("every page of a meeting is accessible and fits, in light and dark", async () => {
  const { path } = await room({
    roomAgenda: "Numbers of the quarter, then questions.",
    scheduledDateTime: "2027-01-20T10:00:00.000Z",
    authenticationRequired: true,
    roomPassword: "tea time",
  });
  const ada = await enter(path, "Ada Lovelace", { asAdministrator: true });
  await ada.button("Leave").waitFor();
  await ada.page.getByText("Nobody else is here yet").waitFor();

  const ben = await open("/m/2222-2222-2222", { viewport: wide });
  const { page } = ben;
  await page.getByRole("heading", { name: "There is no such room" }).waitFor();
  await lookNarrow(page, "failed");
  await page.goto(path);
  await page.locator("video").waitFor();
  await look(page, "before");
  await ben.button("Sign in").click();
  await page.getByRole("dialog").waitFor();
  await lookNarrow(page, "sign-in");
  await closeDialog(ben);
  await page.getByLabel("Your name").fill("Ben Okafor");
  await page.getByLabel("Room password").fill("tea time");
  await ben.button("Ask to join").click();
  await page.getByRole("heading", { name: "Waiting for a moderator" }).waitFor();
  await look(page, "lobby");

  await ada.button("Admit").click();
  await ben.button("Leave").waitFor();
  await ben.receivesMore({ frames: 0, energy: 0 });
  await look(page, "room");
  await press(ada.page, "v");
  await press(ada.page, "h");
  await page.getByText("hand raised").waitFor({ state: "attached" });
  await press(page, "m");
  await press(page, "c");
  const message = page.getByRole("textbox", { name: "Message to everybody" });
  await message.fill("The agenda is at https://example.org/agenda");
  await message.press("Enter");
  await page.getByRole("link", { name: "https://example.org/agenda" }).waitFor();
  await look(page, "chat");
  await message.press("Escape");
  await press(page, "l");
  await look(page, "speaker");
  await press(page, "?");
  await page.getByRole("dialog").waitFor();
  await look(page, "keys");
  await closeDialog(ben);

  await press(ada.page, "p");
  const cleo = await open(path);
  await cleo.page.getByLabel("Your name").fill("Cleo Marchetti");
  await cleo.page.getByLabel("Room password").fill("tea time");
  await cleo.button("Ask to join").click();
  await ada.button("Admit Cleo Marchetti").waitFor();
  await look(ada.page, "people");
  await ada.button("Admit Cleo Marchetti").click();
  await ben.button("Share a screen").click();
  await ada.page.getByText("Screen of Ben Okafor").first().waitFor();
  await look(ada.page, "share");

  await ben.button("Leave").click();
  await page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  await look(page, "ended");

  await openDialog(ada, "More", "Devices");
  await lookNarrow(ada.page, "devices");
  await closeDialog(ada);
  await openDialog(ada, "More", "End for everybody");
  await lookNarrow(ada.page, "end");
  await closeDialog(ada);
  await openDialog(ada, "Actions for Cleo Marchetti", "Remove");
  await lookNarrow(ada.page, "remove");
  await closeDialog(ada);
  await ben.button("Rejoin").click();
  await ada.button("Refuse Ben Okafor").click();
  await page.getByRole("heading", { name: "You were not let in" }).waitFor();
  await lookNarrow(page, "refused");
  // The answer that would bring her back does not arrive.
  await ada.page.route("**/api/meeting/joinRoom", () => {});
  await ada.page.reload();
  await ada.page.getByRole("heading", { name: "Rejoining the meeting" }).waitFor();
  await lookNarrow(ada.page, "returning");
  await leaveAll(ada, ben, cleo);
});

test("the pages for a full room and for refused devices are accessible and fit", async () => {
  const { room: roomId, path } = await room({ noOfParticipants: 1 });
  const { ticket } = await service.client.joinRoom({
    roomId,
    peerName: "Ada",
    peerType: "participant",
  });
  await service.sit(ticket);
  const ben = await enter(path, "Ben", { viewport: wide, script: NO_DEVICES });
  await ben.button("Join as viewer").waitFor();
  await ben.page.getByText("Your browser is blocking the microphone and the camera.").waitFor();
  await look(ben.page, "full");
  await ben.button("Wait for a seat").click();
  await ben.page.getByRole("heading", { name: "Waiting for a seat" }).waitFor();
  await lookNarrow(ben.page, "waiting-seat");
  await ben.button("Stop waiting").click();
  await ben.page.getByRole("heading", { name: "You have stopped waiting" }).waitFor();
  await lookNarrow(ben.page, "stopped-waiting");
  await leaveAll(ben);
});

test("a meeting that is recorded, streamed and captioned is accessible and fits, for everybody", async () => {
  await addRecorder(service.database);
  const { room: roomId, path } = await room({
    enableRecording: true,
    recordModerator: true,
    recordParticipant: true,
    enableLiveStreaming: true,
    enableTranscription: true,
  });
  const ada = await enter(path, "Ada Lovelace", { asAdministrator: true });
  await ada.button("Leave").waitFor();
  const ben = await enter(path, "Ben Okafor", { viewport: wide, script: NO_DEVICES });
  await ben.button("Leave").waitFor();
  const { page } = ben;

  await openDialog(ada, "More", "Stream live");
  await lookNarrow(ada.page, "stream-question");
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Stream live" }).click();
  await dialog.getByRole("textbox", { name: "The viewers’ link" }).waitFor();
  await lookNarrow(ada.page, "stream-link");
  await closeDialog(ada);
  await goLive(service, roomId);
  await capture(service, roomId, [
    { peer: "Ada Lovelace", text: "Then we look at the timetable of the spring term." },
    { peer: "Ben Okafor", text: "Is the excursion in it already?" },
  ]);
  await page
    .getByRole("region", { name: "Captions" })
    .getByText(/excursion/)
    .waitFor();
  const notice = page.getByText("This meeting is being recorded.", { exact: true });
  await notice.waitFor();
  await look(page, "captured");
  // One notice at a time: the banner, then the word in the header.
  const word = page.getByText("Recorded", { exact: true });
  assert.equal(await word.count(), 0);
  await ben.button("OK: This meeting is being recorded.").click();
  await word.waitFor();
  assert.equal(await notice.count(), 0);
  await choose(ada, "More", "Stop recording");
  await ada.page.getByText(/Hosts of the room find it in Parley under Recordings/).waitFor();
  // The button's tooltip stands outside the landmarks.
  await ada.page.evaluate("document.activeElement.blur()");
  await lookNarrow(ada.page, "recording-stopped");

  const cleo = await open(path, { viewport: wide });
  await cleo.page.getByText(/You may be seen and heard in the recording/).waitFor();
  await look(cleo.page, "before-captured");
  await cleo.page.getByLabel("Your name").fill("Cleo Marchetti");
  await cleo.page.route("**/api/meeting/watchStream", (route) =>
    route.fulfill({
      json: { success: true, roomName: "Quarterly review", playlist: "/live.m3u8" },
    }),
  );
  // The first part does not come.
  await cleo.page.route("**/live.m3u8", () => {});
  await cleo.button("Watch the live stream").click();
  await cleo.page.getByText("The stream is loading.").waitFor();
  await look(cleo.page, "watching");
  await cleo.page.unroute("**/api/meeting/watchStream");
  await endLive(service, roomId);
  await cleo.page.evaluate("document.querySelector('video').dispatchEvent(new Event('ended'))");
  await cleo.page.getByRole("heading", { name: "The stream is over" }).waitFor();
  await lookNarrow(cleo.page, "stream-over");
  await ada.button("Leave").click();
  await ada.page.getByRole("link", { name: "My rooms" }).waitFor();
  await lookNarrow(ada.page, "left-host");
  await leaveAll(ada, ben, cleo);
});

test("a door that is not open yet is accessible and fits, with what people need first in view", async () => {
  const { room: roomId, path } = await room({
    scheduledDateTime: "2099-01-20T10:00:00.000Z",
    roomAgenda: "Numbers of the quarter,\nthen questions.",
  });
  await service.client.roomDoor({ roomId, waitsForHost: true });
  const ben = await open(path, { viewport: wide });
  const { page } = ben;
  await ben.button("Add to calendar").waitFor();
  await look(page, "before-date");
  await page.setViewportSize(narrow);
  await drawn(page);
  const join = await ben.button("Join").boundingBox();
  assert.ok(join && join.y + join.height <= narrow.height, `Join is at ${join?.y} px`);
  await page.getByLabel("Your name").fill("Ben Okafor");
  await ben.button("Join").click();
  await page.getByRole("heading", { name: "Waiting for the host" }).waitFor();
  await look(page, "waiting-host");
  await ben.button("Stop waiting").click();

  const ada = await enter(path, "Ada Lovelace", { asAdministrator: true });
  await choose(ada, "More", "Lock the meeting");
  await page.goto(path);
  const news = page.getByText("A moderator has locked the meeting.");
  await news.waitFor();
  await look(page, "locked");
  await page.setViewportSize(narrow);
  await drawn(page);
  const [above, below] = [await news.boundingBox(), await page.locator("video").boundingBox()];
  assert.ok(above && below && above.y < below.y, `${above?.y} px, ${below?.y} px`);
  await leaveAll(ada, ben);
});

test("an event's offer to take part, and the end of somebody who is removed, are accessible and fit", async () => {
  const { path } = await room({ roomType: "event", noOfViewers: 9 });
  const ada = await enter(path, "Ada Lovelace", { asAdministrator: true });
  const ben = await enter(path, "Ben Okafor", { viewport: wide });
  await ben.button("Leave").waitFor();
  await press(ada.page, "p");
  await choose(ada, "Actions for Ben Okafor", "Invite to take part");
  await ben.button("Take part").waitFor();
  await look(ben.page, "offer");
  await openDialog(ada, "Actions for Ben Okafor", "Remove");
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Not to this meeting" }).check();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await ben.page.getByRole("heading", { name: "You were excluded" }).waitFor();
  await lookNarrow(ben.page, "excluded");
  await leaveAll(ada, ben);
});

test("everything in the bar has a name, and is reached by keyboard", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await ada.button("Leave").waitFor();
  const reached = new Set<string>();
  for (let step = 0; step < 20; step += 1) {
    await press(ada.page, "Tab");
    reached.add(
      await ada.page.evaluate<string>(
        `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
      ),
    );
  }
  for (const name of [
    "Turn the microphone off",
    "Turn the camera off",
    "Share a screen",
    "Raise your hand",
    "Show the speaker",
    "People (1)",
    "Chat",
    "More",
    "Leave",
  ]) {
    if (!reached.has(name)) throw new Error(`${name} is not reached: ${[...reached].join(" | ")}`);
  }
  await leaveAll(ada);
});
