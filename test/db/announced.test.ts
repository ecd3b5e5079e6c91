// Runs: postgres

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

test("changes that end together announce each meeting once", async (t) => {
  const { database } = await startWorld(t);
  const heard: (string | undefined)[] = [];
  const stop = await database.announcements.listen((meetingId) => heard.push(meetingId));
  t.after(stop);
  await until("it listens", () => heard.includes(undefined));
  database.announcements.announce(["one"]);
  database.announcements.announce(["one", "two"]);
  await until("both are heard", () => heard.includes("two"));
  assert.deepEqual(heard.filter((one) => one !== undefined).sort(), ["one", "two"]);
});
