// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createPerson } from "./people.ts";
import { noticed, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

const choose = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const isThere = async (search: string): Promise<boolean> =>
  (await client.listRooms({ search })).pagination.total === 1;

test("with days in the settings, deleted rooms and people go to the recycle bin and come back", async () => {
  const owner = await createPerson(service, "Olga Owner");
  const gone = await createPerson(service, "Gil Gone");
  await client.createRoom({ name: "Bin room", roomOwnerId: owner.id });
  await client.revokeUsers([{ userId: gone.id }]);
  await visit({ at: "/bin" }, async ({ page }) => {
    await page.getByRole("heading", { name: "The recycle bin is off" }).waitFor();
    await page.getByRole("link", { name: "Open the settings" }).click();
    await page.getByLabel("Days in the recycle bin").fill("7");
    await page.getByRole("button", { name: "Save settings" }).click();
    await noticed(page, "The settings are saved.");

    await page.getByRole("link", { name: "Rooms", exact: true }).click();
    const remove = async () => {
      await choose(page, "Bin room", "Delete");
      const dialog = page.getByRole("dialog", { name: "Delete Bin room?" });
      await dialog.getByText("stays in the recycle bin for 7 days").waitFor();
      await dialog.getByRole("button", { name: "Delete room" }).click();
      await noticed(page, "Bin room is in the recycle bin.");
    };
    await remove();
    assert.equal(await isThere("bin room"), false);
    await page.getByRole("button", { name: "Undo" }).click();
    await noticed(page, "Bin room is restored.");
    assert.equal(await isThere("bin room"), true);
    await remove();

    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("link", { name: "Revoked" }).click();
    await choose(page, "Gil Gone", "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete Gil Gone?" });
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await noticed(page, "Gil Gone is in the recycle bin.");

    await page.getByRole("link", { name: "Recycle bin" }).click();
    await page.getByRole("row", { name: /Bin room/ }).waitFor();
    await choose(page, "Bin room", "Restore");
    await page.getByRole("row", { name: /Bin room/ }).waitFor({ state: "detached" });
    assert.equal(await isThere("bin room"), true);
    await choose(page, "Gil Gone", "Delete permanently");
    await page
      .getByRole("dialog", { name: "Delete Gil Gone permanently?" })
      .getByRole("button", { name: "Delete permanently" })
      .click();
    await noticed(page, "Gil Gone is deleted permanently.");
    await page.getByRole("heading", { name: "The recycle bin is empty" }).waitFor();
  });
  assert.deepEqual((await client.findUsers({ userIds: [gone.id] })).users, []);
});

test("revoking an owner offers to hand over the rooms, at once or later; a refusal afterwards says that they were handed over", async () => {
  const leaver = await createPerson(service, "Lea Leaver");
  const heirs = [await createPerson(service, "Hal Heir"), await createPerson(service, "Hue Heir")];
  for (const name of ["One", "Two"]) await client.createRoom({ name, roomOwnerId: leaver.id });
  const rex = await createPerson(service, "Rex Return");
  await client.createRoom({ name: "Three", roomOwnerId: rex.id });
  await client.revokeUsers([{ userId: rex.id }]);
  const ownersOf = async (search: string) =>
    (await client.listRooms({ search })).roomSettings[0]?.roomOwnerId;
  await visit({ at: "/people?search=lea", failing: [409] }, async ({ page }) => {
    await choose(page, "Lea Leaver", "Revoke");
    const dialog = page.getByRole("dialog", { name: "Revoke Lea Leaver?" });
    await dialog.getByText("Owns 2 rooms. You can hand them over.").waitFor();
    for (const { name } of heirs) {
      await dialog.getByLabel("Add a new owner").fill(name);
      await page.getByRole("option", { name: new RegExp(name) }).click();
    }
    await dialog.getByRole("button", { name: "Remove Hue Heir" }).click();
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await noticed(page, "2 rooms handed over.");
    assert.deepEqual([await ownersOf("one"), await ownersOf("two")], [heirs[0]?.id, heirs[0]?.id]);

    await page.goto(`${service.url}/people/${heirs[0]?.id}`);
    await page.getByRole("button", { name: "Hand over…" }).click();
    const asked = page.getByRole("dialog", { name: "Hand over the rooms of Hal Heir" });
    const confirm = asked.getByRole("button", { name: "Hand over", exact: true });
    assert.equal(await confirm.isDisabled(), true);
    await asked.getByLabel("Add a new owner").fill("Hue");
    await page.getByRole("option", { name: /Hue Heir/ }).click();
    await confirm.click();
    await noticed(page, "2 rooms handed over.");
    await page.getByText("Owns no room.").waitFor();
    assert.equal(await ownersOf("two"), heirs[1]?.id);

    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("link", { name: "Revoked" }).click();
    await choose(page, "Rex Return", "Delete");
    const refused = page.getByRole("dialog", { name: "Delete Rex Return?" });
    await refused.getByLabel("Add a new owner").fill("Hue");
    await page.getByRole("option", { name: /Hue Heir/ }).click();
    await client.reactivateUsers({ userIds: [rex.id] });
    await refused.getByRole("button", { name: "Delete", exact: true }).click();
    const alert = refused.getByRole("alert");
    await alert.getByText("Rooms were handed over already.").waitFor();
    assert.equal(await alert.getByText("Nothing was changed.").count(), 0);
    assert.equal(await ownersOf("three"), heirs[1]?.id);
  });
});

test("if settings or rooms cannot be loaded, the question says so and tries again", async () => {
  const { id } = await createPerson(service, "Una Unsure");
  await client.createRoom({ name: "Unsure room", roomOwnerId: id });
  await client.editOrganization({ binDays: null });
  await visit({ at: "/", failing: [403] }, async ({ page }) => {
    const json = { success: false, message: "Not now.", code: "not_allowed" };
    const fails = async (path: string, work: (mend: () => Promise<void>) => Promise<void>) => {
      await page.route(path, (route) => route.fulfill({ status: 403, json }));
      await work(async () => {
        await page.unroute(path);
        await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
      });
    };
    const dialog = page.getByRole("dialog");
    await fails("**/api/organization", async (mend) => {
      await page.goto(`${service.url}/rooms?search=unsure`);
      await choose(page, "Unsure room", "Delete");
      await dialog.getByRole("alert").getByText("Not now.").waitFor();
      await mend();
      await dialog.getByText("You cannot undo this.").waitFor();
      await dialog.getByRole("link", { name: "Open the settings" }).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
    });
    await fails("**/api/roomSetting/paginated*", async (mend) => {
      await page.goto(`${service.url}/people?search=una`);
      await choose(page, "Una Unsure", "Revoke");
      await dialog.getByRole("alert").getByText("Not now.").waitFor();
      await dialog.getByLabel("Add a new owner").waitFor();
      await mend();
      await dialog.getByText("Owns 1 room. You can hand them over.").waitFor();
    });
    const opened = page.waitForEvent("popup");
    await dialog.getByRole("link", { name: "Rooms without an owner" }).click();
    const rooms = await opened;
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await noticed(page, "Una Unsure is revoked.");
    await rooms.reload();
    await rooms.getByRole("row", { name: /Unsure room/ }).waitFor();
    await rooms.close();
  });
});

test("revoking more than twenty people shows how many rooms they own together", async () => {
  const many: { readonly id: string }[] = [];
  for (let n = 0; n < 21; n += 1) many.push(await createPerson(service, `Zoe ${n + 10}`));
  await client.createRoom({ name: "Of the last", roomOwnerId: many.at(-1)?.id ?? "" });
  await visit({ at: "/people?search=zoe" }, async ({ page }) => {
    await page.getByRole("row", { name: /Zoe 30/ }).waitFor();
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke 21 people?" });
    await dialog.getByText("They own 1 room. You can hand them over.").waitFor();
  });
});
