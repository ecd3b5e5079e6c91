// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { headOf, openRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

test("a client that hangs up in the middle of a body leaves a line in the log and no error", async (t) => {
  const world = await startWorld(t, { environment: { LOG_LEVEL: "info" } });
  const { token } = await world.tenant();
  const raw = openRaw(world.url);
  raw.send(headOf("/api/roomSetting", token, "x".repeat(1_000)));
  await raw.wait(/ 100 Continue/);
  raw.send('{"name":');
  raw.socket.destroy();
  const isLogged = () => world.log.some((line) => line.includes("the client hung up"));
  await until("it is logged", isLogged);
  const lines = world.log.map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.filter(({ level, err }) => level > 30 || err !== undefined),
    [],
  );
});
