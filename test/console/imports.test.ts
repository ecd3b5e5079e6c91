// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openSeal } from "../../server/db/seal.ts";
import { makePasswordCode } from "../../server/mail/password-code.ts";
import { signIn, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;

test("people are imported from a file: previewed, confirmed, and the result is downloaded", async () => {
  const text = [
    "email,name,role",
    "ines@example.org,Ines Imported,moderator",
    "nobody at all,Wrong,moderator",
    `${service.admin.email},Renamed Admin,`,
  ].join("\n");
  await visit({ at: "/people" }, async ({ page }) => {
    await page.getByRole("link", { name: "Import" }).click();
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("Choose a file, or paste its content.").waitFor();
    await page.getByLabel("File (.xlsx, CSV or JSON)").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("Refused: 1").waitFor();
    await page.getByText("To create: 1").waitFor();
    await page
      .getByRole("row", { name: /To change.*Name.*Administrator.*Renamed Admin/ })
      .waitFor();
    await page.getByRole("row", { name: /nobody at all.*must be an email address/ }).waitFor();
    assert.equal((await client.listUsers({ role: "moderator", search: "ines" })).users.length, 0);
    await page.getByRole("combobox", { name: "Lines" }).selectOption("Refused");
    await page.getByRole("row", { name: /ines@/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /nobody at all/ }).waitFor();
    await page.getByRole("combobox", { name: "Lines" }).selectOption("All lines");
    // One of them is refused, so "all or none" is not offered.
    assert.equal(
      await page.getByRole("checkbox", { name: "All lines or none" }).isDisabled(),
      true,
    );
    await page.reload();
    await page.getByRole("button", { name: "Import 2 lines" }).click();
    await page.getByText("Created: 1").waitFor();
    await page.getByText("Changed: 1").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the result" }).click();
    const file = await readFile(await (await downloading).path(), "utf8");
    assert.match(
      file,
      /2,ines@example\.org,created,,\S+\r\n3,nobody at all,refused,"email must be/,
    );
    await page.getByRole("link", { name: "Ines Imported" }).click();
    await page.getByRole("heading", { name: "Ines Imported" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Undo the import" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("The change was undone.").waitFor();
    assert.equal((await client.listUsers({ role: "moderator", search: "ines" })).users.length, 0);
    await page.goto(`${service.url}/history`);
    const rows = page.getByRole("table", { name: "History" });
    await rows.getByText("Change of many things undone").waitFor();
    await rows.getByText("Part of entry").first().waitFor();
  });
});

test("pasted text is imported as rooms; an interrupted import continues from the list", async () => {
  const [owner] = (await client.listUsers({ role: "admin" })).users;
  const text = JSON.stringify([{ name: "Pasted hall", room: "pasted", roomOwnerId: owner?.id }]);
  await visit({ at: "/import" }, async ({ page }) => {
    await page.getByLabel("What the file contains").selectOption("Rooms");
    await page.getByLabel("Or paste its content").fill(text);
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("To create: 1").waitFor();
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByRole("link", { name: "Without a name" }).first().click();
    await page.getByRole("checkbox", { name: "All lines or none" }).check();
    await page.getByRole("button", { name: "Import 1 line" }).click();
    await page.getByText("Created: 1").waitFor();
    await page.getByRole("button", { name: "Import another file" }).click();
    await page.getByRole("button", { name: "Check the file" }).waitFor();
  });
  assert.equal((await client.fetchRoom({ id: "pasted" })).roomSetting.name, "Pasted hall");
});

test("a dropped file is imported with assigned columns, and after Undo the page says so", async () => {
  const text =
    "Wer;Kontakt;Abteilung\r\nZoë Ñandú;zoe@example.org;Chor\r\nJörg Müßig;joerg@example.org;\r\n";
  await visit({ at: "/import", failing: [400] }, async ({ page }) => {
    const drop = async (): Promise<void> => {
      const bytes = [...Buffer.from(text, "latin1")].join();
      const transfer = await page.evaluateHandle(
        `(() => { const dropped = new DataTransfer(); dropped.items.add(new File([Uint8Array.of(${bytes})], "chor.csv")); return dropped; })()`,
      );
      const place = page.getByText("Drop the file here, or choose it.");
      await place.dispatchEvent("dragover", { dataTransfer: transfer });
      await place.dispatchEvent("drop", { dataTransfer: transfer });
      await page.locator("form").getByText("chor.csv").waitFor();
      await page.getByRole("button", { name: "Check the file" }).click();
      await page.getByRole("heading", { name: "What the columns are" }).waitFor();
    };
    await drop();
    await page
      .getByText("Read as CSV, Windows-1252 (Western Europe), cells separated by “;”.")
      .waitFor();
    await page.getByText("No column has email addresses.").waitFor();
    await page.getByRole("row", { name: /Wer.*Zoë Ñandú.*Jörg Müßig/ }).waitFor();
    const check = page.getByRole("button", { name: "Check with these columns" });
    assert.equal(await check.isDisabled(), true);
    await page.getByRole("combobox", { name: "What Kontakt fills" }).selectOption("Email");
    await check.click();
    await page
      .getByRole("alert")
      .getByText("The file has no column with the names of people")
      .waitFor();
    await page.getByRole("combobox", { name: "What Wer fills" }).selectOption("Name");
    await page.getByRole("combobox", { name: "What Abteilung fills" }).selectOption("Tags");
    await check.click();
    await page.getByText("To create: 2").waitFor();
    await page.getByRole("row", { name: /Zoë Ñandú.*zoe@example\.org/ }).waitFor();
    await page.getByRole("button", { name: "Import 2 lines" }).click();
    await page.getByText("Created: 2").waitFor();
    const [made] = (await client.listUsers({ role: "moderator", search: "zoe@" })).users;
    assert.deepEqual([made?.name, made?.tags], ["Zoë Ñandú", ["Chor"]]);
    await page.getByRole("button", { name: "Undo the import" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("This import was undone on").waitFor();
    assert.equal(await page.getByRole("button", { name: "Undo the import" }).count(), 0);
    assert.equal(await page.getByRole("link", { name: "Zoë Ñandú" }).count(), 0);
    await page.getByRole("button", { name: "Import another file" }).click();
    await drop();
    await page.getByText("The columns are as you set them").waitFor();
    assert.equal(
      await page.getByRole("combobox", { name: "What Abteilung fills" }).inputValue(),
      "tags",
    );
    await page.getByRole("button", { name: "Back" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download a template" }).click();
    assert.match(await readFile(await (await saving).path(), "utf8"), /^\uFEFFName,Email,Role/);
  });
});

test("a failure to load the list of imports, or to read a file, is shown", async () => {
  await visit({ at: "/", failing: [400, 403] }, async ({ page }) => {
    const json = { success: false, message: "Not now.", code: "not_allowed" };
    const once = { times: 1 };
    await page.route("**/api/import", (route) => route.fulfill({ status: 403, json }), once);
    await page.goto(`${service.url}/import`);
    await page.getByRole("alert").getByText("Not now.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Recent imports" }).waitFor();
    await page.getByLabel("Or paste its content").fill("name,name\nA,B");
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText('The file has the column "name" twice').waitFor();
    await page.evaluate("File.prototype.arrayBuffer = () => Promise.reject(new Error())");
    await page.getByLabel("File (.xlsx, CSV or JSON)").setInputFiles({
      name: "gone.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("email,name"),
    });
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("The file cannot be read. Choose it again.").waitFor();
  });
});

test("people and rooms are exported as JSON, which can be imported", async () => {
  await visit({ at: "/people" }, async ({ page }) => {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export JSON" }).click();
    const text = await readFile(await (await downloading).path(), "utf8");
    const made = await client.createImport({ kind: "users", format: "json", text });
    let shown = made.import;
    while (shown.state === "checking") {
      shown = (await client.continueImport({ importId: shown.id })).import;
    }
    assert.deepEqual([shown.plan.same, shown.plan.refuse, shown.ignored], [shown.lines, 0, []]);
  });
});

test("an imported person chooses a password by the link, and signs in with it", async () => {
  const text = JSON.stringify([{ email: "pia@example.org", name: "Pia" }]);
  const { id: importId } = (await client.createImport({ kind: "users", format: "json", text }))
    .import;
  await client.continueImport({ importId });
  await client.confirmImport({ importId, mode: "all" });
  await client.continueImport({ importId });
  const [line] = (await client.listImportLines({ importId })).lines;
  // The link from the email, which is written to a file here (test/imports receives it from a mail server).
  const seal = await openSeal({ secret: undefined, dataDir: service.dataDir });
  const userId = line?.id ?? "";
  const { createdAt = "" } = (await client.findUsers({ userIds: [userId] })).users[0] ?? {};
  const pia = { userId, credentials: 1, createdAt, email: "pia@example.org" };
  const code = makePasswordCode(seal, pia, Date.now() + 60_000);
  const password = "four quiet herons at dawn";
  await visit({ as: null, at: `/password#${code}`, failing: [400, 410] }, async ({ page }) => {
    await page.getByRole("heading", { name: "Choose your password" }).waitFor();
    await page.getByLabel("New password", { exact: true }).fill("password");
    await page.getByLabel("New password again").fill("password");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByText("New password must be 15 to 256 characters long").waitFor();
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("New password again").fill(password);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("heading", { name: "Your password is saved" }).waitFor();
    await page.reload();
    await page.getByLabel("New password", { exact: true }).fill(password);
    await page.getByLabel("New password again").fill(password);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByText("This link has ended. Ask for a new one.").waitFor();
    await page.goto("/");
    await signIn(page, "pia@example.org", password);
    await page.getByRole("heading", { name: "My rooms" }).waitFor();
  });
});
