// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { createPerson } from "./people.ts";
import { noticed, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const role = "admin,moderator";

test("a person is suspended, restored by undo, suspended again and restored", async () => {
  const sam = await createPerson(service, "Sam Suspended");
  await visit({ at: "/people?search=sam" }, async ({ page }) => {
    const row = page.getByRole("row", { name: /Sam Suspended/ });
    const menu = page.getByRole("button", { name: "Actions for Sam Suspended" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Suspend" }).click();
    await noticed(page, "Sam Suspended is suspended.");
    await row.getByText("Suspended", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await noticed(page, "Sam Suspended can sign in again.");
    await row.getByText("Active", { exact: true }).waitFor();
    await menu.click();
    await page.getByRole("menuitem", { name: "Suspend" }).click();
    await row.getByText("Suspended", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Sam Suspended" }).click();
    await page.getByRole("button", { name: "Restore" }).click();
    await noticed(page, "Sam Suspended can sign in again.");
    await page.getByRole("button", { name: "Suspend", exact: true }).waitFor();
  });
  assert.equal((await client.findUsers({ userIds: [sam.id] })).users[0]?.accountSuspended, false);
});

test("several people are suspended, get another role and are restored at once", async () => {
  const names = ["Zo One", "Zo Two"];
  for (const name of names) await createPerson(service, name);
  await visit({ at: "/people?search=zo%20" }, async ({ page }) => {
    const select = async () => {
      for (const name of names) await page.getByLabel(`Select ${name}`).check();
    };
    await select();
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Suspend 2 people?" });
    await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
    await noticed(page, "2 people suspended.");
    await page
      .getByRole("row", { name: /Zo Two/ })
      .getByText("Suspended")
      .waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await noticed(page, "2 people can sign in again.");
    await page
      .getByRole("row", { name: /Zo Two/ })
      .getByText("Active")
      .waitFor();
    await select();
    await page.getByRole("button", { name: "Change role" }).click();
    const asked = page.getByRole("dialog", { name: "Change the role of 2 people" });
    await asked.getByLabel("Role").fill("panelist");
    await asked.getByRole("button", { name: "Change role" }).click();
    await noticed(page, "2 people are now panelist.");
    await page
      .getByRole("row", { name: /Zo One/ })
      .getByText("panelist")
      .waitFor();
    assert.equal(await page.getByText("2 selected").count(), 0);
  });
  const listed = await client.listUsers({ role: "panelist" });
  assert.deepEqual(listed.users.map(({ name }) => name).sort(), names);
});

test("several people are revoked at once, restored by undo, revoked again and deleted permanently", async () => {
  for (const name of ["Mo One", "Mo Two", "Mo Three"]) await createPerson(service, name);
  await visit({ at: "/people?search=mo" }, async ({ page }) => {
    const revoke = async () => {
      for (const name of ["Mo One", "Mo Two", "Mo Three"])
        await page.getByLabel(`Select ${name}`).check();
      await page.getByText("3 selected").waitFor();
      await page.getByRole("button", { name: "Revoke", exact: true }).click();
      await page
        .getByRole("dialog", { name: "Revoke 3 people?" })
        .getByRole("button", { name: "Revoke 3 people" })
        .click();
      await noticed(page, "3 people revoked.");
    };
    await revoke();
    await page.getByRole("button", { name: "Undo" }).click();
    await noticed(page, "3 people active again.");
    await page.getByRole("row", { name: /Mo Two/ }).waitFor();
    await revoke();
    await page.getByRole("link", { name: "Revoked" }).click();
    await page.getByRole("row", { name: /Mo One/ }).waitFor();
    await page.getByRole("button", { name: "Actions for Mo One" }).click();
    await page.getByRole("menuitem", { name: "Reactivate" }).click();
    await noticed(page, "Mo One is active again.");
    await page.getByRole("row", { name: /Mo One/ }).waitFor({ state: "detached" });

    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Delete permanently" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 people permanently?" });
    const confirm = dialog.getByRole("button", { name: "Delete permanently" });
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel("Type delete to confirm").fill("delete");
    await confirm.click();
    await noticed(page, "2 people deleted permanently.");
    await page.getByRole("heading", { name: "Nobody is revoked" }).waitFor();
  });
  assert.equal((await client.listRevokedUsers({ role, search: "mo " })).pagination.total, 0);
});

test("a question that is closed before its answer leaves the next one open, and its failure is a notice", async () => {
  for (const name of ["Lu One", "Lu Two", "Lu Three"]) await createPerson(service, name);
  await visit({ at: "/people?search=lu%20", failing: [503] }, async ({ page }) => {
    /** Confirms the suspension of two people, and closes the question while the request is held. */
    const suspend = async (): Promise<Route> => {
      const held = Promise.withResolvers<Route>();
      await page.route("**/api/user/suspendRestoreOrgUsers", held.resolve, { times: 1 });
      for (const name of ["Lu One", "Lu Two"]) await page.getByLabel(`Select ${name}`).check();
      await page.getByRole("button", { name: "Suspend", exact: true }).click();
      const question = page.getByRole("dialog", { name: "Suspend 2 people?" });
      await question.getByRole("button", { name: "Suspend", exact: true }).click();
      const route = await held.promise;
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      return route;
    };
    const failing = await suspend();
    const error = { success: false, message: "Database connection error" };
    await failing.fulfill({ status: 503, json: { ...error, code: "database_connection" } });
    await noticed(page, "Database connection error");

    const succeeding = await suspend();
    await page.getByLabel("Select Lu Three").check();
    await page.getByRole("button", { name: "Change role" }).click();
    const next = page.getByRole("dialog", { name: "Change the role of 3 people" });
    await next.getByLabel("Role").fill("panelist");
    await succeeding.continue();
    await noticed(page, "2 people suspended.");
    assert.equal(await next.getByLabel("Role").inputValue(), "panelist");
    await next.getByRole("button", { name: "Cancel" }).click();
    await next.waitFor({ state: "detached" });
    await page.getByText("1 selected").waitFor();
  });
});

test("a refused bulk action names the person it was refused for, and says that nothing was changed", async () => {
  await createPerson(service, "Bo Fine");
  const gone = await createPerson(service, "Bo Gone");
  await visit({ at: "/people?search=bo ", failing: [404] }, async ({ page }) => {
    await page.getByLabel("Select Bo Fine").check();
    await page.getByLabel("Select Bo Gone").check();
    await client.revokeUsers([{ userId: gone.id }]);
    await client.deleteUsers([gone.id]);
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByRole("button", { name: "Revoke 2 people" }).click();
    await page.getByText("User not found.").waitFor();
    await page.getByText("Refused for: Bo Gone.").waitFor();
    await page.getByText("Nothing was changed.").waitFor();
  });
  assert.equal(
    (await client.listUsers({ role, search: "Bo Fine" })).users[0]?.accountDeleted,
    false,
  );
});
