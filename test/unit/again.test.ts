import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

// Imported by a computed address: only the console has a browser's types.
const pages = new URL("../../console/meet/call/", import.meta.url).href;
const { Again, mayHurry, pauseBefore } = await import(`${pages}again.ts`);

const MINUTE = 60_000;

test("a seat is retried with growing pauses for ten minutes, and for an hour after events", () => {
  const pauses: number[] = [];
  let time = 0;
  for (;;) {
    const pause = pauseBefore({ since: 0, count: pauses.length }, time);
    if (pause === undefined) break;
    pauses.push(pause);
    time += pause;
  }
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, other) => one - other),
    "growing",
  );
  assert.ok(time > 9 * MINUTE && time <= 10 * MINUTE, `for ${time} ms`);
  assert.ok((pauses[0] ?? 0) <= 5_000 && (pauses.at(-1) ?? 0) <= MINUTE);
  assert.ok(mayHurry({ since: 0, count: 99 }, 59 * MINUTE));
  assert.ok(!mayHurry({ since: 0, count: 99 }, 61 * MINUTE), "then the person is asked");
});

/** A page that can be hidden and shown. */
const startPage = (t: TestContext) => {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const listen = window.addEventListener.bind(window);
  const unlisten = window.removeEventListener.bind(window);
  const browser = globalThis as Record<string, unknown>;
  Object.assign(browser, { document, addEventListener: listen, removeEventListener: unlisten });
  t.after(() => {
    for (const name of ["document", "addEventListener", "removeEventListener"])
      delete browser[name];
  });
  return {
    online: () => window.dispatchEvent(new Event("online")),
    show: (visibilityState: string) => {
      document.visibilityState = visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    },
  };
};

test("a retry begins at once when the network or the page is back, is given up without an answer, and never begins after the end", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const page = startPage(t);
  const tries: ((isOver: boolean) => void)[] = [];
  let givenUp = 0;
  const again = new Again((signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    tries.push(resolve);
    signal.addEventListener("abort", () => {
      givenUp += 1;
      resolve(false);
    });
    return promise;
  });
  const settle = () => new Promise(setImmediate);
  const answer = async (isOver: boolean): Promise<void> => {
    tries.at(-1)?.(isOver);
    await settle();
  };
  again.start();
  assert.equal(tries.length, 0);
  t.mock.timers.tick(5_000);
  assert.equal(tries.length, 1);
  page.online();
  assert.equal(tries.length, 1, "one at a time");
  t.mock.timers.tick(15_000);
  await settle();
  assert.equal(givenUp, 1, "a dead network does not answer");
  page.show("hidden");
  assert.equal(tries.length, 1);
  page.show("visible");
  assert.equal(tries.length, 2);
  await answer(false);
  page.online();
  assert.equal(tries.length, 3);
  await answer(true);
  page.online();
  page.show("visible");
  t.mock.timers.tick(20 * MINUTE);
  assert.equal(tries.length, 3, "it is over");

  again.start();
  page.online();
  const asked = again.now();
  await settle();
  assert.equal(tries.length, 5, "somebody who asks does not wait for a try that hangs");
  await answer(true);
  await asked;
});
