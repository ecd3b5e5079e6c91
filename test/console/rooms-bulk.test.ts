// Runs: sqlite, complete, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPerson } from "./people.ts";
import { settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

const make = async (prefix: string, more: object = {}) => {
  const rooms: string[] = [];
  for (const n of [10, 2, 1]) {
    const { roomSetting } = await client.createRoom({
      name: `${prefix} ${n}`,
      roomOwnerId: service.adminId,
      ...more,
    });
    rooms.push(roomSetting.room);
  }
  return rooms;
};

const fetched = async (id: string) => (await client.fetchRoom({ id })).roomSetting;

test("rooms are in natural order, and found by ID, owner, type and status", async () => {
  const olga = await createPerson(service, "Olga Finder");
  const [ten = ""] = await make("Order");
  await client.createRoom({
    name: "Stage",
    room: "stage-77",
    roomType: "event",
    roomOwnerId: olga.id,
  });
  await visit({ at: "/rooms?search=order" }, async ({ page }) => {
    await page.getByText("1–3 of 3 rooms").waitFor();
    const names = await page.locator('tbody tr a[href*="/rooms/"]').allInnerTexts();
    assert.deepEqual(names, ["Order 1", "Order 2", "Order 10"]);
    const search = page.getByLabel("Search rooms by name, ID or owner");
    await search.fill(ten);
    await page.getByText("1 of 1 room", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Order 10" }).waitFor();
    await search.fill("finder");
    await page.getByRole("link", { name: "Stage" }).waitFor();
    await search.fill("");
    await page.getByLabel("Type", { exact: true }).selectOption("event");
    await page.getByRole("link", { name: "Stage" }).waitFor();
    assert.match(page.url(), /roomType=event/);
    await page.getByLabel("Status", { exact: true }).selectOption("busy");
    await page.getByRole("heading", { name: "No room matches" }).waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByRole("link", { name: "Order 10" }).waitFor();
  });
});

test("the list sorts by status, and shows how many people are inside and since when", async () => {
  const [room = ""] = await make("Used", { noOfParticipants: 5, noOfModerators: 2 });
  await visit({ at: "/rooms?search=used&sortBy=status" }, async ({ page }) => {
    await page.getByText("1–3 of 3 rooms").waitFor();
    await service.enter(room, "Ann");
    await page.reload();
    const first = page.locator("tbody tr").first();
    await first.getByText(/^1 inside since /).waitFor();
    await first.getByRole("link", { name: "Used 10" }).waitFor();
  });
});

test("one setting for many rooms is one entry of the history with one undo", async () => {
  const [ten = "", two = "", one = ""] = await make("Many");
  for (const width of [1440, 390]) {
    await visit(
      { at: "/rooms?search=many", viewport: { width, height: 900 } },
      async ({ page }) => {
        await page.getByLabel("Select Many 10").check();
        await page.getByLabel("Select Many 2").check();
        await page.getByText("2 selected").waitFor();
        await page.getByRole("button", { name: "Change a setting" }).click();
        const dialog = page.getByRole("dialog", { name: /Change a setting of 2 rooms/ });
        assert.ok(await dialog.getByRole("button", { name: "Change" }).isDisabled());
        await dialog.getByLabel("Setting", { exact: true }).selectOption("enableChatOption");
        await dialog.getByRole("switch", { name: "Chat" }).click();
        await dialog.getByRole("button", { name: "Change" }).click();
        await page.getByText("2 rooms are changed.").waitFor();
        const now = await Promise.all([ten, two, one].map(fetched));
        assert.deepEqual(
          now.map(({ enableChatOption }) => enableChatOption),
          [false, false, true],
        );
        await page.getByRole("button", { name: "Undo" }).click();
        await page.getByText("The change was undone.").waitFor();
        assert.equal((await fetched(ten)).enableChatOption, true);
      },
    );
  }
  const { entries } = await client.listHistory({ kind: "roomsEdited" });
  assert.equal(entries[0]?.after?.rooms, 2);
});

test("rooms are handed over and deleted together, and one that is gone meanwhile is named", async () => {
  const olga = await createPerson(service, "Olga Heir");
  const rooms = await make("Leaving");
  await client.editOrganization({ binDays: 30 });
  await visit({ at: "/rooms?search=leaving" }, async ({ page }) => {
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Hand over" }).click();
    const dialog = page.getByRole("dialog", { name: /Hand over 3 rooms/ });
    await dialog.getByRole("combobox", { name: "Add an owner" }).fill("olga heir");
    await page.getByRole("option", { name: /Olga Heir/ }).click();
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await page.getByText("3 rooms are changed.").waitFor();
    assert.equal((await fetched(rooms[1] ?? "")).roomOwnerId, olga.id);

    await settled(page);
    await page.getByLabel("Select all on this page").check();
    await client.binRooms({ rooms: [rooms[0] ?? ""] });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete rooms" }).click();
    await page.getByText("2 rooms are deleted.").waitFor();
    await page.getByText(/1 room stays as it is: Leaving 10/).waitFor();
    await page
      .locator("div", { hasText: "2 rooms are deleted." })
      .getByRole("button", { name: "Undo" })
      .last()
      .click();
    await page.getByText("The change was undone.").waitFor();
    await page.getByRole("link", { name: "Leaving 2" }).waitFor();
  });
});
