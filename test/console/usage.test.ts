// Runs: sqlite, complete, pages
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { addPast } from "../usage/past.ts";
import { until } from "../world/process.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "./looks.ts";
import { createPerson } from "./people.ts";
import { press, settled, startVisits } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
const wide = { width: 1440, height: 900 };
const sizes = {
  wide,
  middle: { width: 1024, height: 768 },
  narrow: { width: 390, height: 844 },
  least: { width: 320, height: 640 },
};

const ann = await createPerson(service, "Ann Example");
await client.editUser({ userId: ann.id, tags: ["math"] });
const names = ["Algebra", "Board meeting", "Chemistry", "Design critique"];
for (const name of names) {
  await client.createRoom({
    name,
    room: name.toLowerCase().replace(" ", "-"),
    roomOwnerId: ann.id,
  });
}
const { organization } = await client.getOrganization();

/** A moment of one of the last days, by the clock of this machine. */
const moment = (daysAgo: number, minutes: number): string => {
  const date = new Date();
  date.setHours(9, minutes, 0, 0);
  date.setDate(date.getDate() - daysAgo);
  return date.toISOString();
};

/** Meetings on most of the last 30 days. */
const hold = async (): Promise<void> => {
  const rows = await service.database.read.selectFrom("rooms").select(["id", "name"]).execute();
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? "";
  const meetings = [...Array(29).keys()].flatMap((day) =>
    (day * 7) % 5 === 0
      ? []
      : names.slice(0, 1 + (day % 3)).map((name, room) => ({
          roomId: idOf(name),
          users: [ann.id],
          stays: [ann.id, "guest", "other", "more"].slice(0, 2 + ((day + room) % 3)).map((who) => ({
            who,
            from: moment(day + 1, room * 10),
            to: moment(day + 1, room * 10 + (room === 1 ? 4 : 50)),
          })),
        })),
  );
  const { change } = service;
  await addPast({ change, id: organization.id } as Parameters<typeof addPast>[0], meetings);
  const nobody = await createPerson(service, "Nobody");
  await client.revokeUsers([{ userId: nobody.id }]);
  await client.deleteUsers([nobody.id]);
  await until("all are counted", async () => !(await client.getUsage({})).usage.filling);
};

test("the usage is plotted, accessible and fits, in light and dark, and an empty page says so", async () => {
  await visit({ at: "/usage", viewport: wide }, async ({ page }) => {
    await page.getByText("No meetings in this time").waitFor();
    await assertAccessible(page, "no usage");
    await hold();
    await page.reload();
    await page.getByRole("region", { name: "Meetings", exact: true }).waitFor();
    await settled(page);
    for (const [label, size] of Object.entries(sizes)) {
      await page.setViewportSize(size);
      await page.locator("svg.recharts-surface").last().waitFor();
      await assertNothingSticksOut(page, `usage, ${label}`);
      await assertAccessible(page, `usage, ${label}`);
      await shoot(page, `usage-light-${label}`);
    }
    await prefer(page, "dark");
    await assertAccessible(page, "usage, dark");
    await shoot(page, "usage-dark-narrow");
    await page.setViewportSize(wide);
    await shoot(page, "usage-dark-wide");
  });
});

test("each plot is read by keyboard, and has a table with the same numbers", async () => {
  await visit({ at: "/usage?by=week", viewport: wide }, async ({ page }) => {
    const plot = page.getByRole("region", { name: "People", exact: true });
    const bars = plot.getByRole("application");
    await bars.focus();
    await press(page, "ArrowRight");
    await plot
      .getByRole("status")
      .getByText(/^People: \d/)
      .waitFor();
    await plot.getByText("Show as a table").focus();
    await press(page, "Enter");
    const cells = await plot.getByRole("cell").allTextContents();
    const { usage } = await client.getUsage({
      by: "week",
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    assert.deepEqual(
      cells.map(Number),
      usage.periods.map(({ people }) => people),
    );
    await assertAccessible(page, "a table of usage");
  });
});

test("the usage is filtered by type, tag and days, exported, and lists unused rooms and people", async () => {
  await visit({ at: "/usage", viewport: wide }, async ({ page }) => {
    const rooms = page.getByRole("region", { name: "Use of rooms" });
    await rooms.getByRole("link", { name: "Algebra" }).waitFor();
    await rooms.getByLabel("Which rooms").selectOption("Not used for 7 days");
    await rooms.getByText("Every room was used").waitFor();
    const people = page.getByRole("region", { name: "Use by people" });
    await people.getByRole("link", { name: "Ann Example" }).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).first().click(),
    ]);
    assert.match(await readFile(await download.path(), "utf8"), /^\uFEFFday,from,to,meetings,/);

    await page.getByLabel("Room type").selectOption("Event");
    await page.getByText("No meeting matches").waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByLabel("Tag of the room's owner").fill("math");
    await rooms.getByRole("link", { name: "Algebra" }).waitFor();
    await page.getByLabel("Tag of the room's owner").fill("physics");
    await page.getByText("No meeting matches").waitFor();
  });
});
