import assert from "node:assert/strict";
import { test } from "node:test";
import { createRoom as contract } from "../../contract/rooms/rooms.ts";
import { binRooms, deleteFromBin } from "../../server/bin/bin.ts";
import { type Change, openOrganization, operator } from "../../server/change/organization.ts";
import { deleteRecording } from "../../server/recordings/library.ts";
import { deleteRoom } from "../../server/rooms/delete.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { startWorld } from "../world/world.ts";
import { addRecordingRow } from "./rows.ts";

const world = await startWorld(test);

test("a change that deletes a recording wakes the keeper after its commit, however it comes about", async () => {
  const { id, change, admin, ask } = await world.tenant();
  const { attempt } = openOrganization(world.database, id, operator);
  await ask("editOrganization", { binDays: 30 });
  let woken = 0;
  world.database.leftWork.listen("erasures", () => {
    woken += 1;
  });
  const newRoom = (): Promise<string> =>
    change(async (begun) => {
      const wanted = contract.input.parse({ name: "Room", roomOwnerId: admin.id });
      return JSON.parse(await createRoom(begun, wanted)).room;
    });
  type Deletion = (one: Change, room: string, recording: string) => Promise<unknown>;
  const deletions: Readonly<Record<string, Deletion>> = {
    "the recording": (one, _, recording) => deleteRecording(one, recording),
    "its room": deleteRoom,
    "its room, out of the bin": async (one, room) =>
      deleteFromBin(one, (await binRooms(one, [room])).ids),
  };
  for (const [deleted, rule] of Object.entries(deletions)) {
    const room = await newRoom();
    const recording = await change((begun) => addRecordingRow(begun, room));
    woken = 0;
    await attempt((one) => rule(one, room, recording));
    assert.equal(woken, 0, `${deleted}: only attempted`);
    await change(async (one) => {
      await rule(one, room, recording);
      assert.equal(woken, 0, `${deleted}: not committed yet`);
    });
    assert.equal(woken, 1, deleted);
  }
});
