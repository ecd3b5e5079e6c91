import type { Checked } from "../../contract/kit/operation.ts";
import type { roomDoor as contract } from "../../contract/meetings/door.ts";
import { roomSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import { ownRoom } from "../meetings/state/links.ts";
import { findOpenMeeting } from "../meetings/state/open-meeting.ts";
import { settleMeeting } from "../meetings/state/running.ts";

/* The door's settings beside the room's record, which has no field for them (0046). */

/**
 * Returns whether guests wait for a host; changes it if supplied.
 *
 * @throws Refusal `room_not_found`, also for a room that the caller does not see
 */
export const roomDoor = async (
  change: Change,
  { roomId, waitsForHost }: Checked<typeof contract>,
): Promise<boolean> => {
  const { tx, organization, caller } = change;
  const row = await ownRoom(tx, organization.id, caller, roomId);
  const before = row.waits_for_host;
  if (waitsForHost === undefined || waitsForHost === before) return before;
  await tx
    .updateTable("rooms")
    .set({ waits_for_host: waitsForHost })
    .where("id", "=", row.id)
    .execute();
  change.happened({
    kind: "roomEdited",
    subject: roomSubject(row),
    before: { waitsForHost: before },
    after: { waitsForHost },
  });
  const meeting = await findOpenMeeting(tx, row.id);
  if (meeting) await settleMeeting(change, meeting.id);
  return waitsForHost;
};
