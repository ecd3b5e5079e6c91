// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createPerson } from "./people.ts";
import { forgetProofs, noticed, signIn, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();

/** Gives the page's browser a device that checks who holds it, as long as the page asks for that. */
const plugIn = async (page: Page) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const { authenticatorId } = await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { browser, authenticatorId };
};

const addPasskey = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name", { exact: true }).last().fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(name).waitFor();
};

/** A page of somebody who has added the passkey "Work laptop", the person, and the device that has it. */
interface WithPasskey extends Awaited<ReturnType<typeof plugIn>> {
  readonly page: Page;
  readonly username: string;
  readonly password: string;
}

const withPasskey = async (
  name: string,
  work: (given: WithPasskey) => Promise<void>,
): Promise<void> => {
  const { username, password } = await createPerson(service, name);
  // Browsers bind passkeys to names.
  const baseURL = service.url.replace("127.0.0.1", "localhost");
  await visit(
    { as: { login: username, password }, at: "/account", baseURL, failing: [401, 403] },
    async ({ page }) => {
      const device = await plugIn(page);
      await addPasskey(page, "Work laptop");
      await work({ ...device, page, username, password });
    },
  );
};

const signOut = async (page: Page) => {
  await page.getByRole("button", { name: /Your account:/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
};

test("a person adds a passkey, signs in by it and after the password, and removes it with it", async () => {
  await withPasskey(
    "Ines Moreau",
    async ({ page, browser, authenticatorId, username, password }) => {
      const touches = (enabled: boolean) =>
        browser.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
      // Where the name is typed, the browser offers it, and this one takes it at once.
      await signOut(page);
      await page.getByRole("button", { name: /Your account:/ }).waitFor();

      // A passkey that is not touched waits, until the button asks again.
      await touches(false);
      await signOut(page);
      const button = page.getByRole("button", { name: "Sign in with a passkey" });
      await button.waitFor();
      await touches(true);
      await button.click();
      await page.getByRole("button", { name: /Your account:/ }).waitFor();

      // The second step asks for it too.
      await touches(false);
      await signOut(page);
      await signIn(page, username, password);
      await touches(true);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByRole("button", { name: /Your account:/ }).waitFor();

      // As if the sign-in were a while ago: the removal asks for a proof first.
      await forgetProofs(service);
      await page.goto("/account");
      await page.getByRole("button", { name: "Remove Work laptop" }).click();
      await page.getByRole("button", { name: "Remove", exact: true }).last().click();
      await page.getByRole("heading", { name: "Is it you?" }).waitFor();
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await noticed(page, "The passkey is removed.");
    },
  );
});

test("a device that checks nobody, and a challenge that was answered before, let nobody in", async () => {
  await withPasskey("Ida Moreau", async ({ page, browser, authenticatorId }) => {
    const checks = (isUserVerified: boolean) =>
      browser.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    /** What a script in the page would change of what the browser is asked for. */
    let change = (_options: Record<string, unknown>): void => {};
    await page.route("**/api/session/passkey/challenge", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      change(body.options);
      await route.fulfill({ response, json: body });
    });
    /** The answer to the passkey that the browser offers where a name is typed. */
    const answerAfter = async (load: () => Promise<unknown>): Promise<number> => {
      const answered = page.waitForResponse((response) =>
        new URL(response.url()).pathname.endsWith("/api/session/passkey"),
      );
      await load();
      return (await answered).status();
    };
    await checks(false);
    let first: unknown;
    change = (options) => {
      first = options.challenge;
      options.userVerification = "discouraged";
    };
    assert.equal(await answerAfter(() => signOut(page)), 403);
    await checks(true);
    change = (options) => {
      options.challenge = first;
    };
    assert.equal(await answerAfter(() => page.reload()), 403);
    change = () => {};
    assert.equal(await answerAfter(() => page.reload()), 200);
    await page.getByRole("button", { name: /Your account:/ }).waitFor();
  });
});
