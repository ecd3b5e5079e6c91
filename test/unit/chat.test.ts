import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by their addresses: a browser's types are the console's alone.
const pages = new URL("../../console/", import.meta.url).href;
const { openChat } = await import(`${pages}meet/call/chat.ts`);
const { createStore } = await import(`${pages}kit/store.ts`);

/** A chat whose messages are answered by hand, in any order. */
const start = () => {
  const view = { you: { peerId: "me" } };
  const store = createStore({ draft: "", chat: [], unread: 0, panel: "none", view });
  const answers = new Map<string, (hasArrived: boolean) => void>();
  const send = (text: string) => new Promise<boolean>((resolve) => void answers.set(text, resolve));
  const chat = openChat({ store, send });
  const say = (text: string): Promise<void> => {
    chat.write(text);
    return chat.say();
  };
  const answer = (text: string, hasArrived: boolean) => answers.get(text)?.(hasArrived);
  const { get } = store;
  return { chat, say, answer, draft: () => get().draft, unread: () => get().unread };
};

test("unsent messages return in the order in which they were written, before newer text", async () => {
  const { chat, say, answer, draft } = start();
  const said = Promise.all(["first", "second", "third"].map(say));
  chat.write("and then");
  answer("third", false);
  answer("second", true);
  answer("first", false);
  await said;
  assert.equal(draft(), "first\nthird\nand then");
});

test("a failed message returns once, and not again with the next one", async () => {
  const { chat, say, answer, draft } = start();
  const failed = say("first");
  answer("first", false);
  await failed;
  assert.equal(draft(), "first");
  chat.write("");
  const next = say("second");
  answer("second", true);
  await next;
  assert.equal(draft(), "");
});

test("a person's own message is not unread when they close the chat before it arrives", () => {
  const { chat, unread } = start();
  chat.add([
    { number: 1, peerId: "me" },
    { number: 2, peerId: "somebody" },
  ]);
  assert.equal(unread(), 1);
});
