// Runs: sqlite, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { createPerson } from "./people.ts";
import { noticed, signIn, startVisits, unfold } from "./visit.ts";

const { service, visit } = await startVisits();
const heading = "My organization";

test("an administrator's session survives a reload and opens in a second tab", async () => {
  const { email: login, password } = service.admin;
  await visit({ as: { login, password } }, async ({ page, context }) => {
    await page.getByRole("heading", { name: heading }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: heading }).waitFor();
    const second = await context.newPage();
    await second.goto("/rooms");
    await second.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
    const kept = await page.evaluate(`({
      local: { ...localStorage },
      session: Object.keys(sessionStorage).filter((key) => !key.startsWith("react-router")),
      cookies: document.cookie,
    })`);
    assert.deepEqual(kept, { local: { "parley-session": "open" }, session: [], cookies: "" });
  });
});

test("a person signs in with the username", { skip: onlyComplete }, async () => {
  const ann = await createPerson(service, "Ann Name", { admin: true });
  await visit({ as: { login: ann.username, password: ann.password } }, async ({ page }) => {
    await page.getByRole("button", { name: "Your account: Ann Name" }).waitFor();
  });
});

test("a wrong password, a suspended account, a revoked account and an unavailable service each have a message", async () => {
  const sue = await createPerson(service, "Sue Spended");
  const rex = await createPerson(service, "Rex Voked");
  await service.client.suspendRestoreUser({ userId: sue.id, action: "suspend" });
  await service.client.revokeUsers([{ userId: rex.id }]);
  await visit({ as: null, failing: [401, 403, 502] }, async ({ page }) => {
    await signIn(page, sue.email, "not the password at all");
    await page.getByText("The email, username or password is incorrect.").waitFor();
    await signIn(page, sue.email, sue.password);
    await page.getByText("This account is suspended.").waitFor();
    await signIn(page, rex.email, rex.password);
    await page.getByText("This account was revoked.").waitFor();
    // A proxy answers in place of the service, which is being restarted.
    await page.route("**/api/session", (route) => route.fulfill({ status: 502, body: "" }));
    await signIn(page, rex.email, rex.password);
    await page.getByText("Parley cannot be reached.").waitFor();
    await page.unroute("**/api/session");
  });
});

test("after too many attempts the page says how long to wait", { skip: onlyComplete }, async () => {
  const guess = await createPerson(service, "Guessed At");
  const wrong = { login: guess.email, password: "not the password at all" };
  const guesser = createClient({ baseUrl: service.url });
  await visit({ as: null, failing: [401, 429] }, async ({ page }) => {
    // The allowance grows back while a slow browser tries.
    await until("the page is refused", async () => {
      await Promise.allSettled(Array.from({ length: 10 }, () => guesser.signIn(wrong)));
      const answered = page.waitForResponse("**/api/session");
      await signIn(page, wrong.login, wrong.password);
      return (await answered).status() === 429;
    });
    await page.getByText(/Too many tries\..*Try again in \d+ second/).waitFor();
  });
});

test("empty fields are reported before a request is sent", { skip: onlyComplete }, async () => {
  await visit({ as: null }, async ({ page }) => {
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(await page.getByText(/for administrators/i).count(), 0, "everybody signs in here");
    await page.getByText("Enter your email or username.").waitFor();
    await page.getByText("Enter your password.").waitFor();
  });
});

test("signing out ends the session in every tab, and a linked address opens after sign-in", async () => {
  const { email: login, password } = service.admin;
  await visit({ as: { login, password }, failing: [401] }, async ({ page, context }) => {
    const second = await context.newPage();
    await second.goto("/people");
    await second.getByRole("heading", { name: "People" }).waitFor();
    await page.getByRole("button", { name: /Your account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Password").waitFor();
    await second.getByLabel("Password").waitFor();
    await page.reload();
    await page.getByLabel("Password").waitFor();
    await page.goto("/rooms?sortBy=createdAt&sortOrder=DESC");
    await signIn(page, login, password);
    await page.getByRole("heading", { name: "Rooms", exact: true }).waitFor();
    assert.match(page.url(), /sortBy=createdAt/);
  });
});

test("a session that ends under an open form continues with what was typed, and shows it to nobody else", async () => {
  const eve = await createPerson(service, "Eve Ended", { admin: true });
  const ann = await createPerson(service, "Ann Other", { admin: true });
  const bob = await createPerson(service, "Bob Borrower");
  await visit(
    { as: { login: eve.email, password: eve.password }, failing: [401, 404] },
    async ({ page, context }) => {
      await page.getByRole("link", { name: "Rooms", exact: true }).click();
      await page.getByRole("link", { name: "New room" }).first().click();
      await unfold(page, "More about the room");
      await page.getByRole("list", { name: "Owners in order" }).getByText(eve.email).waitFor();
      await page.getByLabel("Name").fill("Half typed");
      const { password } = await service.client.resetPassword({ userId: eve.id });
      // Forced: the page may have sent a request in between, and already show the dialog.
      await page.getByRole("button", { name: "Create room" }).click({ force: true });
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await dialog.getByLabel("Password").fill(password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Name").inputValue(), "Half typed");
      await page.getByRole("button", { name: "Create room" }).click();
      await noticed(page, "Half typed is ready.");

      await page.getByRole("heading", { name: "Half typed" }).waitFor();
      await page.getByLabel("Name").fill("Typed by Eve");
      // As in another tab: the browser's cookie is hers now.
      const { email: login, password: hers } = ann;
      await context.request.post("/api/session", { data: { login, password: hers } });
      await service.client.resetPassword({ userId: eve.id });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: /Ann Other/ }).waitFor();
      await page.getByRole("heading", { name: "Half typed" }).waitFor();
      assert.equal(await page.getByLabel("Name").inputValue(), "Half typed");
      assert.equal((await service.client.listRooms({ search: "by eve" })).pagination.total, 0);

      await service.client.resetPassword({ userId: ann.id });
      await dialog.waitFor();
      await dialog.getByLabel("Email or username").fill(bob.email);
      await dialog.getByLabel("Password").fill(bob.password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
      assert.doesNotMatch(await page.content(), /Half typed|Typed by Eve/);
    },
  );
});

test("a person changes their password, and errors are shown at their fields", async () => {
  const pat = await createPerson(service, "Pat Word", { admin: true });
  await visit(
    { as: { login: pat.email, password: pat.password }, failing: [400, 403] },
    async ({ page }) => {
      const account = page.getByRole("button", { name: /Your account/ });
      await account.click();
      await page.getByRole("menuitem", { name: "Change my password" }).click();
      const dialog = page.getByRole("dialog", { name: "Change my password" });
      const change = dialog.getByRole("button", { name: "Change the password" });
      const [current, next, again] = ["Current password", "New password", "New password again"].map(
        (label) => dialog.getByLabel(label, { exact: true }),
      );
      await current?.fill("not my password");
      await next?.fill("an orchard in late autumn");
      await again?.fill("another orchard");
      await change.click();
      await dialog.getByText("The two new passwords are not the same.").waitFor();
      await again?.fill("an orchard in late autumn");
      await change.click();
      await dialog.getByText("The current password is incorrect.").waitFor();
      await current?.fill(pat.password);
      await next?.fill("short");
      await again?.fill("short");
      await change.click();
      await dialog.getByText(/^New password must be 15 to 256 characters long/).waitFor();
      await next?.fill("an orchard in late autumn");
      await again?.fill("an orchard in late autumn");
      await change.click();
      await noticed(page, "Your password is changed.");
      await page.reload();
      await page.getByRole("heading", { name: heading }).waitFor();
    },
  );
  await visit(
    { as: { login: pat.email, password: "an orchard in late autumn" } },
    async ({ page }) => {
      await page.getByRole("heading", { name: heading }).waitFor();
    },
  );
});

test("a person without admin reads their own rooms, and nothing else is offered", async () => {
  const ole = await createPerson(service, "Ole Owner");
  await service.client.createRoom({ name: "Ole's corner", roomOwnerId: ole.id });
  await service.client.createRoom({ name: "Somebody else's", roomOwnerId: service.adminId });
  await visit({ as: { login: ole.email, password: ole.password } }, async ({ page }) => {
    await page.getByRole("heading", { name: "My rooms" }).waitFor();
    await page.getByRole("link", { name: "Ole's corner", exact: true }).waitFor();
    assert.equal(await page.getByText("Somebody else's").count(), 0);
    assert.equal(await page.getByRole("link", { name: "New room" }).count(), 0);
    assert.equal(await page.getByRole("link", { name: "People" }).count(), 0);
    await page.getByRole("link", { name: "Ole's corner", exact: true }).click();
    await page.getByRole("heading", { name: "Ole's corner" }).waitFor();
    await page.getByRole("heading", { name: "Live stream" }).waitFor();
    await page.goto("/rooms/new");
    await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
    await page.goto("/people");
    await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
  });
});

test("owners create and edit rooms if the settings allow it, but hand none over", async () => {
  const una = await createPerson(service, "Una Owner");
  await visit({ at: "/settings" }, async ({ page }) => {
    await page.getByLabel("Owners may").selectOption("Edit and create rooms");
    await page.getByRole("button", { name: "Save settings" }).click();
    await noticed(page, "The settings are saved.");
  });
  await visit({ as: { login: una.email, password: una.password } }, async ({ page }) => {
    await page.getByRole("link", { name: "New room" }).first().click();
    await page.getByRole("heading", { name: "New room" }).waitFor();
    await page.getByLabel("Name").fill("Una's room");
    assert.equal(await page.getByText("Owners", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByRole("heading", { name: "Una's room" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
    await page.getByLabel("Name").fill("Una's hall");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Una's hall is saved.");
    await page.goto("/rooms");
    await page.getByRole("link", { name: "Una's hall", exact: true }).waitFor();
  });
  await service.client.editOrganization({ ownersMay: "nothing" });
});
