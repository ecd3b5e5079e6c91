// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENT, startProvider } from "../sign-in/provider.ts";
import { readPage } from "./pseudo.ts";
import { settled, startVisits } from "./visit.ts";

/* Somebody whose browser is Japanese signs in by the provider, meets, and reads no English. */

const { service, visit } = await startVisits({ ALLOWED_NETWORKS: "loopback" });
const provider = await startProvider(test);

/** Names of people, organizations, products and formats stay as they are. */
const NAMES =
  /Parley|大学|My organization|\S*@\S*|https?:\S+|user_\d+|Ctrl|\b(?:API|ID|OK|CSV|URL|AM|PM|GMT|UTC|JST)\b/g;

const english = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => /[A-Za-z]{2}/.test(text.replace(NAMES, "")));

test("P-LANG-8: somebody with a Japanese browser signs in by a provider, meets, and reads no English", async () => {
  const { client } = service;
  const made = await client.createProvider({
    name: "大学",
    issuer: provider.issuer,
    domains: ["uni.example"],
    createsAccounts: true,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
  });
  provider.register(made.provider.redirectAddress);
  provider.who = "hanako";
  const account = { email: "hanako@uni.example", email_verified: true, name: "山田花子" };
  provider.accounts.set("hanako", account);
  const { roomSetting } = await client.createRoom({
    name: "ゼミ",
    roomOwnerId: service.adminId,
  });
  const { url } = await client.getRoomLink({ roomId: roomSetting.room });
  const read = async (page: Parameters<typeof readPage>[0], where: string) => {
    const { bare } = await readPage(page);
    assert.ok(
      bare.some((text) => /[\u3040-\u30ff]/.test(text)),
      `${where} is not Japanese`,
    );
    assert.deepEqual(english(bare), [], where);
  };
  await visit({ as: null, locale: "ja-JP" }, async ({ page }) => {
    await page.locator('input[type="password"]').waitFor();
    await read(page, "the sign-in");
    await page.getByRole("link", { name: /大学/ }).click();
    await settled(page);
    await read(page, "the first page");
    await page.goto(new URL(url).pathname);
    await page.getByRole("textbox").first().waitFor();
    await read(page, "before the meeting");
    await page.getByRole("button", { name: "参加", exact: true }).click();
    await page.getByRole("button", { name: "退出" }).waitFor();
    await read(page, "the meeting");
  });
});
