// Runs: sqlite, complete, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { press, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();

test("every address is served with a policy that allows no inline script", async () => {
  for (const address of ["/", "/rooms/4711", "/people/revoked"]) {
    const answer = await fetch(service.url + address, { headers: { accept: "text/html" } });
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.equal(answer.status, 200);
    assert.match(policy, /default-src 'self'/);
    assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
    const page = await answer.text();
    assert.doesNotMatch(page, /<style|<script(?![^>]*src=)| on[a-z]+=/);
  }
});

test("the console needs no inline style, not even in dialogs, menus and pickers", async () => {
  await visit({ at: "/emails" }, async ({ page }) => {
    await page.route(`${service.url}/*`, async (route) => {
      if (route.request().resourceType() !== "document") return route.continue();
      const response = await route.fetch();
      const strict =
        "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
      return route.fulfill({
        response,
        headers: { ...response.headers(), "content-security-policy": strict },
      });
    });
    await page.goto("/rooms");
    await settled(page);
    assert.equal(
      await page.evaluate("getComputedStyle(document.querySelector('aside')).position"),
      "sticky",
    );
    await page.getByRole("combobox", { name: "Owner" }).click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.getByRole("button", { name: /Your account/ }).click();
    await page.getByRole("menuitem", { name: "Change my password" }).click();
    await page.getByRole("dialog", { name: "Change my password" }).waitFor();
    await press(page, "Escape");
    await page.getByRole("link", { name: "New room" }).first().click();
    await page.getByRole("heading", { name: "Live stream" }).waitFor();
    // The browser's console must be empty: a refused style would appear there.
  });
});

test("a page of another origin that has opened the console gets no hold of its window", async () => {
  await visit({ at: "/emails" }, async ({ page }) => {
    const opener = await page.context().newPage();
    await opener.route("http://opener.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Opener</title>" }),
    );
    await opener.goto("http://opener.example/");
    const [opened] = await Promise.all([
      opener.waitForEvent("popup"),
      opener.evaluate(`globalThis.opened = open("${service.url}/rooms"); undefined`),
    ]);
    await opened.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
    assert.equal(await opened.evaluate("opener"), null);
    assert.equal(await opener.evaluate("opened.closed"), true);
  });
});
