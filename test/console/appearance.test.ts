// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { addRecording } from "../recordings/films.ts";
import { count } from "../world/seed.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "./looks.ts";
import { createPerson } from "./people.ts";
import { press, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const people = [];
for (const name of ["Amelia Hart", "Ben Okafor", "Chiara Rossi", "Dmitri Volkov", "Elena García"]) {
  people.push(
    await createPerson(service, name, { role: name.startsWith("C") ? "producer" : "moderator" }),
  );
}
const [amelia, ben, , dmitri, elena] = people;
const owners = [amelia, ben].map((person) => person?.id).join(",");
for (const name of [
  "All hands",
  "Board meeting",
  "Customer onboarding",
  "Product launch",
  "Town hall",
]) {
  await client.createRoom({
    name,
    roomOwnerId: owners,
    roomType: name.startsWith("P") ? "event" : "conferencing",
  });
}
const { roomSetting } = await client.createRoom({
  name: "Design critique",
  roomOwnerId: owners,
  room: "design",
});
await service.enter("design", "somebody");
await client.suspendRestoreUser({ userId: dmitri?.id ?? "", action: "suspend" });
await client.revokeUsers([{ userId: elena?.id ?? "" }]);
await client.createAccessKey();
await service.limit({ rooms: 50, users: 6 });

const { webhook } = await client.createWebhook({
  url: "https://hooks.example.org/parley",
  events: ["roomCreated"],
});
const { provider } = await client.createProvider({
  name: "Example University",
  issuer: "https://login.example.org/realms/university",
  clientId: "parley",
  // Of nobody here: people of its domains are sent to it as they sign in.
  domains: ["university.example"],
});
const nothing = mkdtempSync(join(tmpdir(), "parley-appearance-"));
test.after(() => rmSync(nothing, { recursive: true }));
const failed = await addRecording(
  { dataDir: service.dataDir, change: service.change },
  { hls: nothing, mp4: nothing },
  roomSetting.room,
  { state: "failed", error: "interrupted" },
);

const pages: Readonly<Record<string, string>> = {
  overview: "/",
  rooms: "/rooms",
  "rooms-no-match": "/rooms?search=nowhere",
  room: `/rooms/${roomSetting.room}`,
  "room-new": "/rooms/new",
  "room-meetings": "/rooms/design/meetings",
  meetings: "/meetings",
  recordings: "/recordings",
  recording: `/recordings/${failed.id}`,
  transcripts: "/transcripts?search=hello",
  usage: "/usage",
  people: "/people",
  "people-revoked": "/people/revoked",
  person: `/people/${ben?.id}`,
  "person-new": "/people/new",
  "access-keys": "/access-keys",
  emails: "/emails",
  import: "/import",
  history: "/history",
  bin: "/bin",
  webhooks: "/webhooks",
  "webhook-new": "/webhooks/new",
  webhook: `/webhooks/${webhook.id}`,
  "webhook-edit": `/webhooks/${webhook.id}/edit`,
  "sign-in": "/sign-in",
  "sign-in-new": "/sign-in/new",
  "sign-in-provider": `/sign-in/${provider.id}`,
  settings: "/settings",
  account: "/account",
  "not-found": "/nowhere",
};

/** The pages of people who are not administrators. */
const ownPages: Readonly<Record<string, string>> = {
  "own-rooms": "/",
  "own-room-new": "/rooms/new",
  "own-room": `/rooms/${roomSetting.room}`,
};

test("these tests look at every address of the console", () => {
  const routes = readFileSync(new URL("../../console/routes.tsx", import.meta.url), "utf8");
  const paths = [...routes.matchAll(/\bpath: "([^"*]+)"/g)].map(([, path = ""]) => path);
  assert.ok(paths.length > 20, paths.join());
  const seen = Object.values(pages).map((address) => address.slice(1).replace(/\?.*/, ""));
  const unseen = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "(?!new$)[^/]+")}$`);
    return !seen.some((address) => pattern.test(address));
  });
  // The former address of a page, which leads to it.
  assert.deepEqual(unseen, ["letters"]);
});

const wide = { width: 1280, height: 860 };
/** The screens for which pages are laid out: the least phone, and a laptop of 1280 by 720 at 200% zoom. */
const narrow = { width: 320, height: 640 };
const zoomed = { width: 640, height: 360 };

/** Checks an open page in all sizes, then its dark colors: the layout is the same. */
const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const [label, size] of Object.entries({ wide, zoomed, narrow })) {
    await page.setViewportSize(size);
    await page.locator("[data-busy]").waitFor({ state: "detached" });
    await assertNothingSticksOut(page, `${name}, ${label}`);
    // Zoomed, it has the layout of the narrow one.
    if (size !== zoomed) await assertAccessible(page, `${name}, ${label}`);
    await shoot(page, `${name}-light-${label}`);
  }
  await page.setViewportSize(wide);
  await prefer(page, "dark");
  await assertAccessible(page, `${name}, dark`, { runOnly: ["color-contrast"] });
  await shoot(page, `${name}-dark-wide`);
  await prefer(page, "light");
};

test("every page is accessible and fits, in light and dark", async () => {
  await visit({ as: null, viewport: wide }, async ({ page }) => {
    await page.getByLabel("Password").waitFor();
    await lookAt(page, "sign-in");
  });
  await visit({ viewport: wide }, async ({ page }) => {
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address);
      await settled(page);
      await lookAt(page, name);
    }
  });
});

test("a page opens at its top, wherever the previous page was scrolled", async () => {
  await visit({ at: "/rooms/new", viewport: narrow }, async ({ page }) => {
    await settled(page);
    await page.evaluate("scrollTo(0, 300)");
    await page.goto("/");
    await settled(page);
    await page.getByRole("region", { name: "Needs attention" }).getByText("1 recording").waitFor();
    assert.equal(await page.evaluate<number>("scrollY"), 0);
    await page.goBack();
    await settled(page);
    await page.waitForFunction("scrollY > 200");
  });
});

test("pages of people who are not administrators are accessible and fit, in light and dark", async () => {
  await client.editOrganization({ ownersMay: "create" });
  const as = { login: amelia?.email ?? "", password: amelia?.password ?? "" };
  await visit({ as, viewport: wide }, async ({ page }) => {
    for (const [name, address] of Object.entries(ownPages)) {
      await page.goto(address);
      await settled(page);
      await lookAt(page, name);
    }
  });
});

test("every table fits beside the navigation, however wide the window is", async () => {
  await visit({ viewport: { width: 1300, height: 860 } }, async ({ page }) => {
    for (const name of ["rooms", "people", "access-keys", "emails"]) {
      await page.goto(pages[name] ?? "/");
      await settled(page);
      await page.getByRole("cell").first().waitFor();
      for (let width = 880; width <= 1300; width += count(60, 20)) {
        await page.setViewportSize({ width, height: 860 });
        const over = await page.evaluate<number>(
          `document.querySelector("table").getBoundingClientRect().right -
            document.querySelector("table").closest(".card").getBoundingClientRect().right`,
        );
        assert.ok(over <= 0, `${name} is ${over} px too wide at ${width}`);
      }
    }
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the highlighted person in a list is readable, ${colorScheme}`, async () => {
    await visit({ at: "/rooms", colorScheme }, async ({ page }) => {
      await page.getByRole("combobox", { name: "Owner" }).fill("ben");
      await page.locator("[data-combobox-selected]").waitFor();
      await assertAccessible(page, "picker", { rules: { region: { enabled: false } } });
      assert.ok(
        await page.evaluate<boolean>(`(() => {
          const option = document.querySelector("[data-combobox-selected]");
          return [...option.querySelectorAll("span")]
            .every((part) => getComputedStyle(part).color === getComputedStyle(option).color);
        })()`),
      );
    });
  });
}

test("at 200% zoom on a laptop the form and the menu can be reached", async () => {
  await visit({ at: "/rooms/new", viewport: zoomed, deviceScaleFactor: 2 }, async ({ page }) => {
    await settled(page);
    await page.getByRole("button", { name: "Create room" }).click({ trial: true });
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`dialogs and menus are accessible, ${colorScheme}`, async () => {
    await visit({ at: "/people", colorScheme }, async ({ page }) => {
      const shot = async (name: string) => {
        // A menu is at the end of the page, outside its landmarks.
        await assertAccessible(page, name, { rules: { region: { enabled: false } } });
        await shoot(page, `${name}-${colorScheme}-wide`);
      };
      await page.getByRole("button", { name: "Actions for Ben Okafor" }).click();
      await page.getByRole("menuitem", { name: "Suspend" }).waitFor();
      await shot("menu");
      await page.getByRole("menuitem", { name: "Revoke" }).click();
      await page.getByRole("dialog").waitFor();
      await shot("dialog-revoke");
      await press(page, "Escape");
      await page.getByLabel("Select Ben Okafor").check();
      await shot("people-selected");
      await page.getByRole("button", { name: /Your account/ }).click();
      await page.getByRole("menuitem", { name: "Change my password" }).click();
      await page.getByRole("dialog").waitFor();
      await shot("dialog-password");
    });
  });
}

test("everything on the rooms page can be reached by keyboard, and the focus is visible", async () => {
  await visit({ at: "/rooms" }, async ({ page }) => {
    await settled(page);
    const reached: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await press(page, "Tab");
      reached.push(
        await page.evaluate<string>(`(() => {
          const at = document.activeElement;
          const style = getComputedStyle(at);
          const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
          return (seen ? "" : "UNSEEN ") + (at.getAttribute("aria-label") ?? at.textContent).trim();
        })()`),
      );
    }
    assert.deepEqual(
      reached.filter((name) => name.startsWith("UNSEEN")),
      [],
    );
    for (const name of [
      "Skip to the content",
      "Rooms",
      "People",

      "Export CSV",
      "New room",
      "Search rooms by name, ID or owner",
      "Owner",
      "Name",
      "Created",
      "All hands",
      "Actions for All hands",
    ]) {
      assert.ok(reached.includes(name), `${name} is not reached: ${reached.join(" | ")}`);
    }
  });
});
