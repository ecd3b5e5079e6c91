// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { createPerson } from "./people.ts";
import {
  clipboardOf,
  focused,
  loseClipboard,
  noticed,
  press,
  readLink,
  settled,
  startVisits,
  unfold,
} from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const ada = await createPerson(service, "Ada Lovelace");
const alan = await createPerson(service, "Alan Turing");

const room = async (name: string, more: Record<string, unknown> = {}) =>
  (await client.createRoom({ name, roomOwnerId: service.adminId, ...more })).roomSetting;

test("a room is created with owners found by typing, in their order", async () => {
  await visit({ at: "/rooms/new" }, async ({ page }) => {
    await page.getByLabel("Name").fill("Board room");
    await page.getByLabel("Type", { exact: true }).selectOption("event");
    for (const group of ["More about the room", "Seats", "Recording"]) await unfold(page, group);
    const search = page.getByRole("combobox", { name: "Add an owner" });
    await search.fill("lovel");
    await page.getByRole("option", { name: /Ada Lovelace/ }).click();
    await search.fill(alan.email);
    await page
      .locator('[role="option"][data-combobox-selected]', { hasText: "Alan Turing" })
      .waitFor();
    await search.press("Enter");
    await page.getByRole("button", { name: "Move Alan Turing up" }).click();
    await page.getByRole("button", { name: "Remove Administrator" }).click();
    await page.getByLabel("Participants", { exact: true }).fill("40");
    await page.getByLabel("Picture sizes").getByLabel("1080p").check();
    await page.getByRole("switch", { name: "Recording", exact: true }).check();
    await page.getByRole("button", { name: "Create room" }).click();
    await noticed(page, "Board room is ready.");
    await page.getByRole("heading", { name: "Board room" }).waitFor();
  });
  const [made] = (await client.listRooms({ search: "Board room" })).roomSettings;
  assert.equal(made?.roomOwnerId, `${alan.id},${ada.id}`);
  assert.equal(made?.noOfParticipants, 40);
  assert.equal(made?.roomType, "event");
  assert.equal(made?.enableRecording, true);
  assert.deepEqual(made?.recordingResolutions, ["1080p"]);
});

test("a setting has a label, and a line that says what people will see", async () => {
  const { room: id } = await room("Explained");
  await visit({ at: `/rooms/${id}` }, async ({ page }) => {
    await page.getByText("How many viewers can take part, or ask to, at a time.").waitFor();
    await page.getByText("MP4 is one file to download.").waitFor();
    assert.equal(await page.getByText(/\bnull\b|Whether/).count(), 0);
    for (const group of ["Basics", "Seats", "Media", "Recording", "Live stream", "Privacy"]) {
      await page.getByRole("heading", { name: group, exact: true }).waitFor();
    }
    assert.equal(await page.getByLabel("Upgrade requests").inputValue(), "3");
  });
});

test("refusals appear at their fields, and the first one has the focus", async () => {
  await room("Taken", { room: "taken-id" });
  await visit({ at: "/rooms/new", failing: [400, 409] }, async ({ page }) => {
    for (const group of ["Seats", "Live stream"]) await unfold(page, group);
    await page.getByLabel("Viewers").fill("-4");
    await page.getByLabel("Stream address").fill("not an address");
    for (const group of ["Seats", "Live stream"]) await unfold(page, group);
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByText("Name is required.", { exact: true }).waitFor();
    await page.getByText("Viewers must be a whole number from 0 to 1000000").waitFor();
    await page.getByText(/^Stream address must be an absolute URL/).waitFor();
    await page.getByText("3 fields need your attention.").waitFor();
    await focused(page, `[name="name"]`);
    await page.getByLabel("Name").fill("Twin");
    await page.getByLabel("Viewers").fill("0");
    await page.getByLabel("Stream address").fill("");
    await unfold(page, "More about the room");
    await page.getByLabel("Room ID").fill("taken-id");
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByText("Room ID already exists. Try again with a different room ID.").waitFor();
  });
});

test("an edit sends only what was changed, and empties what can be empty", async () => {
  const { room: id } = await room("Planning", { roomAgenda: "Old plans", noOfViewers: 7 });
  await visit({ at: `/rooms/${id}` }, async ({ page }) => {
    await page.getByLabel("Agenda").fill("");
    await page.getByRole("switch", { name: "Chat" }).uncheck();
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Planning is saved.");
    const body = (await sent).postDataJSON();
    assert.deepEqual(
      Object.keys(body).sort(),
      ["enableChatOption", "roomAgenda", "room", "roomOwnerId"].sort(),
    );
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Rooms", level: 1 }).waitFor();
  });
  const { roomSetting } = await client.fetchRoom({ id });
  assert.equal(roomSetting.roomAgenda, null);
  assert.equal(roomSetting.enableChatOption, false);
  assert.equal(roomSetting.noOfViewers, 7);
});

test("leaving with unsaved changes asks first", async () => {
  const { room: id } = await room("Guarded");
  await visit({ at: `/rooms/${id}` }, async ({ page }) => {
    await page.getByLabel("Name").fill("Guarded, changed");
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("link", { name: "People" }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Stay here" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Name").inputValue(), "Guarded, changed");
    await page.getByRole("link", { name: "People" }).click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });
});

test("a duplicate copies everything, also whether guests wait for a host, except the room ID and the receiver of the live stream", async () => {
  const { room: id } = await room("Pattern", {
    liveStreamUrl: "rtmps://live.example.org/app/secret",
    liveStreamKey: "secret",
    noOfViewers: 99,
    roomPassword: "open",
  });
  await visit({ at: "/rooms?search=Pattern" }, async ({ page }) => {
    await page.getByRole("button", { name: "Actions for Pattern" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: "Duplicate of Pattern" }).waitFor();
    await page.getByRole("button", { name: "Create room" }).click();
    await noticed(page, "Pattern (copy) is ready.");
  });
  const rooms = (await client.listRooms({ search: "Pattern (copy)" })).roomSettings;
  assert.equal(rooms.length, 1);
  assert.notEqual(rooms[0]?.room, id);
  assert.equal(rooms[0]?.noOfViewers, 99);
  assert.equal(rooms[0]?.roomPassword, "open");
  assert.deepEqual([rooms[0]?.liveStreamUrl, rooms[0]?.liveStreamKey], [null, null]);
  // New rooms of this type wait for their host; the copied one did not.
  const { waitsForHost } = await client.roomDoor({ roomId: rooms[0]?.room ?? "" });
  assert.equal(waitsForHost, false);
});

test("the room ID can be copied from the row and from its menu", async () => {
  const { room: id } = await room("Copied");
  await visit({ at: "/rooms?search=Copied" }, async ({ page }) => {
    const clipboard = () => clipboardOf(page);
    await page.getByRole("button", { name: `Copy Room ID ${id}` }).click();
    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    assert.equal(await clipboard(), id);
    await page.evaluate(`navigator.clipboard.writeText("")`);
    await page.getByRole("button", { name: "Actions for Copied" }).click();
    await page.getByRole("menuitem", { name: "Copy room ID" }).click();
    await noticed(page, "Copied");
    assert.equal(await clipboard(), id);
  });
});

test("the question names what is deleted with the room, and the focus returns to the page", async () => {
  await room("Doomed");
  await visit({ at: "/rooms?search=Doomed" }, async ({ page }) => {
    const actions = page.getByRole("button", { name: "Actions for Doomed" });
    await actions.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Doomed?" });
    // An accidental second Enter deletes nothing.
    await dialog.locator("button:focus", { hasText: "Cancel" }).waitFor();
    await dialog
      .getByText("Its settings, recordings and meeting history are deleted too.")
      .waitFor();
    await press(page, "Enter");
    await dialog.waitFor({ state: "detached" });
    await focused(page, `[aria-label="Actions for Doomed"]`);
    await actions.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete room" }).click();
    await noticed(page, "Doomed is deleted.");
    await page.getByRole("heading", { name: "No room matches" }).waitFor();
    await focused(page, "h1");
  });
  assert.equal((await client.listRooms({ search: "Doomed" })).pagination.total, 0);
});

test("a deletion of a room in use says that it waits for the end of the meeting", async () => {
  const { room: id } = await room("Occupied now");
  await service.enter(id, "somebody");
  // The page looks again by itself, and may do so after the deletion and before it is left.
  await visit({ at: `/rooms/${id}`, failing: [404] }, async ({ page }) => {
    await page.getByLabel("Name").fill("Changed, and then deleted");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The room is in use.").waitFor();
    await dialog.getByRole("button", { name: "Delete room" }).click();
    await noticed(page, "Occupied now is removed when its meeting ends.");
    await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
    await settled(page);
  });
});

test("the plan's limit is shown in the service's words", async () => {
  await service.limit({ rooms: 1 });
  await visit({ at: "/rooms/new", failing: [403] }, async ({ page }) => {
    await page.getByLabel("Name").fill("One too many");
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByText("Room creation limit reached, please upgrade your plan").waitFor();
  });
  await service.limit({ rooms: null });
});

test("a room that does not exist shows the not-found page", async () => {
  await visit({ at: "/rooms/no-such-room", failing: [404] }, async ({ page }) => {
    await page.getByText("The address may be wrong").waitFor();
  });
});

test("a room gets a new link, shown where it cannot be copied, and the former one stops working", async () => {
  const { room: id } = await room("Leaked");
  const { code: former } = await client.getRoomLink({ roomId: id });
  await visit({ at: "/rooms?search=Leaked" }, async ({ page }) => {
    const choose = async (item: string) => {
      await page.getByRole("button", { name: "Actions for Leaked" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const renew = async () => {
      await choose("New link");
      await page.getByRole("dialog").getByRole("button", { name: "New link" }).click();
    };
    await renew();
    await noticed(page, "The new link is copied.");
    const { code, url } = await client.getRoomLink({ roomId: id });
    assert.equal(await clipboardOf(page), url);
    assert.notEqual(code, former);

    await loseClipboard(page);
    await renew();
    await noticed(page, "The room has a new link.");
    const next = await client.getRoomLink({ roomId: id });
    assert.notEqual(next.code, code);
    await readLink(page, next.url);
    await choose("Copy link");
    await readLink(page, next.url);
  });
  const guest = createClient({ baseUrl: service.url });
  await assert.rejects(guest.joinRoom({ roomId: former, peerName: "Late" }), /link/i);
});
