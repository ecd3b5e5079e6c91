// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { SMTPServer } from "smtp-server";
import { createClient } from "../../contract/client.ts";
import { until } from "../world/process.ts";
import { createPerson } from "./people.ts";
import { clipboardOf, focused, noticed, startVisits } from "./visit.ts";

let refusing = true;
let isSenderDenied = false;
const mail = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onMailFrom: (_, __, done) =>
    done(
      isSenderDenied ? Object.assign(new Error("5.7.60 Not yours"), { responseCode: 550 }) : null,
    ),
  onRcptTo: (_, __, done) =>
    done(refusing ? Object.assign(new Error("No such mailbox here"), { responseCode: 550 }) : null),
  onData: (stream, _, done) => {
    stream.resume();
    stream.on("end", () => done());
  },
});
mail.listen(0, "127.0.0.1");
await once(mail.server, "listening");
after(() => new Promise<void>((resolve) => mail.close(resolve)));

const { port } = mail.server.address() as AddressInfo;
const { service, visit } = await startVisits({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: "Parley <parley@example.org>",
});

test("an access key's secret is shown once and works; once the key is removed, it no longer works", async () => {
  let keyAndSecret = { accessKey: "", secretAccessKey: "" };
  const guest = createClient({ baseUrl: service.url });
  await visit({ at: "/access-keys", failing: [400] }, async ({ page }) => {
    await page.getByRole("button", { name: "New access key" }).click();
    const asked = page.getByRole("dialog", { name: "New access key" });
    await asked.getByLabel("Name").fill("Booking page");
    await asked.getByLabel("Scope").selectOption("Rooms");
    await asked.getByText("changes rooms, meetings and recordings").waitFor();
    await asked.getByLabel("Ends").fill("2020-01-01T12:00");
    await asked.getByRole("button", { name: "Create the key" }).click();
    await asked.getByText("Ends must be in the future").waitFor();
    await asked.getByLabel("Ends").fill("2999-01-01T12:00");
    await asked.getByRole("button", { name: "Create the key" }).click();
    const dialog = page.getByRole("dialog", { name: "The access key is ready" });
    await dialog.getByText("shown only this once").waitFor();
    await dialog.getByRole("button", { name: "Copy Access key", exact: true }).click();
    const accessKey = await clipboardOf(page);
    await dialog.getByRole("button", { name: "Copy Secret access key" }).click();
    keyAndSecret = { accessKey, secretAccessKey: await clipboardOf(page) };
    assert.equal((await guest.getAuthToken(keyAndSecret)).authToken.ok, true);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.getByText(keyAndSecret.secretAccessKey).count(), 0);
    const row = page.getByRole("row", { name: /Booking page/ });
    await row.getByText("Rooms").waitFor();
    await row.getByText(/2999/).waitFor();
    await page.getByRole("button", { name: "Edit Booking page" }).click();
    const editing = page.getByRole("dialog", { name: "Edit the access key" });
    await editing.getByLabel("Scope").selectOption("Read");
    await editing.getByLabel("Name").fill("Reporting");
    await editing.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "The access key is saved.");
    const renamed = page.getByRole("row", { name: /Reporting/ });
    await renamed.getByText("Read", { exact: true }).waitFor();
    const { accessKeys } = await service.client.listAccessKeys();
    const edited = accessKeys.find((key) => key.accessKey === accessKey);
    assert.deepEqual([edited?.scope, edited?.expiresAt?.slice(0, 4)], ["read", "2999"]);
    await page.getByRole("button", { name: "Remove Reporting" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await noticed(page, "The access key is removed.");
    await focused(page, "h1");
  });
  await assert.rejects(guest.getAuthToken(keyAndSecret));
});

test("a refused email is on the overview and in the list, can be retried, and links to its person", async () => {
  const lea = await createPerson(service, "Lea Letter");
  const refusedNow = async () =>
    (await service.client.getOrganization()).organization.letters.refused;
  await until("an email is refused", async () => (await refusedNow()) > 0);
  refusing = false;
  await visit({}, async ({ page }) => {
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText(/emails? (was|were) refused\./).waitFor();
    await attention.getByRole("link", { name: "See the emails" }).click();
    const row = page.getByRole("row", { name: new RegExp(lea.email) });
    await row.getByText("Refused").waitFor();
    await row.getByText(/No such mailbox here/).waitFor();
    assert.equal(await page.getByText(lea.password).count(), 0, "never the content");
    await row.getByRole("button", { name: `Try again: the email to ${lea.email}` }).click();
    await noticed(page, `Parley is trying to send the email to ${lea.email} again.`);
    const sent = () => service.client.listLetters({ state: "sent" });
    await until("the email is sent", async () => (await sent()).letters.length > 0);
    await page.getByLabel("State").selectOption("sent");
    await row.getByText("Sent").waitFor();
    await page.getByLabel("Search emails by recipient").fill("nobody at all");
    await page.getByRole("heading", { name: "No email matches" }).waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByLabel("Search emails by recipient").fill(lea.email.toUpperCase());
    await page.waitForURL(/search=/);
    await page.getByText("1 of 1 email").waitFor();
    assert.equal(await page.getByRole("note").count(), 0);
    await row.getByRole("link", { name: lea.email }).click();
    await page.getByRole("heading", { name: "Lea Letter" }).waitFor();
    await page.goto("/letters?state=sent");
    await row.getByText("Sent").waitFor();
    assert.match(page.url(), /\/emails\?state=sent$/);
    // As if it had been written before SMTP_URL was set.
    await service.database.change((tx) =>
      tx.updateTable("letters").set({ sent_to: "file" }).where("user_id", "=", lea.id).execute(),
    );
    await page.reload();
    await row.getByText("Written to a file", { exact: true }).waitFor();
  });
});

test("all refused emails are retried at once, and a notice says why the mail server accepts none", async () => {
  refusing = true;
  await createPerson(service, "Rita Refused");
  const { client } = service;
  const letters = async () => (await client.getOrganization()).organization.letters;
  await until("it is refused", async () => (await letters()).refused === 1);
  refusing = false;
  isSenderDenied = true;
  await visit({ at: "/emails" }, async ({ page }) => {
    await page.getByRole("button", { name: "Try all refused again" }).click();
    await noticed(page, "Parley is trying to send 1 email again.");
    await until("it is tried", async () => {
      const { mailProblem } = (await client.getOrganization()).organization;
      return mailProblem?.cause === "sender";
    });
    await page.goto("/rooms");
    const notice = page.getByRole("note");
    await notice.getByText(/does not accept the sender of the emails\..* set MAIL_FROM/).waitFor();
    await notice.getByText("550 5.7.60 Not yours").waitFor();
    isSenderDenied = false;
    await until("it is sent", async () => (await letters()).waiting === 0);
    await page.reload();
    await page.getByRole("heading", { name: "Rooms", level: 1 }).waitFor();
    assert.equal(await notice.count(), 0);
  });
});

test("the overview shows how much of the plan is used, and says when the limit is near or reached", async () => {
  for (const name of ["One", "Two"]) {
    await service.client.createRoom({ name, roomOwnerId: service.adminId });
  }
  await service.limit({ rooms: 2, users: 20 });
  await visit({}, async ({ page }) => {
    await page.getByText("The limit is reached. Upgrade the plan to add more.").waitFor();
    await page.getByText("17 left").waitFor();
    await page.getByRole("meter", { name: "People" }).waitFor();
    await page.getByRole("link", { name: "Two" }).waitFor();
    await service.limit({ rooms: 20 });
    for (let index = 0; index < 17; index += 1) {
      await service.client.createRoom({ name: `Room ${index}`, roomOwnerId: service.adminId });
    }
    await page.reload();
    await page.getByText("Near the limit: 1 left").waitFor();
  });
});

test("the documentation of the API is one link away", async () => {
  await visit({}, async ({ page }) => {
    const link = page.getByRole("link", { name: "API (opens in a new tab)" });
    assert.equal(await link.getAttribute("href"), "/docs");
    assert.equal((await fetch(`${service.url}/docs`)).status, 200);
  });
});
