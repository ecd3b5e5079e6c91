import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by computed addresses: only the console has a browser's types.
const call = new URL("../../console/meet/call/", import.meta.url).href;
const { ownMedia } = await import(`${call}own-media.ts`);
const { openPublisher } = await import(`${call}publish.ts`);

test("a microphone that could not be sent and is turned off is withdrawn, so that no later connection sends it", async (t) => {
  t.mock.method(console, "warn", () => {});
  const asked: unknown[][] = [];
  const adapter = {
    publish: async (...what: unknown[]) => {
      asked.push(what);
      if (what[1] !== null) throw new Error("The engine did not answer.");
    },
    hush: () => {},
  };
  const publisher = openPublisher(adapter, () => {});
  const settle = () => publisher.settle({ audio: true, video: true, share: true });
  settle();
  assert.deepEqual(asked, [], "nothing is on");
  // The publisher only compares a browser's tracks.
  const microphone = {};
  ownMedia.set({ audio: microphone });
  settle();
  await new Promise(setImmediate);
  ownMedia.set({ audio: null });
  settle();
  settle();
  assert.deepEqual(asked, [
    ["audio", microphone],
    ["audio", null],
  ]);
});
