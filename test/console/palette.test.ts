// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPerson } from "./people.ts";
import { FIND, find, press, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

test("Ctrl+K finds people, rooms, pages and actions, and opens what is chosen", async () => {
  const ann = await createPerson(service, "Ann Palette");
  const { roomSetting } = await client.createRoom({
    name: "Palette hall",
    roomOwnerId: service.adminId,
  });
  await visit({ at: "/rooms" }, async ({ page }) => {
    await settled(page);
    const field = await find(page, "palette");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Palette hall/ })
      .waitFor();
    await page.getByRole("button", { name: /Ann Palette/ }).click();
    await page.waitForURL(new RegExp(`/people/${ann.id}$`));
    await field.waitFor({ state: "detached" });

    await settled(page);
    await find(page, roomSetting.room);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Palette hall/ })
      .waitFor();
    // The results are those of the last typed text.
    await page.getByRole("button", { name: /Ann Palette/ }).waitFor({ state: "detached" });
    await press(page, "ArrowDown");
    await press(page, "Enter");
    await page.waitForURL(new RegExp(`/rooms/${roomSetting.room}$`));

    await settled(page);
    await find(page, "histor");
    await page.getByRole("button", { name: "History" }).last().click();
    await page.waitForURL(/\/history$/);

    await settled(page);
    await find(page, "zzzz");
    await page.getByText("Nothing matches").waitFor();
    await press(page, "Escape");
    await field.waitFor({ state: "detached" });
  });
});

test("the palette offers nothing that the person may not do", async () => {
  const owner = await createPerson(service, "Owner Only");
  await client.createRoom({ name: "Mine alone", roomOwnerId: owner.id });
  await client.createRoom({ name: "Not mine", roomOwnerId: service.adminId });
  await client.editOrganization({ ownersMay: "nothing" });
  await visit(
    { as: { login: owner.email, password: owner.password }, at: "/rooms" },
    async ({ page }) => {
      await settled(page);
      await press(page, "Control+k");
      const field = page.getByPlaceholder(FIND);
      await field.waitFor();
      const dialog = page.getByRole("dialog");
      const making = ["New meeting", "My room", "Schedule a meeting", "New room"];
      for (const hidden of [...making, "New person", "People", "History", "Settings"]) {
        assert.equal(await dialog.getByRole("button", { name: hidden, exact: true }).count(), 0);
      }
      await field.fill("mine");
      await dialog.getByRole("button", { name: /Mine alone/ }).waitFor();
      assert.equal(await dialog.getByRole("button", { name: /Not mine/ }).count(), 0);
      await press(page, "Escape");
      await field.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Find anything" }).click();
      await page.getByPlaceholder(FIND).fill("sign out");
      await page.getByRole("button", { name: "Sign out" }).last().click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
    },
  );
});

test("/ goes to the page's search and ? shows the keys, except in a field or behind a dialog", async () => {
  await visit({ at: "/rooms" }, async ({ page }) => {
    await settled(page);
    const search = page.getByLabel("Search rooms by name");
    await press(page, "/");
    assert.equal(await page.locator(":focus").getAttribute("type"), "search");
    await page.keyboard.type("a/b?");
    assert.equal(await search.inputValue(), "a/b?");
    await press(page, "Control+k");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await search.fill("");
    await search.blur();
    await press(page, "?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Go to the search of the page").waitFor();
    await press(page, "/");
    assert.notEqual(await page.locator(":focus").getAttribute("type"), "search");
    await press(page, "Control+k");
    assert.equal(await page.getByPlaceholder(FIND).count(), 0);
    await press(page, "Escape");
    await keys.waitFor({ state: "detached" });
  });
});
