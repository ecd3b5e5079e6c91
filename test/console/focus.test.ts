// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createPerson } from "./people.ts";
import { press, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const { room } = (await client.createRoom({ name: "Tabbed", roomOwnerId: service.adminId }))
  .roomSetting;
const person = await createPerson(service, "Tab Person");
const { webhook } = await client.createWebhook({
  url: "https://hooks.example.org/",
  events: ["roomCreated"],
});

/**
 * The element that has the focus once the page has scrolled to it and stands still, and whether something covers it;
 * undefined when the focus has left the page's form.
 */
const HERE = `new Promise((resolve) => {
  let before = NaN;
  const look = () => {
    if (scrollY !== before) {
      before = scrollY;
      requestAnimationFrame(() => requestAnimationFrame(look));
      return;
    }
    const one = document.activeElement;
    if (!one?.closest("form")) return resolve(undefined);
    const at = one.getBoundingClientRect();
    const bar = document.querySelector("[data-save-bar]");
    const { top, bottom } = bar.getBoundingClientRect();
    const covered = !bar.contains(one) && at.top < bottom && at.bottom > top;
    const outside = at.bottom <= 0 || at.top >= innerHeight;
    resolve({ name: one.getAttribute("name") ?? one.textContent, covered, outside });
  };
  look();
})`;

interface Stop {
  readonly name: string;
  readonly covered: boolean;
  readonly outside: boolean;
}

/** Every stop of Tab (or of Shift+Tab, from the end) in the page's form. */
const stopsOf = async (page: Page, key: "Tab" | "Shift+Tab"): Promise<readonly Stop[]> => {
  const end = key === "Tab" ? "form input, form button" : "[data-save-bar] button";
  await page.locator(end).first().focus();
  const stops: Stop[] = [];
  for (;;) {
    const stop = await page.evaluate<Stop | undefined>(HERE);
    if (stop === undefined) return stops;
    stops.push(stop);
    await press(page, key);
  }
};

const pages = [
  ["/rooms/new", 5],
  [`/rooms/${room}`, 5],
  ["/people/new", 5],
  [`/people/${person.id}`, 5],
  ["/webhooks/new", 5],
  [`/webhooks/${webhook.id}/edit`, 5],
  ["/settings", 5],
] as const;
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 600 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

for (const viewport of sizes) {
  test(`the focus never hides under the bar of a form at ${viewport.width} x ${viewport.height}`, async () => {
    for (const [at, least] of pages) {
      await visit({ at, viewport }, async ({ page }) => {
        await settled(page);
        await page.locator("[data-save-bar]").waitFor();
        // Everything that is folded is open.
        await page.evaluate(
          'for (const one of document.querySelectorAll("details")) one.open = true',
        );
        for (const key of ["Tab", "Shift+Tab"] as const) {
          const stops = await stopsOf(page, key);
          assert.ok(stops.length >= least, `${at}: ${stops.length} stops`);
          const hidden = stops.filter(({ covered, outside }) => covered || outside);
          assert.deepEqual(hidden, [], `${at}, ${key}`);
        }
      });
    }
  });
}

test("an administrator's links are in named groups, and all are reached by keyboard, in the sidebar and in the menu", async () => {
  await visit({}, async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    const groups = ["Meet", "Organization", "Records", "Programs"];
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const walk = async (): Promise<readonly string[]> => {
      const names: string[] = [];
      await links.first().focus();
      for (const _ of await links.all()) {
        const focused = page.locator(":focus");
        names.push((await focused.innerText()).split("\n")[0] ?? "");
        await focused.scrollIntoViewIfNeeded();
        await press(page, "Tab");
      }
      return names;
    };
    for (const name of groups) await page.getByRole("list", { name, exact: true }).waitFor();
    const beside = await walk();
    assert.deepEqual(beside.slice(0, 5), ["Overview", "Rooms", "Meetings", "Recordings", "People"]);
    assert.equal(new Set(beside).size, 15);
    // The account stays in sight.
    assert.ok(await page.getByRole("button", { name: "Your account" }).isVisible());
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Open the menu" }).click();
    for (const name of groups) await page.getByRole("list", { name, exact: true }).waitFor();
    assert.deepEqual(await walk(), beside);
  });
});
