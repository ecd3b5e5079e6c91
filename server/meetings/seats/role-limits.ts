import type { CompiledQuery } from "kysely";
import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Queries } from "../../change/organization.ts";
import { guestOfPerson } from "../../db/person-keys.ts";
import { prepared } from "../../db/prepared.ts";
import { openIn, type PersonSeat } from "./seat.ts";

/*
 * A role that a moderator takes from somebody stays taken until the meeting ends or a moderator gives it
 * back: otherwise they would only have to leave and enter again. A role that a moderator gives goes with
 * its seat. Hosts take any role, as they pass exclusions.
 */

/** Returns whether a role is higher than another. */
export const isHigher = (role: PeerType, than: PeerType): boolean =>
  peerTypes.indexOf(role) < peerTypes.indexOf(than);

const askLimits = prepared<
  { readonly hasDevice: boolean },
  { readonly roomId: string; readonly person: string; readonly device: string },
  Limited
>((db, { hasDevice }, { roomId, person, device }) =>
  db
    .selectFrom("seats")
    .select("role_limit")
    .where("meeting_id", "=", openIn(db, roomId))
    .where("role_limit", "is not", null)
    .where(({ or, eb }) =>
      or([eb("person", "=", person), ...(hasDevice ? [eb("device", "=", device)] : [])]),
    ),
);

/**
 * The highest role that moderators of a room's open meeting have left somebody, also as a guest in the browser of an
 * account or an invited person; undefined: none was taken from them.
 */
export const roleLimitOf = async (
  db: Queries,
  roomId: string,
  person: string,
): Promise<PeerType | undefined> => {
  const { rows } = await db.executeQuery(limitsOf(db, roomId, person));
  return lowestOf(rows);
};

type Limited = Pick<PersonSeat, "role_limit">;

/** The query of `lowestOf`: every role that was left to somebody. */
export const limitsOf = (db: Queries, roomId: string, person: string): CompiledQuery<Limited> => {
  const device = guestOfPerson(person);
  const shape = { hasDevice: device !== undefined };
  return askLimits.statement(db, shape, { roomId, person, device: device ?? "" });
};

/** The lowest of these roles. */
export const lowestOf = (limited: readonly Limited[]): PeerType | undefined =>
  limited
    .flatMap(({ role_limit }) => role_limit ?? [])
    .toSorted((one, other) => (isHigher(one, other) ? 1 : -1))[0];

/** Stores that a moderator has changed somebody's role, for all seats that they have had in the meeting. */
export const limitRole = async (
  tx: Queries,
  { room_id, meeting_id, person, role: former }: PersonSeat,
  role: PeerType,
): Promise<void> => {
  // A higher role than before takes nothing from them, unless one was taken earlier.
  if (!isHigher(former, role) && !(await roleLimitOf(tx, room_id, person))) return;
  await tx
    .updateTable("seats")
    .set({ role_limit: role })
    .where("meeting_id", "=", meeting_id)
    .where("person", "=", person)
    .execute();
};
