// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, bareTexts } from "../console/looks.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter } = await startMeetings();

/** Messages from the page wait until the test lets them through. */
const HOLD_MESSAGES = `(() => {
  const socket = globalThis.sockets.at(-1);
  const held = [];
  socket.send = (text) => held.push(text);
  globalThis.sendHeld = () => {
    delete socket.send;
    for (const text of held) socket.send(text);
  };
})()`;

test("no text typed in the chat is lost; the list stays where a person reads, and links end where the sentence continues", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  await Promise.all([ada, ben].map(isInside));
  const fieldOf = ({ page }: Person) => page.getByRole("textbox", { name: "Message to everybody" });
  const bens = fieldOf(ben);
  const writes = async (one: Person, text: string): Promise<void> => {
    await fieldOf(one).fill(text);
    await fieldOf(one).press("Enter");
  };
  for (const one of [ada, ben]) await one.button("Chat").click();

  // While a message is on its way, and while the chat is closed.
  await ben.page.evaluate(HOLD_MESSAGES);
  await writes(ben, "Hello");
  assert.equal(await bens.inputValue(), "");
  await bens.fill("And more");
  await ben.page.evaluate("globalThis.sendHeld()");
  const list = ada.page.getByRole("list", { name: "Messages" });
  await list.getByText("Hello").waitFor();
  await ben.button(/^People/).click();
  await bens.waitFor({ state: "detached" });
  await ben.button("Chat").click();
  assert.equal(await bens.inputValue(), "And more");

  // Of an input method.
  await bens.dispatchEvent("keydown", { key: "Escape", isComposing: true });
  assert.equal(await bens.inputValue(), "And more");

  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line}`).join("\n");
  await writes(ben, `${lines}\n(https://example.org/a).`);
  const link = list.getByRole("link");
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "https://example.org/a");
  const look = (script: string) =>
    ada.page.evaluate<number>(`{
      const list = document.querySelector("ul[aria-label=Messages]");
      ${script};
    }`);
  const fromEnd = () => look("list.scrollHeight - list.scrollTop - list.clientHeight");
  assert.ok((await fromEnd()) < 2);
  await look(`new Promise((done) => {
    list.addEventListener("scroll", () => done(0), { once: true });
    list.scrollTop = 0;
  })`);
  await writes(ben, "One more");
  await list.getByText("One more").waitFor({ state: "attached" });
  assert.equal(await look("list.scrollTop"), 0);
  await writes(ada, "I see");
  await until("the end is shown", async () => (await fromEnd()) < 2);
  await leaveAll(ada, ben);
});

test("a message that is too long is marked before it is sent, and a refused one is kept", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  await Promise.all([ada, ben].map(isInside));
  for (const one of [ada, ben]) await one.button("Chat").click();
  const field = ben.page.getByRole("textbox", { name: "Message to everybody" });
  const list = ada.page.getByRole("list", { name: "Messages" });
  const left = ben.page.getByText(/characters? left/);

  await field.fill("x".repeat(1_799));
  assert.equal(await left.count(), 0);
  // Characters as people count them.
  await field.fill(`${"🙂".repeat(1_998)}.`);
  await ben.page.getByText("1 character left").waitFor();
  await field.press("Enter");
  await list.getByText(/^(🙂)+\.$/u).waitFor();

  const tooLong = `${"x".repeat(2_000)}y`;
  await field.fill(tooLong);
  await ben.page
    .getByText("A message has at most 2000 characters. This one has 1 too many.")
    .waitFor();
  assert.equal(await ben.button("Send").isDisabled(), true);
  await assertAccessible(ben.page, "a message that is too long");
  await field.press("Enter");
  assert.equal(await field.inputValue(), tooLong);
  await field.press("End");
  await field.press("Backspace");
  await ben.page.getByText("0 characters left").waitFor();
  await field.press("Enter");
  await list.getByText(/^x+$/).waitFor();

  const edit = (enableChatOption: boolean) =>
    service.client.editRoom({ room: roomId, roomOwnerId: service.adminId, enableChatOption });
  await ben.page.evaluate(HOLD_MESSAGES);
  await field.fill("Nobody reads this");
  await field.press("Enter");
  assert.equal(await field.inputValue(), "");
  await edit(false);
  await ben.page.getByText("The chat is off in this room.").waitFor();
  await ben.page.evaluate("globalThis.sendHeld()");
  // The setting may be faster than the browser: the message must arrive while the chat is off.
  await ben.page.getByText("The settings of this room do not allow this.").waitFor();
  await edit(true);
  await until(
    "the message is back",
    async () => (await field.inputValue()) === "Nobody reads this",
  );
  await leaveAll(ada, ben);
});

test("right-to-left names and messages are isolated, and addresses read from the left", async () => {
  const foreign = "\u05d0\u05d1\u05d2 1";
  const agenda = `${foreign} https://example.org/\u05d0`;
  const { path } = await room({ name: foreign, roomAgenda: agenda, authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  await isInside(ada);
  const ben = await enter(path, `${foreign}\u202e\t`, { script: NO_DEVICES });
  await ben
    .button("Leave")
    .or(ben.page.getByRole("heading", { level: 1 }))
    .first()
    .waitFor();
  const assertApart = async (...people: readonly Person[]) => {
    for (const { page } of people) assert.deepEqual(await bareTexts(page, foreign), []);
  };
  await ada.button("Admit").waitFor();
  await assertApart(ada, ben);
  await ada.button(/^People/).click();
  await ada.page.getByRole("list").getByText(foreign).first().waitFor();
  await assertApart(ada);
  await ada.button(`Admit \u2068${foreign}\u2069`).click();
  await isInside(ben);
  await ben.button("Chat").click();
  const field = ben.page.getByRole("textbox", { name: "Message to everybody" });
  await field.fill(agenda);
  await field.press("Enter");
  await ada.button("Chat").click();
  const link = ada.page.getByRole("list", { name: "Messages" }).getByRole("link");
  await link.waitFor();
  assert.equal(await link.getAttribute("dir"), "ltr");
  await assertApart(ada, ben);
  assert.equal(await ada.tile(foreign).count(), 1);
  await leaveAll(ada, ben);
});
