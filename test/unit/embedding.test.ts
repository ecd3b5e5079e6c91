import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  embedCodes,
  type FromMeeting,
  hideable,
  meetingEvents,
  meetingMethods,
  PROTOCOL,
} from "../../console/embed/protocol.ts";
import { openLine } from "../../console/meet/embed/line.ts";
import { root } from "../../packaging/folder.ts";

const portal = "https://portal.example.org";

/** A page of a meeting with these origins, and its actions so far. */
const framed = () => {
  const parent = { name: "the page around" };
  const posted: (readonly [FromMeeting, string])[] = [];
  const done: unknown[] = [];
  const looks: unknown[] = [];
  let opened = 0;
  const hear = openLine({
    parent,
    origins: [portal, "https://other.example.org"],
    post: (...message) => posted.push(message),
    appear: (appearance) => looks.push(appearance),
    carryOut: async (...call) => {
      done.push(call);
      return undefined;
    },
    onOpen: () => {
      opened += 1;
    },
  });
  return {
    parent,
    posted,
    done,
    looks,
    opened: () => opened,
    hear: (data: unknown, origin = portal, source: unknown = parent) =>
      hear({ data, origin, source }),
  };
};

const call = { parley: PROTOCOL, type: "call", id: 1, method: "mute" };
const appearance = { parley: PROTOCOL, type: "appearance", appearance: {} };
const welcome = [{ parley: PROTOCOL, type: "welcome" }, portal];

test("the page of a meeting hears only the page around it, of an allowed origin and this version", async () => {
  const { hear, posted, looks, done, opened, parent } = framed();
  for (const message of [appearance, call]) {
    hear(message, "https://evil.example.org");
    hear(message, "null");
    hear(message, `${portal}.evil.example.org`);
    hear(message, portal, {});
    hear(message, portal, null);
    hear({ ...message, parley: PROTOCOL + 1 });
    hear({ ...message, parley: String(PROTOCOL) });
  }
  hear(call);
  assert.deepEqual([posted, looks, done], [[], [], []]);

  hear(appearance);
  hear(appearance, portal, parent);
  assert.deepEqual(posted, [welcome, welcome]);
  assert.deepEqual([looks.length, opened()], [2, 1]);
  hear(call, "https://other.example.org");
  assert.deepEqual(done, []);
  hear({ ...call, input: "x" });
  await Promise.resolve();
  assert.deepEqual(done, [["mute", "x"]]);
  assert.deepEqual(posted.at(-1), [
    { parley: PROTOCOL, type: "answer", id: 1, failure: undefined },
    portal,
  ]);
});

test("malformed messages change nothing, and of an appearance only what makes sense is taken", () => {
  const { hear, posted, looks, done } = framed();
  const junk = [null, undefined, "", 1, [], {}, { parley: PROTOCOL }, "ready", new Date()];
  for (const one of junk) hear(one);
  hear({ ...appearance, type: "APPEARANCE" });
  assert.deepEqual([posted, looks], [[], []]);
  const plain = { name: "", theme: "auto", hide: [] };
  for (const given of [undefined, null, 7, "dark", [], { name: 1, theme: "red", hide: "chat" }]) {
    hear({ ...appearance, appearance: given });
    assert.deepEqual(looks.at(-1), plain);
  }
  posted.length = 0;
  const wanted = { name: "Ann", theme: "dark", hide: ["end", "nothing", 3, "chat"] };
  hear({ ...appearance, appearance: wanted });
  assert.deepEqual(looks.at(-1), { name: "Ann", theme: "dark", hide: ["chat", "end"] });
  for (const id of [undefined, null, "1", {}]) hear({ ...call, id });
  for (const one of junk) hear(one);
  assert.deepEqual([posted, done], [[welcome], []]);
});

test("docs/embedding.md names every method, event, code and part that can be hidden", () => {
  const text = readFileSync(join(root, "docs/embedding.md"), "utf8");
  const names = [...meetingEvents, ...embedCodes, ...hideable].map((name) => `\`${name}\``);
  const methods = meetingMethods.map((name) => `\`${name}(`);
  const missing = [...names, ...methods].filter((name) => !text.includes(name));
  assert.deepEqual(missing, []);
});
