import { sql } from "kysely";
import type { Organization } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { nextOwned } from "../records/room-owners.ts";
import { formerOwners, recordOf } from "../records/rooms.ts";
import { inOrder, mapped, type Pieces } from "./pieces.ts";

/**
 * The condition that a room exists, in the bin too. A permanently deleted one may keep its row while in use.
 */
export const roomExists = (room: "r" | "rooms") =>
  sql<boolean>`(${sql.ref(`${room}.deleted_at`)} is null
    or exists (select 1 from bin where bin.room_id = ${sql.ref(`${room}.id`)}))`;

/** Rooms with all settings, passwords and stream keys included. */
export const takenRooms = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly room: string } | undefined, size) =>
      scan
        .selectFrom("rooms")
        .select(["room", "form", "record", "extras", "deleted_at", "waits_for_host"])
        .select(formerOwners(sql`${id}`).as("former"))
        .where("organization_id", "=", id)
        .where(roomExists("rooms"))
        .$if(after !== undefined, (query) => query.where("room", ">", after?.room ?? ""))
        .orderBy("room")
        .limit(size)
        .execute(),
    ),
    ({ former, deleted_at, waits_for_host, ...row }) => ({
      ...JSON.parse(recordOf(row, former)),
      ...JSON.parse(row.extras),
      waitsForHost: waits_for_host,
      inBin: deleted_at !== null,
    }),
  );

/** An owner's rooms without settings, and which one is the personal room. */
export const ownedRooms = (
  { scan }: Pick<Organization, "scan">,
  owner: Pick<UserRow, "id" | "personal_room">,
): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      nextOwned(scan, owner.id, size, after?.id)
        .select(["rooms.id", "rooms.room", "rooms.name", "rooms.created_at"])
        .execute(),
    ),
    ({ id, room, name, created_at }) => ({
      room,
      name,
      createdAt: created_at,
      ...(id === owner.personal_room && { personal: true }),
    }),
  );

/** The schedules of rooms, with invited people. */
export const takenSchedules = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly room_id: string } | undefined, size) =>
      scan
        .selectFrom("schedules as s")
        .innerJoin("rooms as r", "r.id", "s.room_id")
        .selectAll("s")
        .select("r.room")
        .where("s.organization_id", "=", id)
        .where(roomExists("r"))
        .$if(after !== undefined, (query) => query.where("s.room_id", ">", after?.room_id ?? ""))
        .orderBy("s.room_id")
        .limit(size)
        .execute(),
    ),
    (row) => ({
      roomId: row.room,
      uid: row.uid,
      sequence: Number(row.sequence),
      startsAt: row.starts_at,
      timeZone: row.time_zone,
      minutes: Number(row.minutes),
      repetition: JSON.parse(row.repetition ?? "null"),
      endsAt: row.ends_at,
      removedAt: row.removed_at,
      former: JSON.parse(row.former ?? "null"),
    }),
  );

/** The people and addresses that rooms invite; for one person, only their invitations. */
export const invitees = (
  { scan, id }: Pick<Organization, "scan" | "id">,
  person?: { readonly id: string; readonly email_key: string },
): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      scan
        .selectFrom("invitees as i")
        .innerJoin("rooms as r", "r.id", "i.room_id")
        .select(["i.id", "i.user_id", "i.email", "r.room"])
        .where("i.organization_id", "=", id)
        .where(roomExists("r"))
        .$if(person !== undefined, (query) =>
          query.where("i.invitee", "in", [person?.id ?? "", person?.email_key ?? ""]),
        )
        .$if(after !== undefined, (query) => query.where("i.id", ">", after?.id ?? ""))
        .orderBy("i.id")
        .limit(size)
        .execute(),
    ),
    ({ room, user_id, email }) => ({ roomId: room, userId: user_id, email }),
  );

/** The codes that open rooms, ended ones included. */
export const takenLinks = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly code: string } | undefined, size) =>
      scan
        .selectFrom("room_links as l")
        .innerJoin("rooms as r", "r.id", "l.room_id")
        .select(["l.code", "l.created_at", "l.ended_at", "l.is_over", "r.room"])
        .where("l.organization_id", "=", id)
        .where(roomExists("r"))
        .$if(after !== undefined, (query) => query.where("l.code", ">", after?.code ?? ""))
        .orderBy("l.code")
        .limit(size)
        .execute(),
    ),
    ({ room, code, created_at, ended_at, is_over }) => ({
      roomId: room,
      code,
      createdAt: created_at,
      endedAt: ended_at,
      isOver: is_over,
    }),
  );

/** The bans of rooms. */
export const bans = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      scan
        .selectFrom("bans as b")
        .innerJoin("rooms as r", "r.id", "b.room_id")
        .select(["b.id", "b.person", "b.meeting_id", "b.created_at", "b.ends_at", "r.room"])
        .where("b.organization_id", "=", id)
        .where(roomExists("r"))
        .$if(after !== undefined, (query) => query.where("b.id", ">", after?.id ?? ""))
        .orderBy("b.id")
        .limit(size)
        .execute(),
    ),
    ({ room, person, meeting_id, created_at, ends_at }) => ({
      roomId: room,
      person,
      meetingId: meeting_id,
      createdAt: created_at,
      endsAt: ends_at,
    }),
  );
