import assert from "node:assert/strict";
import { test } from "node:test";
import { askAs } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { enter, openSocket } from "./inside.ts";

const skip = onPostgres && "other processes go on there";

test("people inside keep their seats when the only service stops and starts again, however long that takes", {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const { token, admin } = await house.beside((world) => world.tenant());
  const before = await startProcess(t, house.environment);
  const ask = askAs(before.url, token);
  await ask("createRoom", { name: "Board", room: "r", roomOwnerId: admin.id });
  const mo = await enter(t, { url: before.url, ask }, "r", { peerName: "Mo" });
  await before.end("SIGTERM");
  await until("the page is told to connect again", () => mo.closed === 1012);
  await house.beside(({ database }) =>
    database.change(async (tx) => {
      const longAgo = new Date(Date.now() - 3_600_000).toISOString();
      await tx.updateTable("seats").set({ lease_until: longAgo }).execute();
    }),
  );
  const after = await startProcess(t, house.environment);
  const again = await openSocket(t, after.url, mo);
  await until("Mo is back", () => again.view !== undefined);
  assert.equal(again.view?.you.peerId, mo.peerId);
});
