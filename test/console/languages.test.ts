// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { completeLanguages, readCatalog } from "../../languages/read.ts";
import { onlyComplete } from "../world/seed.ts";
import { startVisits, withMailProblem } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const { email, password } = service.admin;

const inLanguage = (language: string, name: "common" | "errors" | "rooms", key: string): string => {
  const text = readCatalog(language, name).get(key);
  assert.ok(text, `${language} has no ${key}`);
  return text;
};

test("every complete language signs in, with its direction, and says in it that a password is wrong", async () => {
  for (const language of completeLanguages().filter((one) => one !== "en")) {
    await visit({ as: null, locale: language, failing: [401] }, async ({ page }) => {
      const say = (key: string) => inLanguage(language, "common", key);
      const fill = async (secret: string) => {
        await page.getByLabel(say("signIn.login"), { exact: true }).fill(email);
        await page.getByLabel(say("signIn.password"), { exact: true }).fill(secret);
        await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
      };
      await fill("not the password at all");
      await page.getByText(inLanguage(language, "errors", "failures.wrong_login")).waitFor();
      await fill(password);
      await page
        .getByRole("link", { name: say("nav.rooms"), exact: true })
        .first()
        .waitFor();
      const { lang, dir } = await page.evaluate<{ lang: string; dir: string }>(
        "({ lang: document.documentElement.lang, dir: document.documentElement.dir })",
      );
      assert.deepEqual([lang, dir], [language, language === "ar" ? "rtl" : "ltr"]);
    });
  }
});

test("errors of fields are in the page's language, and a choice of language stays", async () => {
  await visit({ at: "/people/new?lang=de", failing: [400] }, async ({ page }) => {
    await page.locator('input[name="email"]').fill("no address");
    await page.locator('input[name="name"]').fill("Ann");
    await page.getByRole("button", { name: "Person anlegen", exact: true }).click();
    await page.getByText("E-Mail-Adresse erforderlich, zum Beispiel ann@example.org").waitFor();
    await page.goto("/account");
    await page.getByLabel("Sprache", { exact: true }).selectOption("fr");
    await page.getByRole("button", { name: "Mein Konto speichern", exact: true }).click();
    await page.getByRole("heading", { name: "Mon compte", exact: true }).waitFor();
    await page.goto("/rooms");
    await page.getByRole("heading", { name: "Salles", exact: true }).waitFor();
  });
});

test("the word that confirms a deletion counts in capital letters too, as the page's language has them", {
  skip: onlyComplete,
}, async () => {
  const { roomSetting } = await service.client.createRoom({
    name: "Oda",
    roomOwnerId: service.adminId,
  });
  await visit({ at: "/rooms?search=Oda&lang=tr" }, async ({ page }) => {
    const say = (key: string) => inLanguage("tr", "rooms", key);
    await page.getByRole("checkbox", { name: /Oda/ }).check();
    await page.getByRole("button", { name: say("roomBulk.delete"), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("SİL");
    await dialog.getByRole("button", { name: "Odayı sil", exact: true }).click();
    await page.getByText("Oda silindi.").first().waitFor();
  });
  const { roomSettings } = await service.client.listRooms({});
  assert.ok(roomSettings.every(({ room }) => room !== roomSetting.room));
});

/** The language of a page and its direction. */
const saidBy = (page: Page) =>
  page.evaluate<readonly string[]>("[document.documentElement.lang, document.documentElement.dir]");

test("a guest reads the organization's language where the browser asks for none that there is", async () => {
  await client.editOrganization({ language: "ar" });
  const { roomSetting } = await client.createRoom({ name: "Hall", roomOwnerId: service.adminId });
  const path = new URL((await client.getRoomLink({ roomId: roomSetting.room })).url).pathname;
  const read = async (locale: string, at: string, shows: string): Promise<readonly string[]> => {
    let said: readonly string[] = [];
    await visit({ as: null, locale, at }, async ({ page }) => {
      await page.locator(`html[lang="${shows}"]`).waitFor({ state: "attached" });
      await page
        .getByText(readCatalog(shows, "meet").get("before.join") ?? "")
        .first()
        .waitFor();
      said = await saidBy(page);
    });
    return said;
  };
  assert.deepEqual(await read("sv-SE", path, "ar"), ["ar", "rtl"]);
  assert.deepEqual(await read("fr-CA", path, "fr"), ["fr", "ltr"]);
  assert.deepEqual(await read("sv-SE", `${path}?lang=ja`, "ja"), ["ja", "ltr"]);
  await client.editOrganization({ language: "en" });
});

test("pages that show an error, and those without scripts, have the language and direction of their words", async () => {
  await visit({ as: null, locale: "ar-EG", at: "/r/unknown", failing: [404] }, async ({ page }) => {
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.deepEqual(await saidBy(page), ["ar", "rtl"]);
    await page.goto("/m/unknown");
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.deepEqual(await saidBy(page), ["ar", "rtl"]);
    await page.goto("/docs");
    assert.deepEqual(await saidBy(page), ["en", ""], "the reference is English");
  });
  for (const at of ["/", "/nowhere", "/m/unknown", "/r/unknown"]) {
    const text = await (await fetch(service.url + at, { headers: { accept: "text/html" } })).text();
    assert.match(text, /<html lang="en">.*<noscript>[\w' ]+ needs JavaScript\.<\/noscript>/s, at);
  }
});

test("people who are not signed in choose the language on every page, also before joining, and the browser keeps it", async () => {
  const { roomSetting } = await client.createRoom({ name: "Foyer", roomOwnerId: service.adminId });
  const { url } = await client.getRoomLink({ roomId: roomSetting.room });
  const pages = ["/", "/password", "/by-provider?provider=unknown", new URL(url).pathname];
  for (const at of [...pages, "/m/unknown", "/r/unknown"]) {
    await visit({ as: null, locale: "en-US", at, failing: [404] }, async ({ page }) => {
      const shows = (language: string) =>
        page.locator(`html[lang="${language}"]`).waitFor({ state: "attached" });
      await shows("en");
      await page.getByLabel("Language", { exact: true }).selectOption("de");
      await shows("de");
      await page.getByLabel("Sprache", { exact: true }).waitFor();
      assert.equal(new URL(page.url()).pathname, at.split("?")[0]);
      await page.goto("/password");
      await shows("de");
    });
  }
});

test("why events and emails do not arrive is in the page's language, by the code", async () => {
  const { webhook } = await client.createWebhook({
    url: "https://nowhere.invalid/",
    events: ["roomCreated"],
  });
  await client.testWebhook({ id: webhook.id });
  const say = (key: string) => inLanguage("de", "errors", `sentences.${key}`);
  await visit({ at: `/webhooks/${webhook.id}?lang=de` }, async ({ page }) => {
    const [untilCode] = say("name_not_resolved").split("{");
    await page
      .getByText(untilCode ?? "")
      .first()
      .waitFor();
    await withMailProblem(page, {
      cause: "name",
      message: "English.",
      answer: "English (ENOTFOUND).",
      lastReason: { code: "mail_server", cause: "name", detail: "ENOTFOUND" },
    });
    const notice = page.getByRole("note");
    await notice
      .getByText(`${say("mail_server.name")} (ENOTFOUND) ${say("mail_server_remedy.name")}`)
      .waitFor();
    assert.doesNotMatch((await notice.textContent()) ?? "", /English/);
  });
  await client.removeWebhook({ id: webhook.id });
});

test("a page in another language than the browser's says an entered date in words, with its weekday", {
  skip: onlyComplete,
}, async () => {
  for (const [locale, words] of [
    ["en-US", 1],
    ["de-AT", 0],
  ] as const) {
    await visit({ locale, at: "/history?lang=de" }, async ({ page }) => {
      const field = page.locator('input[type="date"]').first();
      await field.fill("2026-04-03");
      await page.waitForURL(/from=2026-04-03/);
      const said = page.getByText("Freitag, 3. April 2026");
      if (words > 0) await said.waitFor();
      assert.equal(await said.count(), words, locale);
    });
  }
});
