// Runs: sqlite, pages, first
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setUpApp } from "../access/factors.ts";
import { keepsSessions } from "../twins/second-factors.ts";
import { testTwin } from "../twins/test-twin.ts";
import { askAs } from "../world/ask.ts";
import { bareTexts } from "./looks.ts";
import { createPerson } from "./people.ts";
import { clipboardOf, focused, noticed, press, signIn, startVisits, type Visits } from "./visit.ts";

const own = await startVisits();
const { service, visit } = own;
const { client } = service;
const roles = "admin,moderator,producer";

const stateOf = async (name: string) =>
  (await client.listUsers({ role: roles, search: name })).users[0];

test("a new person's username and password are shown once, and sign in", async () => {
  let username = "";
  let password = "";
  await visit({ at: "/people" }, async ({ page }) => {
    await page.getByRole("link", { name: "New person" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Nia New");
    await page.getByRole("textbox", { name: "Email" }).fill("nia@example.org");
    await page.getByRole("combobox", { name: "Role" }).fill("producer");
    await page.getByRole("switch", { name: "Administrator" }).check();
    await page.getByRole("combobox", { name: "Tags" }).fill("sales");
    await page.getByRole("combobox", { name: "Tags" }).press("Enter");
    await page.getByRole("button", { name: "Create person" }).click();
    const dialog = page.getByRole("dialog", { name: "Nia New can sign in" });
    await dialog.getByText("The password is shown only this once.").waitFor();
    await dialog.getByText("No email is sent, because SMTP_URL is not set.").waitFor();
    assert.equal(await dialog.getByText("on its way").count(), 0);
    await press(page, "Escape");
    await dialog.getByRole("button", { name: "Copy both" }).click();
    [username = "", password = ""] = (await clipboardOf(page)).split("\n");
    await dialog.getByText(password).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /Nia New/ }).waitFor();
    // A new role is suggested at once.
    await page.getByRole("combobox", { name: "Roles" }).click();
    await page.getByRole("option", { name: "producer" }).waitFor();
  });
  const nia = await stateOf("Nia New");
  assert.deepEqual([nia?.role, nia?.admin, nia?.tags], ["producer", true, ["sales"]]);
  await visit({ as: { login: username, password } }, async ({ page }) => {
    await page.getByRole("heading", { name: "My organization" }).waitFor();
  });
});

test("refusals appear at a person's fields", async () => {
  await visit({ at: "/people/new", failing: [400, 409] }, async ({ page }) => {
    await page.getByRole("button", { name: "Create person" }).click();
    await page.getByText("Email and name are required to create a new user.").first().waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Twin");
    await page.getByRole("textbox", { name: "Email" }).fill(service.admin.email);
    await page.getByRole("button", { name: "Create person" }).click();
    await page.getByText("Email already exists. Try again with a different email.").waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "Email" }).getAttribute("aria-invalid"),
      "true",
    );
  });
});

test("a person is edited, and the page shows the rooms that the person owns", async () => {
  const eli = await createPerson(service, "Eli Edited");
  await client.createRoom({ name: "Eli's hall", roomOwnerId: eli.id });
  await visit({ at: "/people?search=eli" }, async ({ page }) => {
    await page
      .getByRole("row", { name: /Eli Edited/ })
      .getByRole("link", { name: "1 room" })
      .waitFor();
    await page.getByRole("link", { name: "Eli Edited" }).click();
    await page.getByRole("link", { name: "Eli's hall" }).waitFor();
    await page.getByLabel("Location").fill("Oslo");
    await page.getByRole("textbox", { name: "Name" }).fill("Eli Changed");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Eli Changed is saved.");
    await page.reload();
    await page.getByRole("heading", { name: "Eli Changed" }).waitFor();
    assert.equal(await page.getByLabel("Location").inputValue(), "Oslo");
  });
});

test("a password is reset, and the new one is shown once and signs in", async () => {
  const pia = await createPerson(service, "Pia Password", { admin: true });
  let password = "";
  await visit({ at: `/people/${pia.id}` }, async ({ page }) => {
    await page.getByRole("button", { name: "Reset password" }).click();
    await page
      .getByRole("dialog", { name: /new password\?/ })
      .getByRole("button", { name: "Reset password" })
      .click();
    const dialog = page.getByRole("dialog", { name: "Pia Password has a new password" });
    await dialog.getByRole("button", { name: "Copy Password" }).click();
    password = await clipboardOf(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await focused(page, "#account button");
  });
  await visit({ as: null }, async ({ page }) => {
    await signIn(page, pia.username, password);
    await page.getByRole("heading", { name: "My organization" }).waitFor();
  });
});

const promoting = async ({ service, visit }: Visits): Promise<void> => {
  const { client } = service;
  const { id, username, password } = await createPerson(service, "Rae Raised");
  const planted = askAs(service.url, (await client.signIn({ login: username, password })).token);
  await setUpApp(planted);
  await visit({ at: `/people/${id}` }, async ({ page }) => {
    await page.locator("#ways").getByText("Authenticator app").waitFor();
    await page
      .locator("#ways")
      .getByText(/^Person created · .* · /)
      .waitFor();
    await page.getByLabel("Administrator").click();
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("dialog", { name: "Make Rae Raised an administrator?" });
    await question.getByText("1 open session").waitFor();
    await question.getByLabel("End these ways").check();
    await question.getByRole("button", { name: "Save changes" }).click();
    await page
      .getByRole("dialog", { name: "Rae Raised has a new password" })
      .getByRole("button", { name: "Done" })
      .click();
    await page.locator("#ways").getByText("Authenticator app").waitFor({ state: "detached" });
    await page
      .locator("#ways")
      .getByText(/^Password reset · .* · Administrator$/)
      .waitFor();
  });
  assert.equal((await client.findUsers({ userIds: [id] })).users[0]?.admin, true);
  assert.equal((await planted("whoAmI")).status, 401);
  await assert.rejects(client.signIn({ login: username, password }), { code: "wrong_login" });
};

test("before somebody becomes an administrator, the ways into the account are shown and can be ended", () =>
  promoting(own));

testTwin(
  "a twin that keeps the sessions of an account whose ways are ended is detected",
  async () =>
    assert.rejects(promoting(await startVisits({}, keepsSessions)), { code: "ERR_ASSERTION" }),
  { onSqlite: true },
);

test("roles filter the list, all of them by default, and the address bar keeps them", async () => {
  await createPerson(service, "Ro Producer", { role: "producer" });
  await createPerson(service, "Ro Moderator", { role: "moderator" });
  await visit({ at: "/people?search=ro " }, async ({ page }) => {
    await page.getByText("1–2 of 2 people").waitFor();
    await page.getByRole("combobox", { name: "Roles" }).click();
    await page.getByRole("option", { name: "producer" }).click();
    await page.getByText("1 of 1 person").waitFor();
    assert.match(page.url(), /role=producer/);
    await page.reload();
    await page.getByRole("row", { name: /Ro Producer/ }).waitFor();
    assert.equal(await page.getByText("Ro Moderator").count(), 0);
  });
});

test("the filters of people are in the address and survive a reload", async () => {
  const sus = await createPerson(service, "Fil Suspended", { admin: true });
  await createPerson(service, "Fil Plain");
  await createPerson(service, "Fil Chief", { admin: true });
  await client.suspendRestoreUser({ userId: sus.id, action: "suspend" });
  await visit({ at: "/people?search=fil " }, async ({ page }) => {
    const state = page.getByRole("combobox", { name: "State" });
    const admins = page.getByRole("combobox", { name: "Administrators" });
    await page.getByText("1–3 of 3 people").waitFor();
    await admins.selectOption("true");
    await page.getByText("1–2 of 2 people").waitFor();
    await state.selectOption("suspended");
    await page.getByText("1 of 1 person").waitFor();
    for (const again of [() => page.reload(), () => page.goto(page.url())]) {
      await again();
      await page.getByRole("row", { name: /Fil Suspended/ }).waitFor();
      await page.getByText("1 of 1 person").waitFor();
      assert.equal(await state.inputValue(), "suspended");
      assert.equal(await admins.inputValue(), "true");
    }
  });
});

test("no action that would lock the signed-in person out is offered", async () => {
  await visit({ at: "/people" }, async ({ page }) => {
    assert.equal(await page.getByLabel("Select Administrator").isDisabled(), true);
    await page.getByRole("button", { name: "Actions for Administrator" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Suspend" }).count(), 0);
    assert.equal(await page.getByRole("menuitem", { name: "Revoke" }).count(), 0);
  });
});

test("an export has all pages of the people shown", async () => {
  await visit({ at: "/people?limit=10&sortBy=createdAt" }, async ({ page }) => {
    await createPerson(service, "Giulia", { language: "it" });
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const lines = (await readFile(await (await downloading).path(), "utf8")).split("\r\n");
    const { total } = (await client.listUsers({ role: roles })).pagination;
    assert.equal(lines.length, 1 + total);
    assert.match(lines[0] ?? "", /^\uFEFFid,email,name,/);
    assert.match(lines[0] ?? "", /,language$/);
    assert.match(lines[1] ?? "", /Administrator/);
    assert.ok(lines.some((line) => /Giulia.*,it$/.test(line)));
  });
});

test("right-to-left text is isolated on every page, in dialogs, notices and titles", async () => {
  const foreign = "\u05d0\u05d1\u05d2 1";
  const nobody = await createPerson(service, foreign);
  await client.deleteUsers([(await revoked(foreign)).id]);
  const person = await createPerson(service, foreign, { role: foreign });
  const { id: userId } = person;
  await client.editUser({ userId, location: foreign, tags: [foreign, "b"] });
  const made = { name: foreign, roomOwnerId: `${userId},${service.adminId}`, roomAgenda: foreign };
  const { room } = (await client.createRoom(made)).roomSetting;
  await client.createAccessKey({ name: foreign });
  const hook = { url: "https://example.org/", events: ["roomCreated" as const] };
  const { webhook } = await client.createWebhook({ ...hook, description: foreign });
  const pages = [
    "/",
    "/people",
    "/people/revoked",
    `/people/${userId}`,
    `/people/${nobody.id}`,
    "/rooms",
    `/rooms/${room}`,
    `/rooms/${room}/meetings`,
    `/rooms/new?from=${room}`,
    "/history",
    "/access-keys",
    "/webhooks",
    `/webhooks/${webhook.id}`,
    "/emails",
    "/bin",
  ];
  await visit({ failing: [404] }, async ({ page }) => {
    const found: (readonly [string, readonly string[]])[] = [];
    for (const at of pages) {
      await page.goto(at);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const bare = await bareTexts(page, foreign);
      if (bare.length > 0) found.push([at, bare]);
    }
    assert.deepEqual(found, []);
    await page.goto("/rooms");
    await page.getByRole("row", { name: foreign }).getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText(foreign).first().waitFor();
    assert.deepEqual(await bareTexts(page, foreign), []);
    await page.getByRole("dialog").getByRole("button", { name: "Delete room" }).click();
    await page.getByRole("status").getByText("is deleted.").waitFor();
    assert.deepEqual(await bareTexts(page, foreign), []);
  });
});

/** A person of this name, revoked. */
const revoked = async (name: string) => {
  const [one] = (await client.listUsers({ role: roles, search: name })).users;
  assert.ok(one);
  await client.revokeUsers([{ userId: one.id }]);
  return one;
};
