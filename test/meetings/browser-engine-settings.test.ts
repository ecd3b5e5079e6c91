// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import { after, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { startMeetings } from "./people.ts";
import { switchesHold, viewersWatch, type Way } from "./settings-rows.ts";

const skip = { skip: noEngine };
const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));
const byEngine = async (): Promise<Way> => ({
  meetings: await withEngine(meetings),
  isDirect: false,
});

test(
  "media that a room does not allow never pass the engine, even from a modified page",
  skip,
  async () => switchesHold(await byEngine()),
);

test(
  "viewers of an event publish nothing until they take part, and the limit on participants holds",
  skip,
  async () => viewersWatch(await byEngine()),
);
