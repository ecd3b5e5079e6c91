// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { setOrganization } from "../../server/organizations/organizations.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { unzip } from "../world/unzip.ts";
import { assertAccessible, assertNothingSticksOut, shoot } from "./looks.ts";
import { createPerson } from "./people.ts";
import { noticed, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const olga = await createPerson(service, "Olga Owner");
const { room } = (await client.createRoom({ name: "Board", roomOwnerId: service.adminId }))
  .roomSetting;
await client.createRoom({ name: "Another room", roomOwnerId: service.adminId });
const edit = { room, roomOwnerId: `${service.adminId},${olga.id}` };
await client.editRoom({ ...edit, noOfParticipants: 9, roomType: "event", name: "Council" });
await client.editUser({ userId: olga.id, role: "panelist" });
await service.change((begun) => setOrganization(begun, { plan: "Gold" }));
const recordingId = await service.change((begun) => addRecordingRow(begun, room));
await client.createWebhook({ url: "https://hooks.example.org/key", events: ["roomCreated"] });
await client.renameRecording({ recordingId, name: "The board in March" });

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

const wide = { width: 1280, height: 860 };
/** The smallest width that WCAG requires. */
const narrow = { width: 320, height: 640 };

const look = async (page: Page, name: string): Promise<void> => {
  for (const [label, size] of Object.entries({ wide, narrow })) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await assertNothingSticksOut(page, `${name}, ${label}`);
      if (colorScheme === "light") {
        await assertAccessible(page, `${name}, ${label}`, {
          rules: { region: { enabled: false } },
        });
      }
      await shoot(page, `${name}-${label}-${colorScheme}`);
    }
  }
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "light" });
};

test("an administrator finds who changed what, in the console's words", async () => {
  await visit({ at: `/rooms/${room}` }, async ({ page }) => {
    await page.locator("#content").getByRole("link", { name: "History" }).click();
    const edited = rowOf(page, "Room edited");
    await edited.getByText("Participants").waitFor();
    const told = (await edited.innerText()).replaceAll(/\s+/g, " ");
    assert.match(told, /Council/);
    assert.match(told, /Name Board → became Council/);
    assert.match(told, /Participants 1 → became 9/);
    assert.match(told, /Type Conference → became Event/);
    assert.match(told, /Owners Administrator → became Administrator, Olga Owner/);
    assert.match(told, /Administrator from 127\.0\.0\.1/);
    await rowOf(page, "Recording renamed").getByText("The board in March").first().waitFor();
    await page.getByText("1–3 of 3 entries").waitFor();
    const created = rowOf(page, "Room created");
    await created.getByRole("button", { name: /^Show all/ }).click();
    await created.getByText("Guests wait to be let in").waitFor();
    await created.getByRole("button", { name: "Show less" }).click();

    await page.getByRole("button", { name: "Clear: Room" }).click();
    await rowOf(page, "Organization edited").getByText("Operator").waitFor();
    const hook = (await rowOf(page, "Webhook created").innerText()).replaceAll(/\s+/g, " ");
    assert.match(hook, /https:\/\/hooks\.example\.org .*Address set, not shown/);
    assert.match(hook, /Events Rooms: Created/);
    await look(page, "history");

    await page.getByLabel("Kind").selectOption("All of people");
    await rowOf(page, "Room created").first().waitFor({ state: "detached" });
    await rowOf(page, "Person edited").getByText("panelist").waitFor();
    await page.getByLabel("Kind").selectOption("Everything");
    await page.getByRole("combobox", { name: "Person" }).fill("olga");
    await page.getByRole("option", { name: /Olga Owner/ }).click();
    await rowOf(page, "Room edited").waitFor({ state: "detached" });
    await page.getByText("1–2 of 2 entries").waitFor();
    await page.getByRole("button", { name: "Clear: Person" }).click();
    await page.getByLabel("Search by the name").fill("another");
    await page.getByText("1 of 1 entry").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("No entry matches").waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "As a table (CSV)" }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^history-[\d-]{10}\.csv$/);
    const csv = await readFile(await download.path(), "utf8");
    assert.match(csv, /^\uFEFFnumber,at,kind,/);
    assert.match(csv, /,roomEdited,/);
  });
});

test("a change is taken back from its entry, or it says what changed since", async () => {
  await visit({ at: `/history?roomId=${room}`, failing: [409] }, async ({ page }) => {
    const undo = rowOf(page, "Participants").getByRole("button", { name: /^Undo entry/ });
    await undo.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Undo this change?").waitFor();
    // Somebody else was faster.
    await client.editRoom({ ...edit, noOfParticipants: 12 });
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("Participants is now: 12").waitFor();
    await shoot(page, "history-changed-since");
    await client.editRoom({ ...edit, noOfParticipants: 9 });
    await dialog.getByRole("button", { name: "Undo" }).click();
    await noticed(page, "The change was undone.");
    await page.getByText(/Undoes entry \d+/).waitFor();
    const { roomSetting } = await client.fetchRoom({ id: room });
    assert.deepEqual(
      [roomSetting.name, roomSetting.noOfParticipants, roomSetting.roomOwnerId],
      ["Board", 1, service.adminId],
    );
  });
});

test("for subjects that changed together, later changes are named with their subjects", async () => {
  const people = [await createPerson(service, "Ann Abel"), await createPerson(service, "Ben Bell")];
  const userIds = people.map(({ id }) => id);
  await client.changeRoles({ userIds, role: "guest" });
  for (const userId of userIds) await client.editUser({ userId, role: "panelist" });
  await visit({ at: `/history?personId=${userIds[0]}`, failing: [409] }, async ({ page }) => {
    await rowOf(page, "guest")
      .filter({ hasText: "moderator" })
      .getByRole("button", { name: /^Undo entry/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Undo" }).click();
    for (const name of ["Ann Abel", "Ben Bell"]) {
      await dialog.getByText(new RegExp(`^${name}: Role is now: panelist$`)).waitFor();
    }
  });
});

test("the data of a person and of the organization is saved as files", async () => {
  await visit({ at: `/people/${olga.id}` }, async ({ page }) => {
    await page.locator("#content").getByRole("link", { name: "History" }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save their data" }).click();
    const person = await saving;
    assert.equal(person.suggestedFilename(), `person-${olga.id}.json`);
    const data = JSON.parse(await readFile(await person.path(), "utf8"));
    assert.equal(data.account.email, olga.email);
    await look(page, "person-data");

    await page.goto(`${service.url}/settings`);
    const archiving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save everything as a file" }).click();
    const archive = await archiving;
    assert.match(archive.suggestedFilename(), /^organization-[\d-]{10}\.zip$/);
    const files = unzip(await readFile(await archive.path()));
    assert.match(files.get("people.jsonl") ?? "", /Olga Owner/);
    await look(page, "settings-kept");
  });
});
