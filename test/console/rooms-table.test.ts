// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createPerson } from "./people.ts";
import { settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

test("an organization without rooms is shown how to make the first one", async () => {
  await visit({ at: "/rooms" }, async ({ page }) => {
    await page.getByRole("heading", { name: "No rooms yet" }).waitFor();
    await page.getByRole("link", { name: "New room" }).last().click();
    await page.getByRole("heading", { name: "New room" }).waitFor();
  });
});

test("the table searches, sorts and turns pages, and the address bar keeps its state", async () => {
  const owner = await createPerson(service, "Olga Owner");
  await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      client.createRoom({
        name: `Hall ${String(index).padStart(2, "0")}`,
        roomOwnerId: index % 8 === 0 ? owner.id : service.adminId,
      }),
    ),
  );
  await visit({ at: "/rooms" }, async ({ page }) => {
    const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
    await page.getByText("1–25 of 32 rooms").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("26–32 of 32 rooms").waitFor();
    await row("Hall 31").waitFor();
    await page.goBack();
    await page.getByText("1–25 of 32 rooms").waitFor();

    await page.getByRole("button", { name: "Name" }).click();
    await row("Hall 31").waitFor();
    assert.match(page.url(), /sortOrder=DESC/);
    assert.equal(
      await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort"),
      "descending",
    );
    await page.getByLabel("Rows per page").selectOption("10");
    await page.getByText("1–10 of 32 rooms").waitFor();

    await page.getByLabel("Search rooms by name").fill("hall 1");
    await page.getByText("1–10 of 10 rooms").waitFor();
    assert.match(page.url(), /search=hall\+1/);
    await page.reload();
    await page.getByText("1–10 of 10 rooms").waitFor();
    assert.equal(await page.getByLabel("Search rooms by name").inputValue(), "hall 1");

    await page.getByLabel("Search rooms by name").fill("nowhere");
    await page.getByRole("heading", { name: "No room matches" }).waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByText("1–10 of 32 rooms").waitFor();

    await page.getByRole("combobox", { name: "Owner" }).fill("olga");
    await page.getByRole("option", { name: /Olga Owner/ }).click();
    await page.getByText("1–4 of 4 rooms").waitFor();
    assert.match(page.url(), new RegExp(`userFilter=${owner.id}`));
    await page.getByRole("button", { name: "Clear: Owner" }).click();
    await page.getByText("1–10 of 32 rooms").waitFor();
  });
  await visit({ at: "/rooms?page=99&sortBy=nonsense" }, async ({ page }) => {
    await page.getByText("26–32 of 32 rooms").waitFor();
  });
});

test("a link followed while a search is typed is not undone by the search", async () => {
  await visit({ at: "/rooms" }, async ({ page }) => {
    await settled(page);
    // Its clock stands still: on a busy machine the search would be sent before the link is followed.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route("**/assets/people-page-*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel("Search rooms by name").fill("hall 1");
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.locator("[data-busy]").waitFor({ state: "attached" });
    await page.clock.fastForward(10_000);
    await page.clock.resume();
    go();
    await page.getByRole("heading", { name: "People" }).waitFor();
    assert.equal(new URL(page.url()).search, "");
    await page.goBack();
    await page.getByText(/of 32 rooms/).waitFor();
  });
});

test("the export has every page of what is shown, without secrets", async () => {
  await client.createRoom({
    name: '=HALL("x"), north',
    roomOwnerId: service.adminId,
    roomPassword: "hush",
    liveStreamUrl: "rtmp://live.test/app/hush-key",
  });
  await visit({ at: "/rooms?search=hall&limit=10" }, async ({ page }) => {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await downloading;
    assert.match(file.suggestedFilename(), /^rooms-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    const lines = text.split("\r\n");
    assert.equal(lines.length, 1 + 33);
    assert.match(lines[0] ?? "", /^\uFEFFname,roomOwnerId,owners,room,/);
    assert.ok(
      lines.some((line) => line.startsWith("Hall 08,") && line.includes(",Olga Owner,")),
      "owners by name",
    );
    assert.ok(
      lines.some((line) => line.startsWith(`"'=HALL(""x""), north",`)),
      "no formula",
    );
    assert.doesNotMatch(text, /hush|roomPassword|liveStreamUrl|liveStreamKey/);
  });
});

test("a list that cannot be loaded says what happened, and tries again", async () => {
  await visit({ at: "/emails", failing: [503] }, async ({ page }) => {
    await page.route("**/api/roomSetting/paginated*", (route) =>
      route.fulfill({
        status: 503,
        json: {
          type: "x",
          success: false,
          error: "Database connection error",
          code: "database_connection",
        },
      }),
    );
    await page.getByRole("link", { name: "Rooms", exact: true }).click();
    await page.getByText("Database connection error").waitFor();
    await page.unroute("**/api/roomSetting/paginated*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row", { name: /Hall 00/ }).waitFor();
  });
});

test("the page shows that it is offline, and later loads what it missed", async () => {
  await visit({ at: "/rooms", offline: true }, async ({ page, context }) => {
    await settled(page);
    await context.setOffline(true);
    await page.getByText("You are offline.").waitFor();
    assert.equal(await page.getByText(/wait for the connection/).count(), 0, "no promise");
    await client.createRoom({ name: "A made meanwhile", roomOwnerId: service.adminId });
    await context.setOffline(false);
    await page.getByRole("link", { name: "A made meanwhile" }).waitFor();
    assert.equal(await page.getByText("You are offline.").count(), 0);
  });
});

test("the table's space is reserved while the first page loads", async () => {
  await visit({ at: "/emails" }, async ({ page }) => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route("**/api/roomSetting/paginated*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("link", { name: "Rooms", exact: true }).click();
    const table = page.getByRole("table", { name: "Rooms" });
    await table.waitFor();
    assert.equal(await table.getAttribute("aria-busy"), "true");
    go();
    await page.getByRole("row", { name: /Hall 00/ }).waitFor();
    assert.equal(await table.getAttribute("aria-busy"), "false");
  });
});

test("rooms without an owner are filtered, and the address bar keeps the filter", async () => {
  const owner = await createPerson(service, "Gil Gone");
  for (const name of ["Left over 1", "Left over 2"]) {
    await client.createRoom({ name, roomOwnerId: owner.id });
  }
  await client.revokeUsers([{ userId: owner.id }]);
  await client.deleteUsers([owner.id]);
  await visit({ at: "/rooms" }, async ({ page }) => {
    const filter = page.getByLabel("Which rooms");
    await filter.selectOption("Without an owner");
    await page.getByText("1–2 of 2 rooms").waitFor();
    assert.match(page.url(), /withoutOwner=true/);
    assert.equal(await page.getByRole("row", { name: /Left over .*No owner/ }).count(), 2);
    assert.equal(await page.getByRole("combobox", { name: "Owner" }).count(), 0);
    await page.getByLabel("Search rooms by name").fill("over 2");
    await page.getByText("1 of 1 room").waitFor();
    await page.getByLabel("Search rooms by name").fill("hall");
    await page.getByRole("heading", { name: "No room matches" }).waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByRole("row", { name: /Hall 00/ }).waitFor();
    assert.equal(await filter.inputValue(), "false");
  });
});
