// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startReceiver, verify } from "../webhooks/receiver.ts";
import { until } from "../world/process.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "./looks.ts";
import { clipboardOf, noticed, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits({
  ALLOWED_NETWORKS: "loopback",
  WEBHOOK_RETRY_SECONDS: "0.05",
});
const { client } = service;

const wide = { width: 1280, height: 860 };
/** The smallest width that WCAG requires. */
const narrow = { width: 320, height: 640 };

const look = async (page: Page, name: string): Promise<void> => {
  for (const [label, size] of Object.entries({ wide, narrow })) {
    await page.setViewportSize(size);
    await settled(page);
    await assertNothingSticksOut(page, `${name}, ${label}`);
    await assertAccessible(page, `${name}, ${label}`, { rules: { region: { enabled: false } } });
    await shoot(page, `${name}-${label}`);
  }
  await page.setViewportSize(wide);
  await prefer(page, "dark");
  await assertAccessible(page, `${name}, dark`, { runOnly: ["color-contrast"] });
  await shoot(page, `${name}-dark`);
  await prefer(page, "light");
};

test("a webhook is created, tested, monitored, given a new secret and removed", async (t) => {
  const receiver = await startReceiver(t);
  await visit({ at: "/webhooks", failing: [400] }, async ({ page }) => {
    await page.getByRole("heading", { name: "No webhook yet" }).waitFor();
    await look(page, "webhooks-none");
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("Address is required.").waitFor();
    await page.getByText("Events must have at least 1 event").waitFor();
    await page.getByRole("textbox", { name: "Address" }).fill(receiver.url);
    await page.getByRole("textbox", { name: "Description" }).fill("Customer records");
    await page.getByLabel("All events of Rooms").check();
    await page.getByRole("group", { name: "Rooms" }).getByLabel("Edited").uncheck();
    await page.getByRole("group", { name: "Live streams" }).getByLabel("Failed").check();
    await look(page, "webhook-new");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "The secret of the webhook" });
    await dialog.getByText("shown only this once").waitFor();
    await dialog.getByRole("button", { name: "Copy Secret" }).click();
    const secret = await clipboardOf(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: receiver.url }).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    const [webhook] = (await client.listWebhooks()).webhooks;
    assert.deepEqual(webhook?.events, [
      "roomCreated",
      "roomBinned",
      "roomUnbinned",
      "roomDeleted",
      "roomLinkRenewed",
      "roomOccupied",
      "roomFree",
      "streamFailed",
    ]);

    await page.getByRole("button", { name: "Send a test" }).click();
    await noticed(page, "The test event is on its way.");
    const [arrival] = await receiver.waitFor(1);
    assert.ok(arrival);
    verify(secret, arrival);
    await client.createRoom({ name: "Board meeting", roomOwnerId: service.adminId });
    await page
      .getByRole("row", { name: /Rooms: Created/ })
      .getByText("Delivered")
      .waitFor();
    await look(page, "webhook");
    await page.getByRole("combobox", { name: "Event" }).selectOption("test");
    await page.getByRole("row", { name: /Rooms: Created/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Details of Test/ }).click();
    const details = page.getByRole("dialog", { name: "Test" });
    await details.getByText('"type": "test"').waitFor();
    await details.getByText("Status 204").waitFor();
    await look(page, "webhook-delivery");
    await details.getByRole("button", { name: "Send again" }).click();
    await noticed(page, "The delivery is sent again.");
    const again = (await receiver.waitFor(3))[2];
    assert.deepEqual([again?.id, again?.body], [arrival.id, arrival.body]);

    await until(
      "it is delivered",
      async () => (await client.listDeliveries({ state: "waiting" })).deliveries.length === 0,
    );
    await page.getByRole("button", { name: "Send a time range again" }).click();
    const from = page.getByLabel("Happened from");
    const begins = await from.inputValue();
    await from.fill("2999-01-01T00:00");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("The time in “Happened from” is later than").waitFor();
    await from.fill(begins);
    await page.getByLabel("Which").selectOption("all");
    await page.getByRole("button", { name: "Send again" }).click();
    await noticed(page, "2 deliveries are sent again.");
    await receiver.waitFor(5);

    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "New secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    await dialog.getByRole("button", { name: "Copy Secret" }).click();
    const next = await clipboardOf(page);
    assert.notEqual(next, secret);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("Signed with two secrets until").waitFor();

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("Nobody's records");
    await page.getByRole("button", { name: "Save" }).click();
    await noticed(page, "The webhook is saved.");
    await page.getByText("Nobody's records").waitFor();
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await noticed(page, "The webhook is removed.");
    await page.getByRole("heading", { name: "No webhook yet" }).waitFor();
  });
});

test("a webhook that was switched off shows why and since when, and can be switched on again", async (t) => {
  const receiver = await startReceiver(t);
  receiver.fate = () => ({ status: 503, body: '{"sorry":true}' });
  const { webhook } = await client.createWebhook({ url: receiver.url, events: ["roomCreated"] });
  await client.createRoom({ name: "Unheard", roomOwnerId: service.adminId });
  await receiver.waitFor(1);
  const since = new Date(Date.now() - 3 * 86_400_000 - 1_000).toISOString();
  await service.change(({ tx }) =>
    tx.updateTable("webhooks").set({ failing_since: since }).where("id", "=", webhook.id).execute(),
  );
  await until("it is off", async () => {
    const { webhooks } = await client.listWebhooks();
    return webhooks.find(({ id }) => id === webhook.id)?.state === "failed";
  });
  await visit({ at: "/webhooks" }, async ({ page }) => {
    const row = page.getByRole("row", { name: new RegExp(receiver.url) });
    await row.getByText("Switched off").waitFor();
    await look(page, "webhooks");
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByText("This webhook was switched off").waitFor();
    await page.getByText("1 delivery waits").waitFor();
    await page
      .getByRole("row", { name: /Rooms: Created/ })
      .getByText("Status 503")
      .waitFor();
    await look(page, "webhook-failed");
    receiver.fate = () => undefined;
    await page.getByRole("button", { name: "Switch on again" }).click();
    await noticed(page, "The webhook is on. Waiting deliveries are sent now.");
    await page
      .getByRole("row", { name: /Rooms: Created/ })
      .getByText("Delivered")
      .waitFor();
    // The details stay open when the list, loaded again, no longer has the delivery.
    await page.getByRole("button", { name: /Details of Rooms: Created/ }).click();
    await page.route("**/api/webhook/delivery/paginated*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), deliveries: [] } });
    });
    await page.getByText("No delivery yet").waitFor();
    const details = page.getByRole("dialog", { name: "Rooms: Created" });
    await details.getByText("Unheard").waitFor();
    await details.getByRole("button", { name: "Close" }).last().click();
    await details.waitFor({ state: "detached" });
    await page.unroute("**/api/webhook/delivery/paginated*");
    assert.equal(receiver.arrivals.at(-1)?.event.data.roomName, "Unheard");
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Switch off" }).click();
    await page.getByText("This webhook is off").waitFor();
  });
});
