// Runs: sqlite, pages, complete
// Needs: browser

import { test } from "node:test";
import type { Page } from "playwright-core";
import { createPerson } from "./people.ts";
import { forgetProofs, noticed, signIn, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();

const signOut = async (page: Page) => {
  await page.getByRole("button", { name: /Your account:/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
};

test("a person adds a passkey, signs in by it and after the password, and removes it with it", async () => {
  const { username, password } = await createPerson(service, "Ines Moreau");
  // Browsers bind passkeys to names.
  const baseURL = service.url.replace("127.0.0.1", "localhost");
  await visit(
    { as: { login: username, password }, at: "/account", baseURL, failing: [401, 403] },
    async ({ page, context }) => {
      const browser = await context.newCDPSession(page);
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
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByLabel("Name", { exact: true }).last().fill("Work laptop");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByText("Work laptop").waitFor();

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
