// Runs: sqlite, pages, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPerson } from "./people.ts";
import { clipboardOf, noticed, settled, startVisits, unfold, withMailProblem } from "./visit.ts";

const { service, visit } = await startVisits();
const { client } = service;
await client.editOrganization({ ownersMay: "create" });
const teacher = async (name: string) => {
  const { id, email, password } = await createPerson(service, name);
  return { id, as: { login: email, password } };
};

/** The members of a field that the test reads: these files are compiled without the browser's types. */
interface Labeled {
  readonly labels: readonly { readonly textContent: string }[];
}

test("a new room asks for a name, and shows its type and three choices; everything else is folded", async () => {
  const { as } = await teacher("Tea Teacher");
  await visit({ as, at: "/rooms/new" }, async ({ page }) => {
    await page.getByLabel("Name").waitFor();
    const shown = await page
      .locator("form")
      .locator("input, select, textarea")
      .locator("visible=true")
      .evaluateAll((fields) =>
        fields.map((field) => (field as unknown as Labeled).labels[0]?.textContent),
      );
    assert.deepEqual(shown, ["Name *", "Type", "Who comes in", "Recording", "Seats"]);
    const summaries = page.locator("summary");
    await summaries.getByText("Moderators: 2 · Participants: 10 · Viewers: 0").waitFor();
    await summaries.getByText("Audio · Video · Screen sharing · Chat", { exact: true }).waitFor();
    assert.equal(await page.getByText(/Default:|\bnull\b|upgrade your plan/i).count(), 0);

    await page.getByLabel("Name").fill("Mathematics 7b");
    await page.getByLabel("Who comes in").selectOption("waiting");
    await page.getByRole("combobox", { name: "Recording", exact: true }).selectOption("everybody");
    await page.getByLabel("Seats", { exact: true }).fill("32");
    await page.getByRole("button", { name: "Create room" }).click();
    await noticed(page, "Mathematics 7b is ready.");
  });
  const [made] = (await client.listRooms({ search: "Mathematics 7b" })).roomSettings;
  assert.ok(made);
  const { authenticationRequired, roomPermalink, noOfModerators, noOfParticipants } = made;
  assert.deepEqual([authenticationRequired, roomPermalink], [true, true]);
  assert.deepEqual([noOfModerators, noOfParticipants, made.noOfViewers], [2, 30, 0]);
  const { enableRecording, recordModerator, recordParticipant } = made;
  assert.deepEqual([enableRecording, recordModerator, recordParticipant], [true, true, true]);
});

test("a new room may have a password, which must not be left empty", async () => {
  await visit({ at: "/rooms/new" }, async ({ page }) => {
    await page.getByLabel("Name").fill("Choir");
    const who = page.getByLabel("Who comes in");
    await who.selectOption("password");
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByText("Enter the password, or choose who comes in without one.").waitFor();
    await page.getByLabel("Room password").fill("tea time");
    await who.selectOption("anyone");
    await page.getByLabel("Room password").waitFor({ state: "detached" });
    await who.selectOption("both");
    await page.getByLabel("Room password").fill("cake time");
    await page.getByRole("button", { name: "Create room" }).click();
    await noticed(page, "Choir is ready.");
  });
  const [made] = (await client.listRooms({ search: "Choir" })).roomSettings;
  assert.deepEqual([made?.authenticationRequired, made?.roomPassword], [true, "cake time"]);
});

test("an event seats its audience as viewers, and two people need no number", async () => {
  await visit({ at: "/rooms/new" }, async ({ page }) => {
    await page.getByLabel("Name").fill("Assembly");
    await page.getByLabel("Type", { exact: true }).selectOption("p2p");
    await page.getByLabel("Seats", { exact: true }).waitFor({ state: "detached" });
    await page.getByLabel("Type", { exact: true }).selectOption("event");
    await page.getByLabel("Seats", { exact: true }).fill("210");
    await page.getByText("Moderators: 2 · Participants: 8 · Viewers: 200").waitFor();
    await unfold(page, "Seats");
    await page.getByLabel("People enter as").selectOption("Viewers");
    await page.getByRole("button", { name: "Create room" }).click();
    await noticed(page, "Assembly is ready.");
  });
  const [made] = (await client.listRooms({ search: "Assembly" })).roomSettings;
  assert.deepEqual([made?.noOfViewers, made?.participantType], [200, "viewer"]);
});

test("recording on records moderators and participants, and a warning says where it would record nobody", async () => {
  const { room } = (await client.createRoom({ name: "Taped", roomOwnerId: service.adminId }))
    .roomSetting;
  await visit({ at: `/rooms/${room}` }, async ({ page }) => {
    const on = (name: string) => page.getByRole("switch", { name, exact: true });
    const warned = page.getByText("Nobody would be recorded.");
    await on("Recording").check();
    for (const name of ["Record moderators", "Record participants"]) {
      assert.equal(await on(name).isChecked(), true);
      assert.equal(await warned.count(), 0);
      await on(name).uncheck();
    }
    await warned.waitFor();
    await on("Record participants").check();
    await warned.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save changes" }).click();
    await noticed(page, "Taped is saved.");
  });
  const { roomSetting } = await client.fetchRoom({ id: room });
  assert.deepEqual([roomSetting.recordModerator, roomSetting.recordParticipant], [false, true]);
});

test("an impossible stream address is refused at its field", async () => {
  await visit({ at: "/rooms/new" }, async ({ page }) => {
    await unfold(page, "Live stream");
    const refused = page.getByText("Stream address must begin with rtmp:// or rtmps:// and have");
    for (const [typed, isRefused] of [
      ["https://live.example.org/app", true],
      ["rtmps://live.example.org/app", false],
      ["rtmp://live.example.org", true],
      [" rtmp://live.example.org/app ", false],
    ] as const) {
      await page.getByLabel("Stream address").fill(typed);
      await page.getByLabel("Stream address").press("Tab");
      await refused.waitFor({ state: isRefused ? "visible" : "detached" });
    }
  });
});

test("one click on New meeting opens the person's own room, and another copies its link", async () => {
  const { as, id } = await teacher("Tom Teacher");
  await visit({ as }, async ({ page, context }) => {
    await settled(page);
    const opened = context.waitForEvent("page");
    await page.getByRole("button", { name: /^New meeting/ }).click();
    const meeting = await opened;
    await meeting.getByText("Tom Teacher's room").first().waitFor();
    await page.getByRole("link", { name: "Tom Teacher's room", exact: true }).waitFor();
    const { roomSettings } = await client.listRooms({ userFilter: id });
    assert.equal(roomSettings.length, 1);
    await meeting.close();
    await page.getByRole("button", { name: "Copy the link of my room" }).click();
    await noticed(page, "Copied");
    const { url } = await client.getRoomLink({ roomId: roomSettings[0]?.room ?? "" });
    assert.equal(await clipboardOf(page), url);
  });
});

test("an owner whose organization is at its limit is referred to an administrator, not to a plan", async () => {
  const { as } = await teacher("Lea Limited");
  await service.limit({ rooms: 1 });
  await visit({ as, at: "/rooms/new", failing: [403] }, async ({ page }) => {
    await page.getByLabel("Name").fill("One too many");
    await page.getByRole("button", { name: "Create room" }).click();
    await page.getByText("Ask an administrator for more.").waitFor();
    assert.equal(await page.getByText("upgrade your plan").count(), 0);
  });
  await service.limit({ rooms: null });
});

test("the first room is in view on a phone, with the filters behind a button", async () => {
  const { as, id } = await teacher("Pia Phone");
  await client.createRoom({ name: "On a phone", roomOwnerId: id });
  for (const [who, viewport] of [
    [as, { width: 390, height: 844 }],
    [undefined, { width: 390, height: 844 }],
    [as, { width: 320, height: 568 }],
  ] as const) {
    await visit({ ...(who && { as: who }), at: "/rooms", viewport }, async ({ page }) => {
      await settled(page);
      const first = page.locator("tbody tr").first();
      await first.waitFor();
      const box = await first.boundingBox();
      assert.ok(box && box.y + box.height <= viewport.height, JSON.stringify(box));
      const order = page.getByLabel("Sort by");
      assert.equal(await order.isVisible(), false);
      await page.getByRole("button", { name: "Filters and order" }).click();
      await order.waitFor();
    });
  }
});

for (const [scheme, viewport] of [
  ["dark", { width: 390, height: 844 }],
  ["light", { width: 1024, height: 768 }],
] as const) {
  test(`a teacher's first page begins with New meeting, in a window ${viewport.width} px wide`, async () => {
    const { as, id } = await teacher(`Fia First ${viewport.width}`);
    await client.createRoom({ name: "History of art, group 2", roomOwnerId: id });
    await visit({ as, viewport, colorScheme: scheme }, async ({ page }) => {
      await settled(page);
      const row = page.locator("tbody tr").first();
      await row.getByText("History of art").waitFor();
      await page.getByRole("button", { name: /^New meeting/ }).waitFor();
      const names = await page
        .locator("header h1 >> xpath=../..")
        .locator("button, a")
        .allInnerTexts();
      const [meet, , schedule, , csv] = names.map((name) => name.trim());
      assert.deepEqual([meet, schedule, csv], ["New meeting", "Schedule", "CSV"]);
      const box = await row.boundingBox();
      assert.ok(box && box.y + box.height <= viewport.height, JSON.stringify(box));
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      // The words of operators are for those who reach them.
      await page.goto(`${service.url}/rooms/new`);
      await page.getByLabel("Seats", { exact: true }).fill("32");
      assert.equal(await page.getByText(/SMTP_URL|media install|parley doctor/).count(), 0);
    });
  });
}

test("checkboxes in a list are 24 px targets that do not overlap", async () => {
  await visit({ at: "/webhooks/new" }, async ({ page }) => {
    await page.getByRole("checkbox").first().waitFor();
    const boxes = await Promise.all(
      (await page.getByRole("checkbox").all()).map((box) => box.boundingBox()),
    );
    for (const [at, box] of boxes.entries()) {
      assert.ok(box && box.width >= 24 && box.height >= 24, JSON.stringify(box));
      // Groups stand side by side.
      const over = boxes.slice(at + 1).filter((other) => {
        const right =
          other !== null && other.x < box.x + box.width && box.x < other.x + other.width;
        return right && other.y < box.y + box.height && box.y < other.y + other.height;
      });
      assert.deepEqual(over, []);
    }
  });
});

test("each administrator dismisses the notice about emails for good, until it changes", async () => {
  const { email: login, password } = await createPerson(service, "Ada Admin", { admin: true });
  const notice = "SMTP_URL";
  await visit({ as: { login, password } }, async ({ page }) => {
    await page.getByRole("note").getByText(notice).waitFor();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await page.getByRole("button", { name: "Put this notice away" }).click();
    await page.getByRole("note").waitFor({ state: "detached" });
    assert.equal((await saved).status(), 200);
  });
  await visit({ as: { login, password }, at: "/rooms" }, async ({ page }) => {
    await settled(page);
    assert.equal(await page.getByRole("note").count(), 0);
    await withMailProblem(page, {
      cause: "refused",
      message: "It is away.",
      answer: null,
      lastReason: null,
    });
    await page.getByRole("note").getByText("It is away.").waitFor();
  });
  await visit({}, async ({ page }) => {
    await page.getByRole("note").getByText(notice).waitFor();
  });
});
