import { test } from "node:test";
import { startMeetings } from "./people.ts";
import { privacyHolds, switchesHold, viewersWatch } from "./settings-rows.ts";

const direct = { meetings: await startMeetings(), isDirect: true };

test("what a room does not allow is neither seen nor heard, also from a changed page, while browsers connect directly", () =>
  switchesHold(direct));

test("with privacy participants get nothing of each other, also by a changed page, while browsers connect directly", () =>
  privacyHolds(direct));

test("viewers of an event are not seen until they take part, and no more than may, while browsers connect directly", () =>
  viewersWatch(direct));
