import assert from "node:assert/strict";
import { test } from "node:test";
import { openThread } from "../../server/lib/thread.ts";
import { until } from "../world/process.ts";

/** Answers its number. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ id }) => parentPort.postMessage({ id, answer: threadId }));
  `)}`,
);

test("a thread that nobody asks ends, and another one answers the next question", async (t) => {
  const thread = openThread<null, number>(file, undefined, 1);
  t.after(thread.end);
  const first = await thread.ask(null);
  await until("another thread answers", async () => (await thread.ask(null)) !== first);
});

test("a thread answers one question after the other", async (t) => {
  const thread = openThread<null, number>(file);
  t.after(thread.end);
  const [first, second] = [await thread.ask(null), await thread.ask(null)];
  assert.equal(second, first);
});
