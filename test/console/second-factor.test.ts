// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { codeOf, setUpApp } from "../access/factors.ts";
import { askAs } from "../world/ask.ts";
import { createPerson } from "./people.ts";
import { forgetProofs, noticed, press, signIn, startVisits } from "./visit.ts";

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

test("a proof is asked for over what somebody is doing, and neither a wrong code nor leaving the question loses it", async () => {
  const { username, password } = await createPerson(service, "Ada Asked", { admin: true });
  const { token } = await service.client.signIn({ login: username, password });
  const { secret, codes } = await setUpApp(askAs(service.url, token));
  const unused = codes.values();
  const { webhook } = await service.client.createWebhook({
    url: "https://a.example.org/",
    events: ["roomCreated"],
  });
  await service.client.editOrganization({ binDays: 30 });
  await visit({ as: null, failing: [403] }, async ({ page }) => {
    const proof = page.getByRole("dialog", { name: "Is it you?" });
    /** Leaves the question, sends again, and answers it with a wrong code and with a right one. */
    const prove = async (send: () => Promise<void>, refused: Locator): Promise<void> => {
      await forgetProofs(service);
      await send();
      await proof.waitFor();
      await press(page, "Escape");
      await proof.waitFor({ state: "detached" });
      await refused.getByText("Confirm that it is you, and try again.").waitFor();
      await send();
      await proof.getByLabel("Code").fill("000000");
      await proof.getByRole("button", { name: "Continue" }).click();
      await proof.getByText("This code is incorrect, or was used already.").waitFor();
      await proof.getByLabel("Code").fill(unused.next().value ?? "");
      await proof.getByRole("button", { name: "Continue" }).click();
      await proof.waitFor({ state: "detached" });
    };
    const content = page.locator("#content");
    await signIn(page, username, password);
    await page.getByLabel("Code").fill(codeOf(secret));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: /Your account:/ }).waitFor();

    await page.goto(`${service.url}/access-keys`);
    await page.getByRole("button", { name: "New access key" }).click();
    const asked = page.getByRole("dialog", { name: "New access key" });
    await asked.getByLabel("Name").fill("Booking page");
    await prove(() => asked.getByRole("button", { name: "Create the key" }).click(), asked);
    const made = page.getByRole("dialog", { name: "The access key is ready" });
    await made.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /Booking page/ }).waitFor();

    await page.goto(`${service.url}/webhooks/${webhook.id}/edit`);
    await page.getByRole("textbox", { name: "Address" }).fill("https://b.example.org/");
    await page.getByRole("textbox", { name: "Description" }).fill("Archive");
    await prove(() => page.getByRole("button", { name: "Save", exact: true }).click(), content);
    await noticed(page, "The webhook is saved.");

    await page.goto(`${service.url}/settings`);
    await page.getByLabel("Days in the recycle bin").fill("7");
    await prove(() => page.getByRole("button", { name: "Save settings" }).click(), content);
    await noticed(page, "The settings are saved.");

    await page.goto(`${service.url}/import`);
    const lines = ["email,name,admin", "plain@example.org,Pip Plain,", "new@example.org,Nia,true"];
    await page.getByLabel("Or paste its content").fill(lines.join("\n"));
    let isSent = false;
    const goOn = async () => {
      await page.getByRole("button", { name: isSent ? "Continue" : "Check the file" }).click();
      isSent = true;
    };
    await prove(goOn, content);
    await page.getByText("To create: 2").waitFor();
    await page.getByRole("row", { name: /Nia.*To create.*Administrator/ }).waitFor();
    assert.equal(await page.getByRole("row", { name: /Pip Plain.*Administrator/ }).count(), 0);
    const confirm = page.getByRole("button", { name: "Import 2 lines" });
    await prove(() => confirm.click(), content);
    await page.getByText("Created: 2").waitFor();
  });
  const [saved] = (await service.client.listWebhooks()).webhooks;
  assert.deepEqual([saved?.url, saved?.description], ["https://b.example.org/", "Archive"]);
  const { organization } = await service.client.getOrganization();
  assert.equal(organization.settings.binDays, 7);
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
