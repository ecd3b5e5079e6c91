// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { createPerson } from "./people.ts";
import { noticed, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const ada = await createPerson(service, "Ada Lovelace");
const alan = await createPerson(service, "Alan Turing");

const room = async (name: string, owners: string) =>
  (await client.createRoom({ name, roomOwnerId: owners })).roomSetting.room;

test("a stale tab does not give a removed owner the room back", async () => {
  const id = await room("Stale", `${ada.id},${alan.id}`);
  await visit({ at: `/rooms/${id}`, failing: [412] }, async ({ page }) => {
    await page.getByLabel("Agenda").fill("What we talk about");
    await client.editRoom({ room: id, roomOwnerId: ada.id, noOfViewers: 7 });
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Stale has changed since you opened it" });
    const owners = dialog.getByRole("radiogroup", { name: "Owners" });
    await owners.getByRole("radio", { name: "Yours: Ada Lovelace, Alan Turing" }).waitFor();
    assert.ok(await owners.getByRole("radio", { name: "Now: Ada Lovelace" }).isChecked());
    const agenda = dialog.getByRole("radiogroup", { name: "Agenda" });
    assert.ok(
      await agenda.getByRole("radio", { name: "Yours: What we talk about" }).isChecked(),
      "what the person typed is kept unless they choose otherwise",
    );
    assert.ok(
      await dialog
        .getByRole("radiogroup", { name: "Viewers" })
        .getByRole("radio", { name: "Now: 7" })
        .isChecked(),
    );
    assert.equal((await client.fetchRoom({ id })).roomSetting.roomOwnerId, ada.id);
    await dialog.getByRole("button", { name: "Save this choice" }).click();
    await noticed(page, "Stale is saved.");
    await dialog.waitFor({ state: "detached" });
  });
  const { roomSetting } = await client.fetchRoom({ id });
  assert.equal(roomSetting.roomOwnerId, ada.id);
  assert.equal(roomSetting.roomAgenda, "What we talk about");
  assert.equal(roomSetting.noOfViewers, 7);
});

test("the person may take the other version, and continue from it", async () => {
  const id = await room("Chosen", ada.id);
  await visit({ at: `/rooms/${id}`, failing: [412] }, async ({ page }) => {
    await page.getByLabel("Agenda").fill("Mine");
    // A property name that every JavaScript object has is a text like any other.
    await client.editRoom({ room: id, roomOwnerId: ada.id, roomAgenda: "constructor" });
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Now: constructor" }).check();
    await dialog.getByRole("button", { name: "Save this choice" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Agenda").inputValue(), "constructor");
    await page.getByText("No unsaved changes").waitFor();
    await page.getByLabel("Agenda").fill("Mine after all");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Chosen is saved.");
  });
  assert.equal((await client.fetchRoom({ id })).roomSetting.roomAgenda, "Mine after all");
});

test("an unresolved conflict saves nothing and keeps what was typed", async () => {
  const id = await room("Left", ada.id);
  await visit({ at: `/rooms/${id}`, failing: [412] }, async ({ page }) => {
    await page.getByLabel("Agenda").fill("Mine");
    await client.editRoom({ room: id, roomOwnerId: ada.id, roomAgenda: "Theirs" });
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Agenda").inputValue(), "Mine");
  });
  assert.equal((await client.fetchRoom({ id })).roomSetting.roomAgenda, "Theirs");
});

test("entering a room meanwhile is not a conflict", async () => {
  const id = await room("Entered", ada.id);
  await visit({ at: `/rooms/${id}`, failing: [412] }, async ({ page }) => {
    await page.getByLabel("Agenda").fill("Still mine");
    await service.enter(id, "somebody");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Entered is saved.");
  });
  assert.equal((await client.fetchRoom({ id })).roomSetting.roomAgenda, "Still mine");
});

test("two edits of a person lead to the same conflict dialog", async () => {
  await visit({ at: `/people/${alan.id}`, failing: [412] }, async ({ page }) => {
    await page.getByLabel("Location").fill("London");
    await client.editUser({ userId: alan.id, role: "producer", location: "Bletchley" });
    await page.getByRole("button", { name: "Save changes" }).click();
    const dialog = page.getByRole("dialog", {
      name: "Alan Turing has changed since you opened it",
    });
    await dialog.getByRole("radio", { name: "Now: Bletchley" }).waitFor();
    await dialog.getByRole("button", { name: "Save this choice" }).click();
    await noticed(page, "Alan Turing is saved.");
  });
  const [person] = (await client.findUsers({ userIds: [alan.id] })).users;
  assert.deepEqual([person?.role, person?.location], ["producer", "London"]);
});

test("a stale tab sends only what was changed in it, for settings, an access key and a webhook", async () => {
  await client.editOrganization({ recordingDays: 30 });
  const { accessKey } = (await client.createAccessKey({ name: "Bookings" })).accessKey;
  const url = "https://hooks.example.org/key";
  const { webhook } = await client.createWebhook({ url, events: ["roomCreated"] });
  await visit({ at: "/settings" }, async ({ page }) => {
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") sent += 1;
    });
    const save = page.getByRole("button", { name: "Save settings" });
    await save.click();
    await page.getByLabel("Owners may").selectOption("edit");
    await client.editOrganization({ recordingDays: null });
    await save.click();
    await noticed(page, "The settings are saved.");
    const { settings } = (await client.getOrganization()).organization;
    assert.deepEqual([settings.recordingDays, settings.ownersMay], [null, "edit"]);
    await client.editOrganization({ binDays: 9, ownersMay: "nothing" });
    const days = page.getByLabel("Days in the recycle bin");
    await until("the form follows", async () => (await days.inputValue()) === "9");

    await page.getByRole("link", { name: "Access keys" }).click();
    const edit = page.getByRole("button", { name: "Edit Bookings" });
    const dialog = page.getByRole("dialog", { name: "Edit the access key" });
    const saveKey = dialog.getByRole("button", { name: "Save changes" });
    await edit.click();
    await saveKey.click();
    await dialog.waitFor({ state: "detached" });
    await edit.click();
    await dialog.getByLabel("Name").fill("Reports");
    await client.editAccessKey({ accessKey, scope: "read" });
    await saveKey.click();
    await noticed(page, "The access key is saved.");
    const { accessKeys } = await client.listAccessKeys();
    assert.equal(accessKeys.find(({ name }) => name === "Reports")?.scope, "read");

    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("link", { name: url }).click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("Customer records");
    await client.editWebhook({ id: webhook.id, events: ["roomDeleted"] });
    await page.getByRole("button", { name: "Save" }).click();
    await noticed(page, "The webhook is saved.");
    const [now] = (await client.listWebhooks()).webhooks;
    assert.deepEqual([now?.description, now?.events], ["Customer records", ["roomDeleted"]]);
    assert.equal(sent, 3, "nothing is sent where nothing was changed");
  });
});
