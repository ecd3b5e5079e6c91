// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fill } from "./many.ts";
import { startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
await fill(service, 10_000);

test("every view of a table with 10,000 rooms is usable at once", async (t) => {
  await visit({ at: "/emails" }, async ({ page }) => {
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const started = performance.now();
      await page.goto("/rooms");
      await page.getByRole("link", { name: "Person 00000" }).waitFor();
      times.push(performance.now() - started);
    }
    t.diagnostic(
      `from navigation to the table with its owners' names: ${times.map(Math.round).join(", ")} ms`,
    );
    await page.getByText("1–25 of 10,001 rooms").waitFor();
    await page.getByRole("button", { name: "Last page" }).click();
    await page.getByText("10,001 of 10,001 rooms", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Created" }).click();
    await page.getByText("1–25 of 10,001 rooms").waitFor();
    await page.getByLabel("Rows per page").selectOption("100");
    await page.getByText("1–100 of 10,001 rooms").waitFor();
    await page.getByLabel("Search rooms by name").fill("room 0999");
    await page.getByText("1–10 of 10 rooms").waitFor();
    await page.getByRole("button", { name: "Clear" }).first().click();
    await page.getByRole("combobox", { name: "Owner" }).fill("Person 07777");
    await page.getByRole("option", { name: /Person 07777/ }).click();
    await page.getByText("1 of 1 room").waitFor();
    await page.getByRole("link", { name: "Room 07777" }).waitFor();
  });
});

test("with 10,000 people the table sorts, turns pages and searches", async () => {
  await visit({ at: "/people?limit=100" }, async ({ page }) => {
    await page.getByText("1–100 of 10,002 people").waitFor();
    await page.getByRole("button", { name: "Last page" }).click();
    await page.getByRole("row", { name: /Person 10000/ }).waitFor();
    await page.getByLabel(/^Search people/).fill("many.4321@");
    await page.getByText("1 of 1 person").waitFor();
    await page
      .getByRole("row", { name: /Person 04322/ })
      .getByRole("link", { name: "1 room" })
      .waitFor();
  });
});

test("an export of 10,000 rooms shows its progress", async () => {
  await visit({ at: "/rooms" }, async ({ page }) => {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("button", { name: /Exporting \d+%/ }).waitFor();
    const text = await readFile(await (await downloading).path(), "utf8");
    assert.equal(text.split("\r\n").length, 10_002);
  });
});
