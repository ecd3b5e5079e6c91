// Runs: sqlite, complete, pages
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createOrganization } from "../../server/organizations/organizations.ts";
import { asDirectory, personNamed } from "../scim/directory.ts";
import { CLIENT, startProvider } from "../sign-in/provider.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "./looks.ts";
import { clipboardOf, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits({ ALLOWED_NETWORKS: "loopback" });
const { client } = service;
const provider = await startProvider(test);

const made = await client.createProvider({
  name: "University",
  issuer: provider.issuer,
  clientId: CLIENT.client_id,
  clientSecret: CLIENT.client_secret,
  domains: ["uni.example"],
  createsAccounts: true,
});
provider.register(made.provider.redirectAddress);
provider.accounts.set("ann", { email: "ann@uni.example", email_verified: true, name: "Ann Lee" });
provider.who = "ann";

test("somebody presses the button of a provider and comes back signed in, also on the page of a meeting", async () => {
  await visit({ as: null, at: "/rooms" }, async ({ page }) => {
    await page.getByRole("link", { name: "Sign in by University" }).click();
    await page.getByRole("button", { name: "Your account: Ann Lee" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/rooms");
  });
  // With a second organization, the room says whose providers are meant.
  const plan = { plan: null, max_rooms: null, max_users: null };
  await service.database.change((tx, send) => createOrganization({ tx, send }, "Other", plan));
  const { roomSetting } = await client.createRoom({ name: "Board", roomOwnerId: service.adminId });
  const { url } = await client.getRoomLink({ roomId: roomSetting.room });
  await visit({ as: null, at: new URL(url).pathname }, async ({ page }) => {
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Sign in by University" }).waitFor();
  });
});

test("the link of a portal or of a foreign page asks before a sign-in, and no more once this browser has chosen the organization", async () => {
  const tile = `/api/session/provider/${made.provider.id}?login_hint=ann@uni.example`;
  const { organization } = await client.getOrganization();
  const question = `Sign in to ${organization.name}?`;
  await visit({ as: null, at: tile, failing: [401] }, async ({ page, context }) => {
    await page.getByRole("heading", { name: question }).waitFor();
    await page.getByRole("link", { name: "Do not sign in" }).click();
    await page.getByRole("heading", { name: "Sign in to Parley" }).waitFor();
    // The address that names an organization is not kept: it may be a foreign page's too.
    await page.goto(`/?organization=${organization.id}`);
    await page.goto(tile);
    await page.getByRole("button", { name: "Sign in by University" }).click();
    await page.getByRole("button", { name: "Your account: Ann Lee" }).waitFor();
    await page.goto(tile);
    await page.getByText("You are signed in as Ann Lee.").waitFor();
    for (const [label, width] of [
      ["narrow", 390],
      ["wide", 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await assertAccessible(page, `by-provider, ${label}`);
      await assertNothingSticksOut(page, `by-provider, ${label}`);
      await shoot(page, `by-provider-${label}`);
    }
    await context.clearCookies();
    await page.goto(tile);
    await page.getByRole("button", { name: "Your account: Ann Lee" }).waitFor();
  });
});

const saysAway = (page: Page): Promise<void> =>
  page.getByRole("alert").filter({ hasText: "Parley cannot be reached." }).waitFor();

test("the page that begins a sign-in by a provider says that the service cannot be reached, and another try goes on", async () => {
  const tile = `/api/session/provider/${made.provider.id}?login_hint=ann@uni.example`;
  await visit({ as: null, at: tile, failing: [401], offline: true }, async ({ page, context }) => {
    const button = page.getByRole("button", { name: "Sign in by University" });
    await button.waitFor();
    await context.setOffline(true);
    await button.click();
    await saysAway(page);
    await context.setOffline(false);
    // This browser has chosen the organization, and asks no more: the first request of its page may be lost too.
    await page.route("**/api/session/provider/**", (route) =>
      route.request().method() === "POST" ? route.abort("internetdisconnected") : route.fallback(),
    );
    await page.reload();
    await saysAway(page);
    await page.unroute("**/api/session/provider/**");
    await button.click();
    await page.getByRole("button", { name: "Your account: Ann Lee" }).waitFor();
  });
});

test("the page of a room's ID offers the providers of the organization in its address, whether or not there is such a room", async () => {
  const { organization } = await client.getOrganization();
  const { roomSetting } = await client.createRoom({ name: "Hall", roomOwnerId: service.adminId });
  const read = async (room: string): Promise<string> => {
    let text = "";
    const at = `/m/${room}?organization=${organization.id}`;
    await visit({ as: null, at, failing: [404] }, async ({ page }) => {
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("link", { name: "Sign in by University" }).waitFor();
      text = await page.locator("body").innerText();
    });
    return text;
  };
  assert.equal(await read(roomSetting.room), await read("0000000000"));
});

test("an administrator gives a directory its address and a token, and takes the token back", async () => {
  await visit({ at: "/sign-in" }, async ({ page }) => {
    await page.getByRole("button", { name: "New SCIM token" }).click();
    const dialog = page.getByRole("dialog", { name: "The SCIM token is ready" });
    await dialog.getByRole("button", { name: "Copy SCIM token" }).click();
    const token = await clipboardOf(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    const scim = asDirectory(service.url, token);
    const added = await scim("POST /Users", personNamed("scim@uni.example"));
    assert.equal(added.status, 201, added.text);
    assert.ok(!(await page.content()).includes(token), "it is shown only once");
    for (const [label, width] of [
      ["wide", 1440],
      ["narrow", 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await assertNothingSticksOut(page, `sign-in, ${label}`);
      await assertAccessible(page, `sign-in, ${label}`, { rules: { region: { enabled: false } } });
      await shoot(page, `providers-${label}`);
    }
    await prefer(page, "dark");
    await shoot(page, "providers-narrow-dark");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: /^Remove / }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("The access key is removed.").waitFor();
    assert.equal((await scim("GET /Users")).status, 401);
  });
});

test("an administrator ends the links of a person to providers", async () => {
  const { users } = await client.listUsers({ search: "ann@uni.example", role: "moderator" });
  await visit({ at: `/people/${users[0]?.id}` }, async ({ page }) => {
    await page.getByRole("button", { name: "End the links to providers" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "End the links to providers" }).click();
    await page.getByText("The links to providers are ended.").waitFor();
  });
});

test("a fault of a provider is shown in the page's language, beside the provider's own words", async () => {
  const settings = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  const other = provider.issuer.replace("127.0.0.1", "localhost");
  const faults = [
    [{ issuer: "http://127.0.0.1:9/" }, "Unter dieser Adresse antwortet nichts (ECONNREFUSED)."],
    [
      { issuer: other },
      `Das Dokument unter ${other}/ gehört zu einem anderen Issuer, ${provider.issuer}: Geben Sie diesen ein.`,
    ],
    [
      { issuer: provider.issuer, clientSecret: "wrong" },
      "Der Anbieter lehnt die Client-ID oder das Secret ab: invalid_client.",
    ],
  ] as const;
  for (const [wrong, said] of faults) {
    const { provider: one } = await client.createProvider({ name: "P", ...settings, ...wrong });
    await visit({ at: `/sign-in/${one.id}?lang=de` }, async ({ page }) => {
      await page.getByRole("button", { name: "Anbieter testen" }).click();
      const last = page.getByRole("alert").getByRole("listitem").last();
      const text = (await last.innerText()).replace(/[\u2068\u2069]/g, "");
      assert.ok(text.endsWith(`: ${said}`), text);
      await settled(page);
      await assertAccessible(page, said, { rules: { region: { enabled: false } } });
    });
    await client.removeProvider({ id: one.id });
  }
});
