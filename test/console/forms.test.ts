// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { createPerson } from "./people.ts";
import { noticed, press, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

/** Two clicks within one task: the page's state cannot change between them. */
const clickTwice = (label: string): string => `(() => {
  const button = [...document.querySelectorAll("button")].find(
    (one) => one.textContent.trim() === ${JSON.stringify(label)});
  button.click();
  button.click();
})()`;

test("a double click creates one room, one person and one access key", async () => {
  await visit({ at: "/rooms/new" }, async ({ page }) => {
    await page.getByLabel("Name").fill("Only one");
    await page.evaluate(clickTwice("Create room"));
    await noticed(page, "Only one is ready.");
  });
  assert.equal((await client.listRooms({ search: "Only one" })).pagination.total, 1);

  const keysBefore = (await client.listAccessKeys()).accessKeys.length;
  const requests: string[] = [];
  await visit({ at: "/people/new" }, async ({ page }) => {
    page.on("request", (request) => {
      if (request.method() === "POST" && /orgUser$|accessKey$/.test(request.url()))
        requests.push(new URL(request.url()).pathname);
    });
    await page.getByRole("textbox", { name: "Name" }).fill("Only One");
    await page.getByRole("textbox", { name: "Email" }).fill("only.one@example.org");
    await page.evaluate(clickTwice("Create person"));
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.getByRole("link", { name: "Access keys" }).click();
    await page.getByRole("heading", { name: "Access keys" }).waitFor();
    await page.getByRole("button", { name: "New access key" }).click();
    await page.getByLabel("Scope").waitFor();
    await page.evaluate(clickTwice("Create the key"));
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  });
  assert.deepEqual(requests, ["/api/user/orgUser", "/api/accessKey"]);
  assert.equal((await client.listAccessKeys()).accessKeys.length, keysBefore + 1);
});

test("a save without changes sends nothing, and text typed during a save is kept", async () => {
  const { room } = (await client.createRoom({ name: "Same", roomOwnerId: service.adminId }))
    .roomSetting;
  await visit({ at: `/rooms/${room}` }, async ({ page }) => {
    await page.getByText("No unsaved changes").waitFor();
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") sent += 1;
    });
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByLabel("Agenda").fill("Changed");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Same is saved.");
    assert.equal(sent, 1);

    const held = Promise.withResolvers<void>();
    await page.route("**/api/roomSetting*", async (route) => {
      if (route.request().method() === "PUT") await held.promise;
      await route.continue();
    });
    await page.getByLabel("Agenda").fill("Sent");
    await page.getByRole("button", { name: "Save changes" }).click();
    const busy = page.locator("[data-save-bar] button[data-loading]");
    await busy.waitFor();
    await page.getByLabel("Agenda").fill("Typed meanwhile");
    held.resolve();
    await busy.waitFor({ state: "detached" });
    const agenda = async () => (await client.fetchRoom({ id: room })).roomSetting.roomAgenda;
    assert.equal(await agenda(), "Sent");
    await page.getByText("Unsaved changes", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Agenda").inputValue(), "Typed meanwhile");
    await page.getByRole("button", { name: "Save changes" }).click();
    await until("it is saved too", async () => (await agenda()) === "Typed meanwhile");
  });
});

for (const height of [860, 400]) {
  test(`a notice covers neither Save nor Cancel in a window ${height} px high`, async () => {
    const person = await createPerson(service, `Nora Notice ${height}`);
    const viewport = { width: 390, height };
    await visit({ at: `/people/${person.id}`, viewport }, async ({ page }) => {
      await page.getByLabel("Location").fill("Oslo");
      await page.getByRole("button", { name: "Save changes" }).click();
      await noticed(page, "is saved.");
      for (const to of ["0", "document.body.scrollHeight"]) {
        await page.evaluate(`scrollTo(0, ${to})`);
        const over = await page.evaluate<boolean>(`(() => {
          const notice = document.querySelector("[aria-live=polite] > div").getBoundingClientRect();
          return [...document.querySelectorAll("[data-save-bar] button, [data-save-bar] a")]
            .map((button) => button.getBoundingClientRect())
            .some((at) => at.top < notice.bottom && at.bottom > notice.top);
        })()`);
        assert.equal(over, false);
      }
    });
  });
}

test("dates are shown in the language of the page and typed in the browser's time zone", async () => {
  const profile = { locale: "de-DE", timezoneId: "Europe/Berlin" };
  await visit({ at: "/people", ...profile }, async ({ page }) => {
    const created = page.getByRole("row", { name: /Administrator/ }).locator("time");
    const iso = (await created.getAttribute("datetime")) ?? "";
    const german = new Intl.DateTimeFormat("de-DE", {
      dateStyle: "medium",
      timeZone: profile.timezoneId,
    }).format(new Date(iso));
    assert.equal(await created.textContent(), german);
    await page.getByRole("heading", { name: "Personen" }).waitFor();

    await page.getByRole("link", { name: "Zugriffsschlüssel" }).click();
    await page.getByRole("button", { name: "Neuer Zugriffsschlüssel" }).click();
    const ends = page.getByLabel("Läuft ab");
    await ends.fill("2026-01-05T10:00");
    await ends.focus();
    await press(page, "Tab");
    await press(page, "Tab");
    // The years 2, 20, 202 and 2027; the first three are from before standard time.
    for (const digit of "2027") await press(page, digit);
    assert.equal(await ends.inputValue(), "2027-01-05T10:00");
    await ends.fill("20271-01-05T10:00");
    assert.equal(await ends.inputValue(), "2027-01-05T10:00");
  });
});

test("without a mail server every page and dialog says that emails are not sent", async () => {
  const person = await createPerson(service, "Mara Mail");
  await visit({ at: `/people/${person.id}` }, async ({ page }) => {
    const banner = page.getByRole("note");
    await banner.getByText("SMTP_URL").waitFor();
    await page.getByRole("button", { name: "Reset password" }).click();
    const dialog = page.getByRole("dialog", { name: /new password\?/ });
    await dialog.getByText("No email is sent, because SMTP_URL is not set.").waitFor();
    await dialog.getByRole("button", { name: "Reset password" }).click();
    await page
      .getByRole("dialog", { name: "Mara Mail has a new password" })
      .getByText("hand it over yourself")
      .waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    for (const name of ["Overview", "Rooms", "Access keys", "Emails"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      assert.equal(await banner.count(), 1, name);
    }
    await page.getByText("Written to a file", { exact: true }).first().waitFor();
    assert.equal(await page.getByText("Sent", { exact: true }).locator("visible=true").count(), 0);
  });
});

test("people are filtered by state and administrator, and the address bar keeps the filters", async () => {
  const role = "filtered";
  const sue = await createPerson(service, "Sue Suspended", { role });
  await createPerson(service, "Amy Admin", { role, admin: true });
  await client.suspendRestoreUser({ userId: sue.id, action: "suspend" });
  await visit({ at: `/people?role=${role}` }, async ({ page }) => {
    await page.getByText("1–2 of 2 people").waitFor();
    await page.getByLabel("State", { exact: true }).selectOption("suspended");
    await page.getByText("1 of 1 person").waitFor();
    await page.getByRole("row", { name: /Sue Suspended/ }).waitFor();
    assert.match(page.url(), /state=suspended/);
    await page.getByLabel("Administrators").selectOption("Administrators only");
    await page.getByRole("heading", { name: "Nobody matches" }).waitFor();
    await page.getByLabel("State", { exact: true }).selectOption("Any state");
    await page.getByRole("row", { name: /Amy Admin/ }).waitFor();
    assert.match(page.url(), /admin=true/);
  });
});
