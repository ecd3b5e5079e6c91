// Runs: sqlite, waits, complete
// Needs: media-engine

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorld } from "../world/world.ts";
import { sendBot } from "./bots.ts";
import { startEngineOfFile } from "./engine.ts";

/** Installed once: 130 MB. */
const PACKAGES = ["livekit==1.2.0", "websockets==17.4"];
const home = fileURLToPath(new URL("../../.cache/python-bot", import.meta.url));
const python = `${home}/bin/python`;
const sample = fileURLToPath(new URL("../../docs/samples/bot.py", import.meta.url));

/** Why LiveKit's SDK for Python cannot be used here; undefined if it can. */
const whyNot = (): string | undefined => {
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, { stdio: "pipe", timeout: 300_000 });
  try {
    if (!existsSync(python)) run("python3", ["-m", "venv", home]);
    run(python, ["-m", "pip", "install", "--quiet", ...PACKAGES]);
    return undefined;
  } catch (error) {
    const [reason] = String(error).split("\n");
    return `LiveKit's SDK for Python cannot be installed here: ${reason}`;
  }
};

const { skip, engine } = await startEngineOfFile();
const missing = engine && whyNot();
const world = engine && (await startWorld(test, { environment: engine.environment }));

test("a bot with LiveKit's SDK for Python takes part", { skip: missing ?? skip.skip }, (t) =>
  sendBot(t, world, [python, sample]),
);
