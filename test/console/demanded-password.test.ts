// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, setUpApp } from "../access/factors.ts";
import { askAs } from "../world/ask.ts";
import { createPerson } from "./people.ts";
import { noticed, signIn, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

const CHOSEN = "four quiet herons at dawn";

test("an administrator demands a new password, and the person chooses it at the sign-in", async () => {
  const { id, username, password } = await createPerson(service, "Priya Shah");
  const login = await client.signIn({ login: username, password });
  const { secret } = await setUpApp(askAs(service.url, login.token));
  await visit({ at: `/people/${id}` }, async ({ page }) => {
    await page.getByLabel("Must choose a new password").check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Priya Shah is saved.");
    await page.goto(`/people/${id}`);
    assert.ok(await page.getByLabel("Must choose a new password").isChecked());
    await page.locator("[data-tone=warn]", { hasText: "Must choose a new password" }).waitFor();
    // SHOT person
  });
  await visit({ as: null, failing: [403, 400] }, async ({ page }) => {
    await signIn(page, username, password);
    await page.getByLabel("Code").fill(codeOf(secret));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Choose a new password before you go on.").waitFor();
    // SHOT step
    const choose = async (next: string) => {
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("New password again").fill(next);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await choose(password);
    await page.getByText("New password must not be the current password").waitFor();
    await choose(CHOSEN);
    await page.getByRole("button", { name: /Your account:/ }).waitFor();
  });
  const { mustChoosePassword } = await client.findUsers({
    userIds: [id],
    withMustChoosePassword: true,
  });
  assert.deepEqual(mustChoosePassword, []);
});

test("a reset demands a new password where the administrator chooses so, or the settings", async () => {
  const { id } = await createPerson(service, "Tomas Berg");
  await visit({ at: `/people/${id}` }, async ({ page }) => {
    await page.getByRole("button", { name: "Reset password" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Must choose a new password").check();
    // SHOT reset
    await dialog.getByRole("button", { name: "Reset password" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.goto("/settings");
    const label = "Passwords that administrators set must be replaced at the next sign-in";
    await page.getByLabel(label).check();
    await page.getByRole("button", { name: "Save settings" }).click();
    await noticed(page, "The settings are saved.");
    // SHOT settings
  });
  const demanded = await client.findUsers({ userIds: [id], withMustChoosePassword: true });
  assert.deepEqual(demanded.mustChoosePassword, [id]);
  const { organization } = await client.getOrganization();
  assert.equal(organization.settings.mustChoosePassword, true);
});
