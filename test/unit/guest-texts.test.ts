// Runs: always

import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalog } from "../../languages/read.ts";

/** The messages that teachers and guests read, in a meeting and about it. */
const read = [
  ...readCatalog("en", "meet"),
  ...[...readCatalog("en", "recordings")].filter(([key]) => key.startsWith("transcripts.")),
];

/** Words for operators, and names of fields of the interface. */
const foreign =
  /\b(?:operator|the log|server|database|Chromium|ffmpeg|LiveKit)\b|\b[a-z]+[A-Z_]\w*/;

/** A message without its parameters, and without the words by which it chooses. */
const plain = (message: string): string =>
  message.replace(/\{\w+(?:, (?:plural|select|number),?)?|(?<=[,}] )[\w=]+ (?=\{)/g, "");

test("texts of a meeting speak to teachers and guests, not to operators or programs", () => {
  assert.ok(read.length > 300);
  assert.deepEqual(
    read.filter(([, message]) => foreign.test(plain(message))),
    [],
  );
  assert.match("Tell the operator.", foreign);
  assert.match("The field roomId", foreign);
  assert.equal(plain("At {n, plural, one {# is.} other {# are.}}"), "At  {# is.} {# are.}}");
});
