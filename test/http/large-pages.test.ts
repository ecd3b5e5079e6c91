import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { addHeldMeeting } from "../world/held.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

/** More than a page has. */
const MANY = 1_005;

test("walking the pages of a limit that is cut shows every meeting, recording and spoken word once", async () => {
  const { id: organizationId, admin, ask, change } = await world.tenant();
  const room = "board";
  await ask("createRoom", { name: "Board", room, roomOwnerId: admin.id });
  // In changes of 25: a change may take five seconds.
  for (let from = 0; from < MANY; from += 25) {
    await change(async ({ tx }) => {
      for (let n = from; n < Math.min(from + 25, MANY); n += 1) {
        const at = new Date(Date.now() - n * 60_000);
        const meeting = { organizationId, room, meetingId: uuid7(), userId: admin.id, name: "Ann" };
        await addHeldMeeting(tx, { ...meeting, at, text: "So be it" });
      }
    });
  }
  const lists = [
    ["listMeetings", "meetings", {}],
    ["listRecordings", "recordings", {}],
    ["searchTranscripts", "found", { search: "be" }],
  ] as const;
  for (const [operation, key, criteria] of lists) {
    const seen: string[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { body } = await ask(operation, { ...criteria, page, limit: 5_000 });
      assert.deepEqual(
        body.pagination,
        { page, limit: 1_000, total: MANY, totalPages: 2 },
        operation,
      );
      last = body.pagination.totalPages;
      for (const { recordingId, meetingId } of body[key]) seen.push(recordingId ?? meetingId);
    }
    assert.deepEqual([seen.length, new Set(seen).size], [MANY, MANY], operation);
  }
});
