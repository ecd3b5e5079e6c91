// Runs: sqlite, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser } from "../console/browser.ts";
import { LONG_MS } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

test("the page of the interface follows the system's light or dark mode", async (t) => {
  const world = await startWorld(t);
  const browser = await openBrowser(t);
  const page = await browser.newPage({ colorScheme: "dark" });
  page.setDefaultTimeout(LONG_MS);
  await page.goto(`${world.url}/docs`);
  await page.locator(".opblock").first().waitFor();
  const background = () =>
    page.evaluate<string>(
      "getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor",
    );
  assert.equal(await background(), "rgb(28, 32, 34)");
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("html:not(.dark-mode)").waitFor({ state: "attached" });
  assert.notEqual(await background(), "rgb(28, 32, 34)");
});
