import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "../console/looks.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter } = await startMeetings();

/** Guests who only take seats and send nothing, without browsers. */
const sit = async (path: string, names: readonly string[]): Promise<void> => {
  const guest = createClient({ baseUrl: service.url });
  const roomId = path.split("/").at(-1) ?? "";
  for (const peerName of names) {
    await service.sit((await guest.joinRoom({ roomId, peerName })).ticket);
  }
};

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

test("who speaks at an event fills the stage; those who watch are a number and a list, and hands are first, in their order, also after a lost connection", async () => {
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
  for (const one of [vic, ada]) {
    assert.equal(await stageOf(one).getByRole("listitem").count(), 1);
    const [stage, tile] = await Promise.all([
      boxOf(stageOf(one)),
      boxOf(stageOf(one).getByRole("listitem")),
    ]);
    assert.ok(tile.width > stage.width * 0.9 && tile.height > stage.height * 0.9);
  }
  // Who may not see everybody reads no number.
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

  await ada.page.keyboard.press("Escape");
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
  await prefer(page, "dark");
  await shoot(page, "meet-four-dark-narrow");
  await leaveAll(ada, ben);
});

test("a person who is alone copies the link; with the chat closed the first words of a message are shown for a while, over nothing that can be pressed; a low window keeps the field to write in", async () => {
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
  await write("And now?");
  await notice.getByText("And now?").waitFor();
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
  await shoot(page, "meet-chat-light-low");
  await page.keyboard.press("Escape");
  await shoot(page, "meet-room-light-low");
  await leaveAll(ada, ben);
});

test("the number of the page of people covers no name, and people who wait are in the middle of the window", async () => {
  const { path } = await room({ authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  await isInside(ada);
  const { page } = ada;
  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  const title = ben.page.getByRole("heading", { name: "Waiting for a moderator" });
  const mark = ben.page.locator("main span[aria-hidden]");
  await title.waitFor();
  // What turns is painted from the left edge of its element on: it must be as wide.
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
    [520, 300],
  ] as const) {
    await page.setViewportSize({ width, height });
    const label = page.getByText(/^\d of \d/).first();
    await label.waitFor();
    await until("the number is beside the names", async () => {
      const mark = await boxOf(label);
      const names = await stageOf(ada).getByRole("listitem").locator("p").all();
      const boxes = await Promise.all(names.map((one) => one.boundingBox()));
      return boxes.every(
        (box) =>
          box !== null &&
          (box.y + box.height <= mark.y ||
            box.y >= mark.y + mark.height ||
            box.x + box.width <= mark.x ||
            box.x >= mark.x + mark.width),
      );
    });
    await assertNothingSticksOut(page, `pages at ${width} px`);
    await shoot(page, `meet-pages-light-${width}`);
  }
  await leaveAll(ada, ben, cleo);
});
