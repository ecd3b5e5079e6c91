import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Queries } from "../../change/organization.ts";
import { guestOfPerson } from "../../db/person-keys.ts";
import { prepared } from "../../db/prepared.ts";
import type { PersonSeat } from "./seat.ts";

/*
 * A role that a moderator takes from somebody stays taken until the meeting ends or a moderator gives it
 * back: otherwise they would only have to leave and enter again. A role that a moderator gives goes with
 * its seat. Hosts take any role, as they pass exclusions.
 */

/** Whether a role is higher than another. */
export const isHigher = (role: PeerType, than: PeerType): boolean =>
  peerTypes.indexOf(role) < peerTypes.indexOf(than);

const askLimits = prepared<
  { readonly hasDevice: boolean },
  { readonly meetingId: string; readonly person: string; readonly device: string },
  Pick<PersonSeat, "role_limit">
>((db, { hasDevice }, { meetingId, person, device }) =>
  db
    .selectFrom("seats")
    .select("role_limit")
    .where("meeting_id", "=", meetingId)
    .where("role_limit", "is not", null)
    .where(({ or, eb }) =>
      or([eb("person", "=", person), ...(hasDevice ? [eb("device", "=", device)] : [])]),
    ),
);

/**
 * The highest role that moderators of a meeting have left somebody, also as a guest in the browser of an
 * account or an invited person; undefined: none was taken from them.
 */
export const roleLimitOf = async (
  db: Queries,
  meetingId: string,
  person: string,
): Promise<PeerType | undefined> => {
  const device = guestOfPerson(person);
  const shape = { hasDevice: device !== undefined };
  const limited = await askLimits(db, shape, { meetingId, person, device: device ?? "" });
  const limits = limited.flatMap(({ role_limit }) => role_limit ?? []);
  return limits.toSorted((one, other) => (isHigher(one, other) ? 1 : -1))[0];
};

/** Stores that a moderator has changed somebody's role, for all seats that they have had in the meeting. */
export const limitRole = async (
  tx: Queries,
  { meeting_id, person, role: former }: PersonSeat,
  role: PeerType,
): Promise<void> => {
  // A higher role than before takes nothing from them, unless one was taken earlier.
  if (!isHigher(former, role) && !(await roleLimitOf(tx, meeting_id, person))) return;
  await tx
    .updateTable("seats")
    .set({ role_limit: role })
    .where("meeting_id", "=", meeting_id)
    .where("person", "=", person)
    .execute();
};
