import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by a computed address: only the console has a browser's types.
const { measure } = await import(
  new URL("../../console/meet/call/levels.ts", import.meta.url).href
);

test("a microphone that the browser does not measure counts as silent, and breaks nothing", (t) => {
  t.mock.method(console, "warn", () => {});
  const browser = globalThis as { AudioContext?: unknown; MediaStream?: unknown };
  browser.MediaStream = class {};
  browser.AudioContext = class {
    resume = async () => {};
    createMediaStreamSource() {
      throw new DOMException("with different sample-rate", "NotSupportedError");
    }
  };
  t.after(() => {
    delete browser.AudioContext;
    delete browser.MediaStream;
  });
  const meter = measure({});
  assert.equal(meter.level(), 0);
  meter.close();
});
