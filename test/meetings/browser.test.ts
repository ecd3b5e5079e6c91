import assert from "node:assert/strict";
import { test } from "node:test";
import { type Person, startMeetings } from "./people.ts";

const { room, enter, open } = await startMeetings();

const inside = (person: Person) => person.button("Leave").waitFor();
/** The tile of somebody on the stage. */
const tile = ({ page }: Person, name: string) =>
  page.getByRole("listitem").filter({ hasText: name }).first();
const leaveAll = (...people: readonly Person[]) =>
  Promise.all(people.map(({ context }) => context.close()));

test("two people see and hear each other directly", async () => {
  const { path } = await room({ roomType: "p2p" });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await inside(ada);
  const ben = await enter(path, "Ben");
  await inside(ben);
  const none = { frames: 0, energy: 0 };
  await Promise.all([
    ada.receivesMore(none, { frames: 20, energy: 0.0001 }),
    ben.receivesMore(none, { frames: 20, energy: 0.0001 }),
  ]);
  await ada.page.getByRole("log").getByText("Ben has come in.").waitFor({ state: "attached" });
  await leaveAll(ben);
  await ada.page.getByRole("log").getByText("Ben has left.").waitFor({ state: "attached" });
  await leaveAll(ada);
});

test("three people meet without a media engine; mute, camera, hand and chat reach the others", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  const cleo = await enter(path, "Cleo");
  const all = [ada, ben, cleo];
  await Promise.all(all.map(inside));
  await Promise.all(all.map((one) => one.receivesMore({ frames: 0, energy: 0 }, { frames: 40 })));

  await ben.button("Turn the microphone off").click();
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  await ben.page.keyboard.press("m");
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "detached" });

  await ben.page.keyboard.press("v");
  await tile(ada, "Ben").locator("video").waitFor({ state: "detached" });
  await ben.page.keyboard.press("v");
  await tile(ada, "Ben").locator("video").waitFor();

  await cleo.page.keyboard.press("h");
  await tile(ada, "Cleo").getByText("hand raised").waitFor({ state: "attached" });

  await ben.page.keyboard.press("c");
  await ben.page.getByRole("textbox", { name: "Message to everybody" }).fill("Hello M");
  await ben.page.keyboard.press("Enter");
  await ada.button(/Chat, 1 unread message/).click();
  await ada.page.getByRole("complementary").getByText("Hello M").waitFor();
  // Typing an M is not the shortcut.
  assert.equal(await tile(ada, "Ben").getByText("muted").count(), 0);
  await leaveAll(...all);
});

test("who waits is let in by a moderator; muted, removed and locked out by one", async () => {
  const { path } = await room({ authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await inside(ada);
  const ben = await enter(path, "Ben");
  await ben.page.getByRole("heading", { name: "A moderator will let you in" }).waitFor();
  await ada.page.getByText("Ben is waiting", { exact: true }).waitFor();
  await ada.button("Admit").click();
  await inside(ben);

  await ada.page.keyboard.press("p");
  await ada.button("Actions for Ben").click();
  await ada.page.getByRole("menuitem", { name: "Turn the microphone off" }).click();
  await ben.page.getByText(/has turned your microphone off/).waitFor();
  await ben.button("Turn the microphone on").waitFor();

  await ada.button("More").click();
  await ada.page.getByRole("menuitem", { name: "Lock the meeting" }).click();
  await ben.page.getByText("Locked", { exact: true }).waitFor();
  const late = await enter(path, "Late");
  await late.page.getByText("A moderator has locked this meeting.").waitFor();

  await ada.button("Actions for Ben").click();
  await ada.page.getByRole("menuitem", { name: "Remove" }).click();
  await ada.page.getByRole("dialog").getByLabel("Not to this meeting").check();
  await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await ben.page.getByRole("heading", { name: "You were excluded" }).waitFor();
  assert.equal(await ben.button("Enter again").count(), 0);
  await leaveAll(ada, ben, late);
});

test("a shared screen is large for the others, until it is stopped", async () => {
  const { path } = await room({ enablePresenters: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([inside(ada), inside(ben)]);
  await ben.button("Share a screen").click();
  await tile(ada, "Screen of Ben").locator("video").waitFor();
  const before = await ada.received();
  await ada.receivesMore(before);
  await ben.button("Stop sharing").click();
  await tile(ada, "Screen of Ben").waitFor({ state: "detached" });
  await leaveAll(ada, ben);
});

test("after a cut the page says so, comes back by itself, and stays muted", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([inside(ada), inside(ben)]);
  await ben.page.keyboard.press("m");
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  await ben.context.setOffline(true);
  await ben.page.evaluate("globalThis.sockets.forEach((socket) => socket.close())");
  await ben.page.getByText("The connection is lost").waitFor();
  await tile(ada, "Ben").getByText("reconnecting").waitFor();
  await ben.context.setOffline(false);
  await ben.page.getByText("The connection is lost").waitFor({ state: "detached" });
  await tile(ada, "Ben").getByText("reconnecting").waitFor({ state: "detached" });
  await ben.button("Turn the microphone on").waitFor();
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  const before = await ben.received();
  await ben.receivesMore(before);
  await leaveAll(ada, ben);
});

test("whoever leaves can enter again; whoever ends it ends it for everybody", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([inside(ada), inside(ben)]);
  await ben.button("Leave").click();
  await ben.page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  await ben.button("Enter again").click();
  await inside(ben);
  await ada.button("More").click();
  await ada.page.getByRole("menuitem", { name: "End for everybody" }).click();
  await ada.page.getByRole("dialog").getByRole("button", { name: "End for everybody" }).click();
  for (const one of [ada, ben]) {
    await one.page.getByRole("heading", { name: "The meeting has ended" }).waitFor();
  }
  await leaveAll(ada, ben);
});

test("a wrong password is said at its field, and the right one opens", async () => {
  const { path } = await room({ roomPassword: "tea time" });
  const ben = await open(path);
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.page.getByLabel("Password of the room").fill("coffee time");
  await ben.button("Join").click();
  await ben.page.getByText("The room's password is not right.").waitFor();
  await ben.page.getByLabel("Password of the room").fill("tea time");
  await ben.button("Join").click();
  await inside(ben);
  await leaveAll(ben);
});

test("a link that opens nothing says so", async () => {
  const { page, context } = await open("/m/nothing-here");
  await page.getByRole("heading", { name: "There is no such room" }).waitFor();
  await context.close();
});
