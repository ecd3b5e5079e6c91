// Runs: sqlite, complete, pages, first
// Needs: browser

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startSink } from "../world/sink.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "./looks.ts";
import { createPerson } from "./people.ts";
import { clipboardOf, find, noticed, press, settled, startVisits } from "./visit.ts";

/* Scheduling: the dialog, the emails that it sends, what is next, and the dates of a room. */

const sink = await startSink();
after(() => sink.stop());
const { service, visit } = await startVisits({ SMTP_URL: sink.url, MAIL_RETRY_SECONDS: "0.2" });
const { client } = service;
await client.editOrganization({ ownersMay: "create" });

const teacher = async (name: string) => {
  const { id, email, password } = await createPerson(service, name);
  return { id, email, as: { login: email, password } };
};

/** The calendar part of the email to this address with this method, once it has come. */
const calendarTo = async (email: string, method: string, more = (_: string) => true) => {
  let calendar = "";
  await sink.waitFor(({ to, parsed }) => {
    if (!to.includes(email)) return false;
    const bytes = parsed.attachments.find(({ mimeType }) => mimeType === "text/calendar")?.content;
    if (bytes === undefined) return false;
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    if (!text.includes(`METHOD:${method}`) || !more(text)) return false;
    calendar = text;
    return true;
  });
  const value = (name: string) => new RegExp(`^${name}:(.+)$`, "m").exec(calendar)?.[1]?.trim();
  return { calendar, uid: value("UID"), sequence: Number(value("SEQUENCE")) };
};

const openDialog = async (page: Page): Promise<Locator> => {
  await settled(page);
  await page.getByRole("button", { name: "Schedule a meeting" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Schedule a meeting" });
  await dialog.getByLabel("Name", { exact: false }).first().waitFor();
  return dialog;
};
const next = (page: Page) => page.getByRole("region", { name: "What is next" });
const dates = (page: Page) => page.getByRole("region", { name: "Dates and invitations" });
const invite = (dialog: Locator) => dialog.getByLabel("Invite", { exact: true });

test("a teacher schedules, moves and cancels a meeting, and invited people hear of each step", async () => {
  const { as, id } = await teacher("Tess Teacher");
  const [ann, ben] = ["ann@example.com", "ben@example.com"];
  await visit({ as, timezoneId: "Europe/Berlin" }, async ({ page }) => {
    await next(page).getByText("No dates ahead.").waitFor();
    const dialog = await openDialog(page);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Geometry 8a");
    await dialog.getByLabel("Begins").fill("2035-05-08T09:00");
    await dialog.getByLabel("Length").selectOption("45 minutes");
    await dialog.getByLabel("Repeats").selectOption("Every week");
    await dialog.getByLabel("Last day").fill("2035-06-05");
    await dialog.getByLabel("Agenda").fill("Circles");
    await invite(dialog).fill(`"Lee, Ann" <${ann}>, ${ben}`);
    await invite(dialog).press("Enter");
    await dialog.getByText("2 people will get an invitation by email.").waitFor();
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();

    const done = page.getByRole("dialog", { name: "Geometry 8a is scheduled" });
    await done.getByText("Invitations are on their way to 2 people").waitFor();
    const [room] = (await client.listRooms({ userFilter: id })).roomSettings;
    assert.ok(room);
    assert.deepEqual([room.roomPermalink, room.roomAgenda], [true, "Circles"]);
    assert.equal((await client.roomDoor({ roomId: room.room })).waitsForHost, true);
    const { url } = await client.getRoomLink({ roomId: room.room });
    await done.getByRole("button", { name: "Copy link" }).click();
    assert.equal(await clipboardOf(page), url);
    const google = await done.getByRole("link", { name: /Google/ }).getAttribute("href");
    assert.match(google ?? "", /^https:\/\/calendar\.google\.com\/.*Europe%2FBerlin/);
    const saved = page.waitForEvent("download");
    await done.getByRole("button", { name: "Calendar file" }).click();
    assert.equal((await saved).suggestedFilename(), "Geometry-8a.ics");
    const first = await calendarTo(ann, "REQUEST");
    assert.match(first.calendar, /DTSTART;TZID=Europe\/Berlin:20350508T090000/);
    assert.match(first.calendar, /RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=TU/);
    await calendarTo(ben, "REQUEST");
    await done.getByRole("button", { name: "Done" }).click();

    const line = next(page).getByRole("listitem").filter({ hasText: "Geometry 8a" });
    await line.getByText("You host · repeats").waitFor();
    const start = line.getByRole("link", { name: /^Start Geometry 8a/ });
    assert.match((await start.getAttribute("href")) ?? "", new RegExp(`/m/${room.room}$`));

    // It moves by an hour, Ben stays at home, and Cleo comes.
    await page.goto(`/rooms/${room.room}`);
    await dates(page)
      .getByText(/9:00\sAM/)
      .first()
      .waitFor();
    await dates(page).getByText("Every week on Tuesday until Jun 5, 2035").waitFor();
    await dates(page).getByRole("listitem").filter({ hasText: ann }).getByText("Sent").waitFor();
    await dates(page).getByRole("button", { name: "Change" }).click();
    const change = page.getByRole("dialog", { name: "Change the dates of Geometry 8a" });
    await change.getByText("No email is sent.").waitFor();
    await change.getByLabel("Begins").fill("2035-05-08T10:00");
    await change.getByRole("button", { name: `Do not invite ${ben}` }).click();
    await invite(change).fill("cleo@example.com");
    // Leaving the field takes the typed text.
    await change.getByLabel("Begins").focus();
    await change
      .getByText(
        "1 person will get an invitation by email. 1 person will get an email with the new dates. 1 person will get a cancellation by email.",
      )
      .waitFor();
    await change.getByRole("button", { name: "Save" }).click();
    await noticed(page, "The dates of Geometry 8a are saved.");
    const isNewer = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]) > first.sequence;
    const moved = await calendarTo(ann, "REQUEST", isNewer);
    assert.equal(moved.uid, first.uid);
    assert.match(moved.calendar, /DTSTART;TZID=Europe\/Berlin:20350508T100000/);
    await calendarTo(ben, "CANCEL");
    await calendarTo("cleo@example.com", "REQUEST");
    await dates(page)
      .getByText(/10:00\sAM/)
      .first()
      .waitFor();

    await dates(page).getByRole("button", { name: "Remove the dates" }).click();
    const question = page.getByRole("dialog", { name: "Remove the dates of Geometry 8a?" });
    await question.getByText("2 people will get a cancellation by email.").waitFor();
    await question.getByRole("button", { name: "Remove the dates" }).click();
    await noticed(page, "The dates of Geometry 8a are removed.");
    const canceled = await calendarTo(ann, "CANCEL");
    assert.equal(canceled.uid, first.uid);
    assert.ok(canceled.sequence > moved.sequence);
    await dates(page).getByText("No date is set.").waitFor();
  });
});

test("errors in the dialog are shown at their fields, in words of people who plan lessons", async () => {
  const { as } = await teacher("Wanda Wrong");
  await visit({ as }, async ({ page }) => {
    const dialog = await openDialog(page);
    const submit = dialog.getByRole("button", { name: "Schedule", exact: true });
    await dialog.getByLabel("Begins").fill("2020-01-04T09:00");
    await dialog.getByLabel("Repeats").selectOption("Every day from Monday to Friday");
    await dialog.getByLabel("Last day").fill("2020-01-01");
    await submit.click();
    for (const text of [
      "Give the meeting a name.",
      "This is over. Choose a later day or time.",
      "The first date is on a weekend. Begin on a day from Monday to Friday.",
      "Choose a day on which the dates end, not before the first one.",
    ]) {
      await dialog.getByText(text).waitFor();
    }
    assert.equal(await page.locator(":focus").getAttribute("name"), "name");
    await invite(dialog).fill("ann@, ben@example.com");
    await invite(dialog).press("Enter");
    await dialog.getByText(/ann@.* is not an email address\./).waitFor();
    await dialog.getByRole("list", { name: "Invited" }).getByText("ben@example.com").waitFor();
    assert.equal(await dialog.getByText(/startsAt|userIds|repetition|timeZone|IANA/).count(), 0);
    await press(page, "Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

test("where the second step fails, a retry makes no second room", async () => {
  const { as, id } = await teacher("Rita Retry");
  await visit({ as, failing: [503] }, async ({ page }) => {
    const dialog = await openDialog(page);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Halfway");
    await page.route("**/api/schedule", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({
            status: 503,
            json: { success: false, message: "Busy.", code: "overloaded" },
          })
        : route.continue(),
    );
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await dialog
      .getByText("is made, but it has no date yet and nobody is invited: Busy.")
      .waitFor();
    await page.unroute("**/api/schedule");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("dialog", { name: "Halfway is scheduled" }).waitFor();
    const { roomSettings } = await client.listRooms({ userFilter: id });
    assert.deepEqual(
      roomSettings.map(({ name }) => name),
      ["Halfway"],
    );
    assert.ok((await client.fetchSchedule({ id: roomSettings[0]?.room ?? "" })).schedule);
  });
});

test("the time follows the chosen zone, and people elsewhere see both zones, also after clocks change", async () => {
  const { as, id } = await teacher("Zoe Zones");
  await visit({ as, timezoneId: "Europe/Berlin" }, async ({ page }) => {
    const dialog = await openDialog(page);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Across");
    // The last Tuesday before summer time begins in Berlin.
    await dialog.getByLabel("Begins").fill("2035-03-20T09:00");
    await dialog.getByLabel("Repeats").selectOption("Every week");
    await dialog.getByLabel("Ends").selectOption("After a number of dates");
    await dialog.getByLabel("Number of dates").fill("3");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    const done = page.getByRole("dialog", { name: "Across is scheduled" });
    await done.getByText("Nobody is invited by email.").waitFor();
    await done.getByRole("link", { name: "Open the room" }).click();
    await dates(page)
      .getByText(/9:00\sAM GMT\+1 \(.?Europe\/Berlin/)
      .first()
      .waitFor();
  });
  const [room] = (await client.listRooms({ userFilter: id })).roomSettings;
  const roomId = room?.room ?? "";
  const { schedule } = await client.fetchSchedule({ id: roomId });
  assert.equal(schedule?.startsAt, "2035-03-20T08:00:00.000Z");
  await visit({ as, at: `/rooms/${roomId}`, timezoneId: "America/New_York" }, async ({ page }) => {
    await dates(page)
      .getByText(/9:00\sAM GMT\+1 \(.?Europe\/Berlin/)
      .first()
      .waitFor();
    await dates(page)
      .getByText(/4:00\sAM EDT \(.?America\/New_York/)
      .first()
      .waitFor();
    await dates(page).getByRole("button", { name: "Change" }).click();
    const change = page.getByRole("dialog", { name: "Change the dates of Across" });
    assert.equal(await change.getByLabel("Begins").inputValue(), "2035-03-20T09:00");
    assert.equal(await change.getByLabel("Time zone").inputValue(), "Europe/Berlin");
    // A week later it is summer in Berlin: the same time is an hour earlier elsewhere.
    await change.getByLabel("Begins").fill("2035-03-27T09:00");
    await change.getByRole("button", { name: "Save" }).click();
    await dates(page)
      .getByText(/9:00\sAM GMT\+2 \(.?Europe\/Berlin/)
      .first()
      .waitFor();
    await dates(page)
      .getByText(/3:00\sAM EDT \(.?America\/New_York/)
      .first()
      .waitFor();
    await dates(page).getByRole("button", { name: "Change" }).click();
    await change.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await change.getByRole("button", { name: "Save" }).click();
    await dates(page)
      .getByText(/9:00\sAM GMT\+9 \(.?Asia\/Tokyo/)
      .first()
      .waitFor();
  });
});

test("an administrator invites people by name, and it is on their list of what is next", async () => {
  const guest = await teacher("Ines Invited");
  await visit({}, async ({ page }) => {
    const dialog = await openDialog(page);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Staff meeting");
    await invite(dialog).fill("ines");
    await page.getByRole("option", { name: /Ines Invited/ }).click();
    await dialog.getByRole("list", { name: "Invited" }).getByText("Ines Invited").waitFor();
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByRole("link", { name: "Open the room" }).click();
    // Other changes that send emails say so before.
    await dates(page).getByRole("listitem").filter({ hasText: "Ines Invited" }).waitFor();
    await page.getByLabel("Name", { exact: false }).first().fill("Staff meeting, new");
    await page.getByText("1 person will get an email with the new name.").waitFor();
    await page.getByLabel("Name", { exact: false }).first().fill("Staff meeting");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText("1 person will get a cancellation by email.")
      .waitFor();
    await press(page, "Escape");
  });
  await calendarTo(guest.email, "REQUEST");
  await visit({ as: guest.as }, async ({ page, context }) => {
    const line = next(page).getByRole("listitem").filter({ hasText: "Staff meeting" });
    await line.getByText("You are invited").waitFor();
    await line.getByText(/^(today|tomorrow) /).waitFor();
    const opened = context.waitForEvent("page");
    await line.getByRole("link", { name: /^Open Staff meeting/ }).click();
    await (await opened).getByText("Staff meeting").first().waitFor();
  });
});

test("scheduling works by keyboard alone, and the focus comes back", async () => {
  const { as } = await teacher("Kay Keys");
  await visit({ as }, async ({ page }) => {
    await settled(page);
    const opener = page.getByRole("button", { name: "Schedule a meeting" }).first();
    await opener.focus();
    await press(page, "Enter");
    const dialog = page.getByRole("dialog", { name: "Schedule a meeting" });
    await page.locator('[name="name"]:focus').waitFor();
    await page.keyboard.type("By keys");
    const focusedName = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
      );
    for (let step = 0; step < 60 && (await focusedName()) !== "Invite"; step += 1) {
      await press(page, "Tab");
    }
    await page.keyboard.type("kim@example.com");
    await press(page, "Enter");
    await dialog.getByRole("list", { name: "Invited" }).getByText("kim@example.com").waitFor();
    for (let step = 0; step < 60 && (await focusedName()) !== "Schedule"; step += 1) {
      await press(page, "Tab");
    }
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "By keys is scheduled" }).waitFor();
    await page.getByRole("button", { name: "Done" }).and(page.locator(":focus")).waitFor();
    await press(page, "Enter");
    await opener.and(page.locator(":focus")).waitFor();

    await find(page, "schedule");
    await page.getByRole("button", { name: "Schedule a meeting" }).last().click();
    await dialog.waitFor();
    await press(page, "Escape");
    await find(page, "my room");
    await press(page, "Enter");
    await page.getByRole("heading", { name: "Kay Keys's room" }).waitFor();
  });
});

const sizes = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
  least: { width: 320, height: 640 },
};

test("the dialog, the list of what is next and a room's dates are accessible and fit, in light and dark", async () => {
  const { as, id } = await teacher("Lou Looks");
  const { room } = (await client.createRoom({ name: "Looked at", roomOwnerId: id })).roomSetting;
  await client.editSchedule({
    ...{ roomId: room, startsAt: "2035-05-08T07:00:00Z", timeZone: "Europe/Berlin" },
    repetition: { every: "week", days: ["tuesday", "thursday"], count: 20 },
    userIds: [id],
    emails: ["a.person.with.quite.a.long.address@department.example.org"],
  });
  await visit({ as }, async ({ page }) => {
    const look = async (name: string) => {
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await settled(page);
        await assertNothingSticksOut(page, `${name}, ${size}`);
        for (const scheme of ["light", "dark"] as const) {
          await prefer(page, scheme);
          await assertAccessible(page, `${name}, ${size}, ${scheme}`);
          await shoot(page, `${name}-${scheme}-${size}`);
        }
      }
      await prefer(page, "light");
      await page.setViewportSize(sizes.wide);
    };
    await next(page).getByText("Looked at").waitFor();
    await look("schedule-next");
    const dialog = await openDialog(page);
    await dialog.getByLabel("Repeats").selectOption("Every week");
    await invite(dialog).fill("ann@example.com");
    await invite(dialog).press("Enter");
    await look("schedule-dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Looked at too");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByRole("dialog", { name: "Looked at too is scheduled" }).waitFor();
    await look("schedule-done");
    await page.goto(`/rooms/${room}`);
    await dates(page).getByText("Every week on Tuesday and Thursday, 20 dates").waitFor();
    await look("schedule-room");
  });
});
