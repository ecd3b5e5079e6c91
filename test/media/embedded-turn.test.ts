import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { base62 } from "../../server/media/base62.ts";
import { embeddedTurn } from "../../server/media/embedded-turn.ts";

/*
 * Results of LiveKit's own code, from github.com/jxskiss/base62 v1.1.0 and the lines of CreateUsername and
 * computePassword in pkg/service/turn.go, v1.13.5.
 */
const golden = {
  "": "",
  "00": "AA",
  ff: "fH",
  "1e": "eA",
  "1f": "fA",
  "3e": "eB",
  "3f": "fB",
  "7e": "eD",
  ffff: "fffB",
  "0fff": "ffD",
  ffffff: "ffffP",
  fffefdfc: "83vffP",
  "7fbf5f2f": "v81vfD",
  "000102030405": "FQwACEAA",
};

test("bytes become the letters that LiveKit reads", () => {
  for (const [hex, text] of Object.entries(golden)) {
    assert.equal(base62(Buffer.from(hex, "hex")), text, hex);
  }
  // All lengths up to 512, as one digest.
  const all = createHash("sha256");
  let bytes = Buffer.alloc(0);
  for (let length = 1; length <= 512; length += 1) {
    const next = createHash("sha256").update(bytes).digest().subarray(0, 1);
    bytes = Buffer.concat([bytes, next]);
    all.update(base62(bytes));
  }
  const expected = "b9fe6c9f2daf3cd41f98c7f5cb4bd95079a99c1267e4bb57ebffef488eab8677";
  assert.equal(all.digest("hex"), expected);
});

test("credentials of the embedded TURN server are those that LiveKit computes", () => {
  const secret = "00112233445566778899aabbccddeeff".repeat(2);
  const seat = "0199c2a5-1b82-7f40-9d3e-8a5c7e2b4d61";
  const turn = embeddedTurn({ address: "203.0.113.7", port: 3478, from: 30000, to: 30099 }, secret);
  assert.deepEqual(turn(seat, 0), {
    urls: ["turn:203.0.113.7:3478?transport=udp"],
    username: "wADN2gDfixGyoRMZK7mxqJMcapsZILnWghGzupFZwRsYapmwkZscyJGY4LvyYTuwgD",
    credential: "vc0yMrveL2HrTrpsmt2unfRZMPMqCeV3yzgmsYLHCsqB",
  });
});
