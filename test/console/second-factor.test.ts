// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { codeOf } from "../access/factors.ts";
import { createPerson } from "./people.ts";
import { forgetProofs, noticed, signIn, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();

/** Sets up an app in the page that shows the second factor. @returns its secret and the recovery codes */
const setUp = async (page: Page) => {
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  const secret = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
  await page.getByRole("dialog").getByLabel("Code", { exact: true }).fill(codeOf(secret, -1));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.getByRole("dialog").locator("li code").allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole("button", { name: "Done" }).click();
  return { secret, codes };
};

test("a person sets up an app, signs in with its code, and removes it", async () => {
  const { username, password } = await createPerson(service, "Priya Shah");
  await visit(
    { as: { login: username, password }, at: "/account", failing: [403, 401] },
    async ({ page }) => {
      const { secret, codes } = await setUp(page);
      await page.getByText("10 recovery codes left.").waitFor();
      await page.getByRole("button", { name: /Your account:/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await signIn(page, username, password);
      await page.getByLabel("Code").fill("000000");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("This code is incorrect, or was used already.").waitFor();
      await page.getByLabel("Code").fill(codeOf(secret));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: /Your account:/ }).waitFor();
      // As if the sign-in were a while ago: the removal asks for a proof first.
      await forgetProofs(service);
      await page.goto(`${service.url}/account`);
      await page.getByRole("button", { name: "Remove the app" }).click();
      await page.getByRole("heading", { name: "Is it you?" }).waitFor();
      await page
        .getByRole("dialog")
        .getByLabel("Code")
        .fill(codes[0] ?? "");
      await page.getByRole("button", { name: "Continue" }).click();
      await noticed(page, "The app is removed.");
    },
  );
});

test("a person whose organization demands a second factor is led to set it up", async () => {
  await service.client.editOrganization({ secondFactorFor: "everybody" });
  const { username, password } = await createPerson(service, "Tomas Berg");
  await visit({ as: null, failing: [403] }, async ({ page }) => {
    await signIn(page, username, password);
    await page.getByRole("heading", { name: "Set up your second factor" }).waitFor();
    await setUp(page);
    await page.getByRole("button", { name: /Your account:/ }).waitFor();
  });
});

test("a person who forgot the password asks for a link", async () => {
  await visit({ as: null }, async ({ page }) => {
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email or username").fill(service.admin.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
  });
});
