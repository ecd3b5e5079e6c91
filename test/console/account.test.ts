// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import packageJson from "../../package.json" with { type: "json" };
import { until } from "../world/process.ts";
import { createPerson } from "./people.ts";
import { noticed, startVisits } from "./visit.ts";

/* People's own choices, and the look of an organization's pages. */

const { service, visit } = await startVisits();
const { client } = service;

const schemeOf = (page: Page) =>
  page.evaluate<string | null>(
    "document.documentElement.getAttribute('data-mantine-color-scheme')",
  );

test("a person without admin changes name, time zone and colors, at once and after a reload", async () => {
  const { username, password } = await createPerson(service, "Priya Shah");
  await visit(
    { as: { login: username, password }, at: "/account", timezoneId: "Europe/London" },
    async ({ page }) => {
      await page.getByLabel("Name", { exact: true }).fill("Priya Shah-Jones");
      await page.getByLabel("Time zone").selectOption("Pacific/Auckland");
      await page.getByLabel("Colors").selectOption("Dark");
      await page.getByRole("button", { name: "Save my account" }).click();
      await noticed(page, "Your account is saved.");
      await page
        .getByRole("button", { name: /Your account:/ })
        .getByText("Priya Shah-Jones")
        .waitFor();
      await until("it is dark", async () => (await schemeOf(page)) === "dark");
      await page.reload();
      await page.getByLabel("Time zone").waitFor();
      assert.equal(await schemeOf(page), "dark");
      assert.equal(await page.getByLabel("Time zone").inputValue(), "Pacific/Auckland");
      // Times are those of the zone: London is half a day behind.
      const shown = await page
        .getByText(/^Signed in /)
        .first()
        .textContent();
      const [session] = await page.evaluate<string[]>(
        "[new Intl.DateTimeFormat([...navigator.languages, 'en'], { timeStyle: 'short', timeZone: 'Pacific/Auckland' }).format(new Date())]",
      );
      assert.ok(session && shown?.includes(session.slice(-2)), `${shown} has no ${session}`);
    },
  );
});

test("a person ends a session that they do not recognize from the account page", async () => {
  const { username, password } = await createPerson(service, "Tomas Berg");
  await visit(
    { as: { login: username, password }, at: "/account", locale: "en-US" },
    async ({ page }) => {
      await page.getByText("This device", { exact: true }).waitFor();
      const phone = await fetch(`${service.url}/api/session`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
        },
        body: JSON.stringify({ login: username, password }),
      });
      const { token } = (await phone.json()) as { readonly token: string };
      await page.reload();
      await page.getByText("Firefox on Android").waitFor();
      await page.getByRole("button", { name: /^End the session: Firefox on Android/ }).click();
      await noticed(page, "The session has ended.");
      const headers = { authorization: `Bearer ${token}` };
      assert.equal((await fetch(`${service.url}/api/session`, { headers })).status, 401);
      await page.getByText("Firefox on Android").waitFor({ state: "detached" });
    },
  );
});

/** A picture of one color, larger than a logo may be. */
const largePicture = async (page: Page): Promise<Buffer> => {
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 1600; canvas.height = 800;
    const paint = canvas.getContext("2d");
    paint.fillStyle = "#884422";
    paint.fillRect(0, 0, 1600, 800);
    return canvas.toDataURL("image/png");
  })()`);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
};

test("an administrator sets name, logo, color and links, and guests see them", async () => {
  await visit({ at: "/settings", failing: [400] }, async ({ page }) => {
    await page.getByText(`Parley ${packageJson.version}`).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Harbour School");
    await page.getByLabel("Color of buttons and links").fill("#ffcc00");
    await page.getByLabel("Privacy notice").fill("https://example.org/privacy");
    await page.getByLabel("Imprint").fill("example.org");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("Imprint must be an absolute http or https URL").waitFor();
    await page.getByLabel("Imprint").fill("https://example.org/imprint");
    await page.getByRole("button", { name: "Save settings" }).click();
    await noticed(page, "The settings are saved.");
    await page.locator('input[type="file"]').setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: await largePicture(page),
    });
    await noticed(page, "The logo is saved.");
    await page.getByRole("link", { name: "Harbour School" }).first().waitFor();
  });
  const { roomSetting } = await client.createRoom({ name: "Lesson", roomOwnerId: service.adminId });
  const { url } = await client.getRoomLink({ roomId: roomSetting.room });
  await visit({ as: null, at: new URL(url).pathname }, async ({ page }) => {
    await page.getByText("Harbour School").waitFor();
    const privacy = page.getByRole("link", { name: "Privacy notice" });
    assert.equal(await privacy.getAttribute("href"), "https://example.org/privacy");
    assert.equal(
      await page.getByRole("link", { name: "Imprint" }).getAttribute("href"),
      "https://example.org/imprint",
    );
    const logo = page.locator('img[src*="/brand/"]');
    await logo.waitFor();
    const widthOf = `document.querySelector('img[src*="/brand/"]').naturalWidth`;
    await until("the logo is drawn", async () => (await page.evaluate(widthOf)) === 320);
    // Yellow is made dark enough for white texts.
    const background = await page.evaluate<string>(
      "getComputedStyle(document.documentElement).getPropertyValue('--mantine-primary-color-filled')",
    );
    assert.match(background, /^#[0-9a-f]{6}$/);
    assert.notEqual(background, "#ffcc00");
  });
});
