// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Answers have English texts in these fields, each with a code beside it. */
const READS =
  /\.(?:message|lastError|problem)\b|\{[^{}]*\b(?:message|lastError|problem)\b[^{}]*\}\s*(?:=[^>]|:\s)/g;

/** The files that read such a field, how often, and why no English is shown in another language. */
const known: Readonly<Record<string, readonly [times: number, why: string]>> = {
  "capture/start.ts": [1, "the page that records: its errors go into the log"],
  "embed/kit.ts": [1, "an error for the page around it, in English, with a code"],
  "history/facts.ts": [1, "by code"],
  "imports/import-view.tsx": [1, "by code; lines of earlier versions have none"],
  "kit/client.ts": [1, "by code"],
  "kit/form.ts": [1, "by code"],
  "kit/mail-notice.tsx": [
    2,
    "by code; the text itself only in English, and as the name of the notice",
  ],
  "kit/reasons.ts": [1, "shows codes"],
  "meet/app.tsx": [1, "words of a moderator, or of the page"],
  "meet/call/ending.ts": [1, "words of a moderator; the others by code"],
  "meet/call/visit.ts": [2, "messages of the socket, not their texts"],
  "meet/embed/failures.ts": [1, "an error for the page around it, in English, with a code"],
  "meet/pages/ended.tsx": [1, "words of a moderator, or of the page"],
  "meet/parts/chat-panel.tsx": [2, "a message of the chat"],
  "meet/parts/device-fields.tsx": [4, "a code"],
  "meet/parts/record-item.tsx": [1, "a code"],
  "meet/parts/recording-banners.tsx": [1, "a code"],
  "organization/emails.tsx": [1, "the label of the column"],
  "providers/provider-page.tsx": [1, "by code"],
  "rooms/room-form.tsx": [1, "by code"],
  "webhooks/delivery-dialog.tsx": [1, "the label of the field"],
};

test("each place of the pages that reads a text of the service is known to show it by its code", () => {
  const found = globSync("console/**/*.{ts,tsx}", { cwd: root }).flatMap((file) => {
    const times = [...readFileSync(`${root}/${file}`, "utf8").matchAll(READS)].length;
    return times === 0 ? [] : [`${file.slice("console/".length)}: ${times}`];
  });
  const expected = Object.entries(known).map(([file, [times]]) => `${file}: ${times}`);
  assert.deepEqual(found.toSorted(), expected.toSorted());
});
