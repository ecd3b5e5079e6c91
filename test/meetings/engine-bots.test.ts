// Runs: sqlite, waits
// Needs: media-engine

import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorld } from "../world/world.ts";
import { sendBot } from "./bots.ts";
import { startEngineOfFile } from "./engine.ts";

const { skip, engine } = await startEngineOfFile();
const world = engine && (await startWorld(test, { environment: engine.environment }));

const sample = fileURLToPath(new URL("../../docs/samples/bot.mjs", import.meta.url));

test("a bot with LiveKit's SDK for Node takes part", skip, (t) =>
  sendBot(t, world, [process.execPath, sample]),
);
