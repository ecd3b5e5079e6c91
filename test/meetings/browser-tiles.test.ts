// Runs: sqlite, pictures
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "../console/looks.ts";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter, sit } = await startMeetings();

/** A phone that is held upright: its camera gives upright pictures. */
const UPRIGHT = `{
  const devices = navigator.mediaDevices;
  const give = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async ({ audio, video }) => {
    if (!video) return give({ audio });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [180, 320];
    const pen = canvas.getContext("2d");
    let hue = 0;
    setInterval(() => {
      pen.fillStyle = "hsl(" + (hue += 7) + " 40% 55%)";
      pen.fillRect(0, 0, 180, 320);
    }, 100);
    const stream = canvas.captureStream(10);
    if (audio) for (const track of (await give({ audio })).getTracks()) stream.addTrack(track);
    return stream;
  };
}`;

const stageOf = ({ page }: Person) =>
  page.getByRole("region", { name: "People and shared screens" });

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = async (one: ReturnType<Person["tile"]>): Promise<Box> => {
  const box = await one.boundingBox();
  assert.ok(box);
  return box;
};

/** Returns whether one box covers part of another one. */
const isOver = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test("the speaker of an event fills the stage; viewers are a number and a list, and raised hands are first, in order, also after a lost connection", async () => {
  const { path } = await room({ roomType: "event", noOfViewers: 5 });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  const vic = await enter(path, "Vic", { script: NO_DEVICES });
  const wes = await enter(path, "Wes", { script: NO_DEVICES });
  await Promise.all([vic, wes].map(isInside));
  await sit(path, ["Cleo", "Dan", "Eve"]);
  await ada.page.getByText("5 viewers", { exact: true }).waitFor();

  const adaOnVics = vic.tile("Ada");
  await adaOnVics.waitFor();
  await adaOnVics.locator("video").waitFor();
  // A viewer has no picture to hide.
  await vic.button("More").click();
  await vic.page.getByRole("menuitem", { name: "Devices" }).waitFor();
  assert.equal(await vic.page.getByRole("menuitem", { name: /my own picture/ }).count(), 0);
  await press(vic.page, "Escape");
  for (const one of [vic, ada]) {
    assert.equal(await stageOf(one).getByRole("listitem").count(), 1);
    const [stage, tile] = await Promise.all([
      boxOf(stageOf(one)),
      boxOf(stageOf(one).getByRole("listitem")),
    ]);
    assert.ok(tile.width > stage.width * 0.9 && tile.height > stage.height * 0.9);
  }
  // A person who may not see everybody reads no number.
  assert.equal(await vic.page.getByText(/\d+ viewers/).count(), 0);

  await wes.button("Raise your hand").click();
  await ada.button("People (6), 1 raised hand").waitFor();
  await vic.button("Raise your hand").click();
  await ada.button("People (6), 2 raised hands").click();
  const panel = ada.page.getByRole("complementary");
  const headings = panel.getByRole("heading", { level: 3 });
  await headings.first().waitFor();
  assert.deepEqual(await headings.allInnerTexts(), [
    "Raised hands (2)",
    "Inside (1)",
    "Viewers (5)",
  ]);
  const hands = async (): Promise<readonly string[]> => {
    const all: string[] = [];
    for (const item of await panel.getByRole("listitem").all()) {
      const hand = item.getByRole("img", { name: /^hand raised/ });
      if ((await hand.count()) === 0) continue;
      all.push(
        `${await item.locator("bdi").innerText()}: ${await hand.getAttribute("aria-label")}`,
      );
    }
    return all;
  };
  const inOrder = ["Wes: hand raised, number 1", "Vic: hand raised, number 2"];
  assert.deepEqual(await hands(), inOrder);
  // Nor a microphone that would be off.
  assert.equal(await panel.getByRole("img", { name: "muted" }).count(), 0);
  await shoot(ada.page, "meet-event-light-wide");
  await assertAccessible(ada.page, "an event with hands");

  await wes.cut();
  await panel.getByRole("img", { name: "reconnecting" }).waitFor();
  await wes.context.setOffline(false);
  await panel.getByRole("img", { name: "reconnecting" }).waitFor({ state: "detached" });
  assert.deepEqual(await hands(), inOrder);
  await wes.button("Lower your hand").click();
  await ada.button("People (6), 1 raised hand").waitFor();
  assert.deepEqual(await hands(), ["Vic: hand raised, number 1"]);

  await press(ada.page, "Escape");
  await ada.page.setViewportSize({ width: 390, height: 844 });
  await prefer(ada.page, "dark");
  await shoot(ada.page, "meet-event-dark-narrow");
  await leaveAll(ada, vic, wes);
});

test("an upright phone is shown whole in a wide place and fills an upright one; four people on a phone are two by two", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: UPRIGHT });
  await Promise.all([ada, ben].map(isInside));
  await ada.receivesMore({ frames: 0, energy: 0 });
  const { page } = ada;
  const picture = ada.tile("Ben").locator("video");
  const isWhole = async (): Promise<boolean> => (await picture.getAttribute("data-whole")) !== null;
  await until("the whole picture is shown", isWhole);
  await shoot(page, "meet-upright-light-wide");
  await ada.button("Pin Ben").click();
  await page.getByRole("list", { name: "Ben", exact: true }).waitFor();
  await until("the whole picture is shown", isWhole);
  await shoot(page, "meet-upright-pinned-light-wide");
  await page.setViewportSize({ width: 390, height: 844 });
  await until("the picture fills its place", async () => !(await isWhole()));
  await ada.button("Unpin Ben").click();

  await sit(path, ["Cleo", "Dan"]);
  await ada.tile("Dan").waitFor();
  await until("they are two by two", async () => {
    const boxes = await Promise.all(["You", "Ben", "Cleo", "Dan"].map((n) => boxOf(ada.tile(n))));
    const [left, top] = [boxes.map(({ x }) => x), boxes.map(({ y }) => y)];
    return new Set(left).size === 2 && new Set(top).size === 2;
  });
  await assertNothingSticksOut(page, "four people on a phone");
  await shoot(page, "meet-four-light-narrow");
  // Why somebody has no picture covers no name, not even on a small tile.
  const why = ada.tile("Dan").getByText("No connection yet");
  await why.waitFor();
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await until(`the name can be read at ${width} px`, async () => {
      const text = await why.boundingBox();
      const name = await ada.tile("Dan").locator("p").last().boundingBox();
      return text !== null && name !== null && !isOver(text, name);
    });
    await shoot(page, `meet-trouble-light-${width}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const wall = () =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector("[aria-label='People and shared screens']")).backgroundColor`,
    );
  const light = await wall();
  await prefer(page, "dark");
  assert.equal(await wall(), light, "the stage is as dark in both schemes");
  await shoot(page, "meet-four-dark-narrow");
  await leaveAll(ada, ben);
});

test("a person alone copies the link; with the chat closed a new message shows for a while and covers no control; a low window keeps the chat's field", async () => {
  const { path, room: roomId } = await room();
  const { url } = await service.client.getRoomLink({ roomId });
  const ada = await enter(path, "Ada", {
    asAdministrator: true,
    script: NO_DEVICES,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await isInside(ada);
  const { page } = ada;
  await ada.button("Copy the link").click();
  await page.getByText("The link is copied.").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), url);
  await shoot(page, "meet-alone-light-wide");

  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  await isInside(ben);
  await ada.button("Copy the link").waitFor({ state: "detached" });
  const notice = page.locator("[data-chat-notice]");
  const write = async (text: string): Promise<void> => {
    const field = ben.page.getByRole("textbox", { name: "Message to everybody" });
    await field.fill(text);
    await field.press("Enter");
  };
  await ben.button("Chat").click();
  await write("Shall we begin? ".repeat(40));
  await notice.waitFor();
  assert.ok((await notice.innerText()).startsWith("Ben Shall we begin?"));
  await shoot(page, "meet-notice-light-wide");
  assert.equal(
    await notice.evaluate(
      "getComputedStyle(document.querySelector('[data-chat-notice]')).pointerEvents",
    ),
    "none",
  );
  assert.equal(await page.getByRole("log").getByText("Shall we begin?").count(), 1);
  await notice.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 390, height: 844 });
  await write("And now?");
  await notice.getByText("And now?").waitFor();
  // It covers no name.
  const over = await boxOf(notice);
  for (const one of await stageOf(ada).getByRole("listitem").locator("p").all()) {
    assert.ok(!isOver(await boxOf(one), over));
  }
  await shoot(page, "meet-notice-light-narrow");
  await ada.button(/^Chat/).click();
  await notice.waitFor({ state: "detached" });
  const name = page.getByRole("list", { name: "Messages" }).getByText("Ben").first();
  await name.waitFor();
  assert.match((await name.getAttribute("style")) ?? "", /--parley-person-\d/);

  await page.setViewportSize({ width: 750, height: 150 });
  const field = page.getByRole("textbox", { name: "Message to everybody" });
  await until("the field is in the window", async () => {
    const { y, height } = await boxOf(field);
    return y >= 0 && y + height <= 150;
  });
  // Nothing is over it: the click arrives.
  await field.click();
  await field.fill("It fits");
  await field.press("Enter");
  await ben.page.getByRole("list", { name: "Messages" }).getByText("It fits").waitFor();
  // The list is still at its end, as above the keyboard of a phone.
  const list = page.getByRole("list", { name: "Messages" });
  await until("the newest message is shown", async () => {
    const [all, last] = await Promise.all([boxOf(list), boxOf(list.getByText("It fits"))]);
    return last.y >= all.y && last.y + last.height <= all.y + all.height + 1;
  });
  // Ten times, because only a window that changes back within one frame moves the list without a new size.
  for (let times = 0; times < 10; times++) {
    await page.setViewportSize({ width: 750, height: 600 });
    await page.setViewportSize({ width: 750, height: 150 });
    await until("it is shown after the window was low again", async () => {
      const [all, last] = await Promise.all([boxOf(list), boxOf(list.getByText("It fits"))]);
      return last.y >= all.y && last.y + last.height <= all.y + all.height + 1;
    });
  }
  await shoot(page, "meet-chat-light-low");
  await press(page, "Escape");
  // The names of the people are in the stage, and the whole menu in the window: what does not fit is scrolled.
  await until("the names are in the stage", async () => {
    const stage = await boxOf(stageOf(ada));
    const names = await stageOf(ada).getByRole("listitem").locator("p").all();
    const boxes = await Promise.all(names.map(boxOf));
    return boxes.length === 2 && boxes.every((box) => box.y + box.height <= stage.y + stage.height);
  });
  await shoot(page, "meet-room-light-low");
  await ada.button("More").click();
  const menu = page.getByRole("menu");
  await until("the menu is in the window", async () => (await boxOf(menu)).y >= 0);
  await shoot(page, "meet-menu-light-low");
  await menu.getByRole("menuitem").last().click();
  await page.getByRole("dialog", { name: "End the meeting for everybody?" }).waitFor();
  await press(page, "Escape");
  await leaveAll(ada, ben);
});

test("the page number covers no name, and waiting people are centered in the window", async () => {
  const { path } = await room({ authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  await isInside(ada);
  const { page } = ada;
  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  const title = ben.page.getByRole("heading", { name: "Waiting for a moderator" });
  const mark = ben.page.locator("main span[aria-hidden]");
  await title.waitFor();
  // A rotated element is painted from its left edge on: it must be as wide.
  const painted = await ben.page.evaluate<string>(
    `getComputedStyle(document.querySelector("main span[aria-hidden]"), "::after").width`,
  );
  assert.equal(Number.parseFloat(painted), (await boxOf(mark)).width);
  for (const width of [1440, 1024, 390, 320]) {
    await ben.page.setViewportSize({ width, height: 800 });
    await until(`the page is in the middle at ${width} px`, async () => {
      const boxes = await Promise.all([title, mark].map(boxOf));
      return boxes.every((box) => Math.abs(box.x + box.width / 2 - width / 2) <= 1);
    });
    await shoot(ben.page, `meet-lobby-light-${width}`);
  }
  await ada.button("Admit").click();
  await isInside(ben);
  const cleo = await enter(path, "Cleo", { script: NO_DEVICES });
  await ada.button("Admit").click();
  await isInside(cleo);
  for (const [width, height] of [
    [320, 320],
    [360, 300],
  ] as const) {
    await page.setViewportSize({ width, height });
    const label = page.getByText(/^\d of \d/).first();
    await label.waitFor();
    await until("the number is beside the names", async () => {
      const mark = await boxOf(label);
      const names = await stageOf(ada).getByRole("listitem").locator("p").all();
      const boxes = await Promise.all(names.map((one) => one.boundingBox()));
      return boxes.every((box) => box !== null && !isOver(box, mark));
    });
    await assertNothingSticksOut(page, `pages at ${width} px`);
    await shoot(page, `meet-pages-light-${width}`);
  }
  await leaveAll(ada, ben, cleo);
});
