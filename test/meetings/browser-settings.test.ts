// Runs: sqlite, pictures, first
// Needs: browser

import { test } from "node:test";
import { onlyComplete } from "../world/seed.ts";
import { startMeetings } from "./people.ts";
import { privacyHolds, switchesHold, viewersWatch } from "./settings-rows.ts";

const direct = { meetings: await startMeetings(), isDirect: true };

test(
  "media that a room does not allow are neither seen nor heard, even from a modified page, while browsers connect directly",
  { skip: onlyComplete },
  () => switchesHold(direct),
);

test("with privacy participants get nothing of each other, even with a modified page, while browsers connect directly", () =>
  privacyHolds(direct));

test(
  "viewers of an event are not seen until they take part, and the limit on participants holds, while browsers connect directly",
  {
    skip: onlyComplete,
  },
  () => viewersWatch(direct),
);
