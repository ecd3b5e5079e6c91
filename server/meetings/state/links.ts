import { randomBytes } from "node:crypto";
import type { CompiledQuery, Selectable } from "kysely";
import { CODE_LETTERS, codeIn, isLinkCode } from "../../../contract/kit/typed-code.ts";
import { roomSubject } from "../../change/history.ts";
import type { Change, Queries } from "../../change/organization.ts";
import { now } from "../../db/now.ts";
import { type Find, type Lookup, queryOf } from "../../db/prepared.ts";
import { allRoomColumns, type RoomRow, type Tables } from "../../db/tables.ts";
import { refuse } from "../../lib/refusal.ts";
import { seesRoom } from "../../records/own-rooms.ts";
import { findRoom } from "../../records/room-queries.ts";
import { roomOf } from "../../records/rooms.ts";
import { askModerators } from "../seats/waiting-room.ts";

/** A code of 60 random bits, such as `k3fm-8xqt-vw2p`. */
const newCode = (): string => {
  const letters = [...randomBytes(12)]
    .map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length])
    .join("");
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
};

/** Returns whether a text has the code of a link that opens a room. */
export const opensRoom = async (db: Queries, text: string): Promise<boolean> => {
  const code = codeIn(text);
  if (!isLinkCode(code)) return false;
  const link = await db
    .selectFrom("room_links")
    .select("code")
    .where("code", "=", code)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return link !== undefined;
};

/** Returns whether a caller may see and moderate a room: administrators and access keys any, owners their own. */
export const mayManage = (
  caller: Change["caller"],
  row: Pick<RoomRow, "record" | "extras">,
): boolean => seesRoom(caller, roomOf(row).owners);

/**
 * A room of the caller's organization that the caller may manage.
 *
 * @throws Refusal `room_not_found`, also for somebody else's room
 */
export const ownRoom = async (
  db: Queries,
  organizationId: string,
  caller: Change["caller"],
  roomId: string,
): Promise<RoomRow> => {
  const row = (await findRoom(db, organizationId, roomId)) ?? refuse("room_not_found");
  return mayManage(caller, row) ? row : refuse("room_not_found");
};

/** The room of a link's code. */
export interface RoomOfCode {
  readonly row: RoomRow;
  /** True if the link opens nothing any more. */
  readonly hasEnded: boolean;
  /** True if it has ended with a meeting. */
  readonly isOver: boolean;
}

type LinkedRoom = RoomRow & Pick<Selectable<Tables["room_links"]>, "code" | "ended_at" | "is_over">;

/** People who come in the same moment are looked up together. */
const byCode: Lookup<LinkedRoom> = {
  parts: 1,
  keyOf: ({ code }) => [code],
  query: (db, code) =>
    db
      .selectFrom("room_links")
      .innerJoin("rooms", "rooms.id", "room_links.room_id")
      .select(allRoomColumns.map((column) => `rooms.${column}` as const))
      .select(["room_links.code", "room_links.ended_at", "room_links.is_over"])
      .where(code("room_links.code"))
      .where("rooms.deleted_at", "is", null),
};

/** The room of a code as people type it; undefined for what is no code of a room. */
export const roomOfCode = async (find: Find, typed: string): Promise<RoomOfCode | undefined> => {
  const found = await find(byCode, [codeIn(typed)]);
  return found && roomIn(found);
};

/** The query of `roomOfCode`, for `together`. */
export const askRoomOfCode = (db: Queries, typed: string) =>
  ({ ...queryOf(db, byCode), parameters: [codeIn(typed)] }) as CompiledQuery<LinkedRoom>;

/** The room in an answer to `askRoomOfCode`. */
export const roomIn = ({ code: _, ended_at, is_over, ...row }: LinkedRoom): RoomOfCode => ({
  row,
  hasEnded: ended_at !== null,
  isOver: is_over,
});

/**
 * The room of an invitation, which opens it even when the link that it came with has ended.
 *
 * @param roomId its ID, or the code of any link of it
 * @throws Refusal `room_not_found`
 */
export const roomOfInvitation = async (
  db: Queries,
  roomId: string,
  invitation: { readonly room_id: string },
): Promise<RoomRow> => {
  const code = codeIn(roomId);
  const links = db.selectFrom("room_links").select("room_id").where("code", "=", code);
  const row = await db
    .selectFrom("rooms")
    .selectAll()
    .where("id", "=", invitation.room_id)
    .where("deleted_at", "is", null)
    .where(({ or, eb }) => or([eb("room", "in", [roomId, code]), eb("id", "in", links)]))
    .executeTakeFirst();
  return row ?? refuse("room_not_found");
};

/** Ends the link of a room with its meeting. */
export const endLink = (tx: Queries, roomId: string): Promise<unknown> =>
  tx
    .updateTable("room_links")
    .set({ ended_at: now(), is_over: true })
    .where("room_id", "=", roomId)
    .where("ended_at", "is", null)
    .execute();

/** Takes all links of a room from those who have them: they do not tell of its dates either. */
const withdrawLinks = (tx: Queries, roomId: string): Promise<unknown> =>
  tx
    .updateTable("room_links")
    .set(({ fn }) => ({ ended_at: fn.coalesce("ended_at", now()), is_over: false }))
    .where("room_id", "=", roomId)
    .execute();

/** The code that opens a room; makes one if there is none. */
export const codeOf = async (
  { tx, organization, happened }: Change,
  room: Pick<RoomRow, "id" | "room" | "name">,
  renew: boolean,
): Promise<string> => {
  const { id: roomId } = room;
  if (renew) {
    happened({ kind: "roomLinkRenewed", subject: roomSubject(room) });
    await withdrawLinks(tx, roomId);
    await askModerators(tx, roomId);
  }
  const link = await tx
    .selectFrom("room_links")
    .select("code")
    .where("room_id", "=", roomId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (link) return link.code;
  const code = newCode();
  await tx
    .insertInto("room_links")
    .values({
      code,
      organization_id: organization.id,
      room_id: roomId,
      created_at: now(),
      ended_at: null,
    })
    .execute();
  return code;
};
