// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { root } from "../../packaging/folder.ts";
import { press } from "../console/visit.ts";
import { cameraOf } from "../meetings/drawn-camera.ts";
import { isInside, leaveAll, startMeetings } from "../meetings/people.ts";
import { until } from "../world/process.ts";

/*
 * The pictures of the docs. A complete run shows that they can still be made; with PARLEY_PICTURES=1
 * (`npm run pictures`) they are written.
 */

const LARGEST = 80_000;
const isWritten = process.env.PARLEY_PICTURES === "1";
const folder = isWritten
  ? join(root, "docs/pictures")
  : mkdtempSync(join(tmpdir(), "parley-pictures-"));
test.after(() => {
  if (!isWritten) rmSync(folder, { recursive: true });
});
mkdirSync(folder, { recursive: true });

const { room, open, enter, service } = await startMeetings();
const { client } = service;

/** Takes a picture in both color schemes. */
const take = async (page: Page, name: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await until("nothing moves", () =>
      page.evaluate<boolean>(
        "document.getAnimations().every(({ playState }) => playState !== 'running')",
      ),
    );
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    const picture = Buffer.from(data, "base64");
    assert.ok(picture.length < LARGEST, `${name}-${colorScheme} has ${picture.length} bytes`);
    writeFileSync(join(folder, `${name}-${colorScheme}.webp`), picture);
  }
};

test("pictures show a guest on a phone before the door, and a moderator who is asked to let somebody in", async () => {
  const { path } = await room({ name: "Geometry 8a", authenticationRequired: true });
  const viewport = { width: 390, height: 700 };
  const wide = { viewport: { width: 1080, height: 600 }, deviceScaleFactor: 1 };
  const ada = await enter(path, "Ada Lovelace", {
    ...wide,
    script: cameraOf(210),
    asAdministrator: true,
  });
  await isInside(ada);
  const cleo = await open(path, { viewport, deviceScaleFactor: 1.5, script: cameraOf(320) });
  await cleo.page.getByLabel("Your name").fill("Cleo Marchetti");
  await until("a preview", () =>
    cleo.page.evaluate<boolean>("document.querySelector('video')?.videoWidth > 0"),
  );
  await take(cleo.page, "join");
  await cleo.button("Ask to join").click();
  await cleo.page.getByText("Waiting for a moderator").waitFor();
  await press(ada.page, "p");
  await ada.button("Admit").first().waitFor();
  await take(ada.page, "door");
  await leaveAll(ada, cleo);
});

test("pictures show a host who schedules a meeting, and an administrator's list of people", async () => {
  for (const name of ["Ada Lovelace", "Ben Okafor", "Cleo Marchetti"]) {
    const [first = ""] = name.toLowerCase().split(" ");
    const account = { name, email: `${first}@school.example`, loginUrl: "https://school.example/" };
    await client.createUser(account);
  }
  const wide = { viewport: { width: 1080, height: 640 }, deviceScaleFactor: 1 };
  const host = await open("/", { ...wide, asAdministrator: true });
  await host.page.goto("/people");
  await host.page.getByRole("link", { name: "Ben Okafor" }).waitFor();
  await take(host.page, "people");
  await host.page.goto("/rooms");
  await host.page.getByRole("button", { name: "Schedule" }).click();
  const dialog = host.page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Geometry 8a");
  await dialog.getByLabel("Repeats").selectOption("Every week");
  await take(host.page, "schedule");
  await leaveAll(host);
});

test("the docs show these pictures and no others", () => {
  const names = (where: string) => globSync("*.webp", { cwd: where }).sort();
  assert.deepEqual(names(join(root, "docs/pictures")), names(folder));
  const pages = globSync("docs/*.md", { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  for (const name of names(folder)) {
    assert.ok(
      pages.some((page) => page.includes(`pictures/${name}`)),
      name,
    );
  }
});
