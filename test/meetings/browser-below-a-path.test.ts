// Runs: sqlite, pictures
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, leaveAll, startMeetings } from "./people.ts";

const BASE = "/video";
const { service, room, open, enter } = await startMeetings({
  PUBLIC_URL: `http://127.0.0.1:1${BASE}`,
});

test("below a path people sign in, stay signed in, open rooms from the console, and meet", async () => {
  const { path } = await room({ name: "Board" });
  assert.match(path, /^\/video\/m\//);
  const ada = await open(`${BASE}/rooms`);
  await ada.page.getByLabel("Email or username").fill(service.admin.email);
  await ada.page.getByLabel("Password").fill(service.admin.password);
  await ada.button("Sign in").click();
  await ada.page.getByRole("link", { name: "Board", exact: true }).waitFor();
  // The cookie of the session comes back at this path.
  await ada.page.reload();
  await ada.page.getByRole("link", { name: "Board", exact: true }).click();
  await ada.page.waitForURL(/\/video\/rooms\/\d+$/);
  const door = ada.page.getByRole("link", { name: /Start Board/ });
  assert.match((await door.getAttribute("href")) ?? "", /^\/video\/m\//);
  await ada.page.goto((await door.getAttribute("href")) ?? "");
  await ada.button("Join").click();
  // An application that is installed from here opens here: the manifest's addresses are relative to its own.
  const manifest = new URL(
    (await ada.page.locator("link[rel=manifest]").getAttribute("href")) ?? "",
    ada.page.url(),
  );
  assert.equal(manifest.pathname, `${BASE}/manifest.webmanifest`);
  const { start_url, scope, icons } = (await (await fetch(manifest)).json()) as {
    readonly start_url: string;
    readonly scope: string;
    readonly icons: readonly { readonly src: string }[];
  };
  for (const address of [start_url, scope]) {
    assert.equal(new URL(address, manifest).pathname, `${BASE}/`);
  }
  for (const { src } of icons) {
    const icon = new URL(src, manifest);
    assert.ok(icon.pathname.startsWith(`${BASE}/icon`));
    assert.equal((await fetch(icon)).status, 200, src);
  }
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await Promise.all([
    ada.receivesMore(await ada.received()),
    ben.receivesMore(await ben.received()),
  ]);
  await ben.page.reload();
  await isInside(ben);
  await leaveAll(ada, ben);
});
