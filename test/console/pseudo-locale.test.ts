// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { complete } from "../world/seed.ts";
import { createPerson } from "./people.ts";
import { pseudoOf, readPage, speakPseudo, untranslated } from "./pseudo.ts";
import { settled, startVisits } from "./visit.ts";

/*
 * Nothing may stay English, stick out or be cut in a language that is longer than English. A short run
 * looks at the pages with most fields, on a phone.
 */

const { service, visit } = await startVisits();
const { client } = service;

// Typed text is in Greek here: Latin letters outside of messages are English.
const person = await createPerson(service, "Αννα Λη", { role: "moderator" });
await createPerson(service, "Βασίλης Ωμέγα");
const { roomSetting } = await client.createRoom({
  name: "Συμβούλιο",
  roomOwnerId: person.id,
  room: "99",
});
const { webhook } = await client.createWebhook({
  ...{ url: "https://hooks.example.org/parley", events: ["roomCreated"] },
});
await client.createAccessKey();

const fullest = [`/rooms/${roomSetting.room}`, `/people/${person.id}`];
const everywhere = [
  "/",
  "/rooms",
  "/rooms/new",
  `/rooms/${roomSetting.room}`,
  "/rooms/99/meetings",
  "/meetings",
  "/recordings",
  "/transcripts",
  "/usage",
  "/people",
  "/people/revoked",
  "/people/new",
  `/people/${person.id}`,
  "/access-keys",
  "/emails",
  "/import",
  "/history",
  "/bin",
  "/webhooks",
  "/webhooks/new",
  `/webhooks/${webhook.id}`,
  "/sign-in",
  "/sign-in/new",
  "/settings",
  "/account",
  "/nowhere",
];

const addresses = complete ? everywhere : fullest;
const widths = complete ? [1440, 390, 320] : [390];
const viewport = { width: widths[0] ?? 0, height: 900 };

/** Names given by tests and the service: the organization, roles, keys, addresses, names of settings. */
const data =
  /My organization|Administrator|moderator|admin(?:istrator)?|operator|parley[\w.-]*|[\w.-]*example[\w.-]*|user_\d+|PUBLIC_URL|SMTP_URL|MAIL_FROM|roomCreated/g;

const lookAt = async (page: Page, where: string, faults: string[]): Promise<void> => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    // Some parts follow the new width a moment later.
    await page
      .waitForFunction(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
        undefined,
        { timeout: 3_000 },
      )
      .catch(() => {});
    const over = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    const { bare, cut } = await readPage(page);
    if (over > 0) faults.push(`${where} at ${width}: ${over} px too wide`);
    faults.push(...cut.map((what) => `${where} at ${width}: cut: ${what}`));
    if (width === widths[0]) {
      faults.push(...untranslated(bare, data).map((what) => `${where}: English: ${what}`));
    }
  }
};

test("P-LANG-7: in a longer language nothing on the console's pages is English, too wide or cut", async () => {
  const faults: string[] = [];
  await visit({ as: null, viewport }, async ({ page }) => {
    await speakPseudo(page);
    await page.goto("/");
    await page.locator('input[type="password"]').waitFor();
    await lookAt(page, "signed out", faults);
  });
  await visit({ viewport }, async ({ page }) => {
    await speakPseudo(page);
    for (const address of addresses) {
      await page.goto(address);
      await settled(page);
      await lookAt(page, address, faults);
    }
  });
  assert.deepEqual(faults, []);
});

test("P-LANG-7: in a longer language nothing before and inside a meeting is English, too wide or cut", async () => {
  const faults: string[] = [];
  await visit({ as: null, viewport }, async ({ page }) => {
    await speakPseudo(page);
    const { url } = await client.getRoomLink({ roomId: "99" });
    await page.goto(new URL(url).pathname);
    await page.getByRole("textbox").first().waitFor();
    await lookAt(page, "before a meeting", faults);
    await page.getByRole("textbox").first().fill("Γιώργος");
    await page.getByRole("button", { name: pseudoOf("Join"), exact: true }).click();
    await page
      .getByRole("button", { name: pseudoOf("Leave") })
      .first()
      .waitFor();
    await lookAt(page, "a meeting", faults);
  });
  assert.deepEqual(faults, []);
});
