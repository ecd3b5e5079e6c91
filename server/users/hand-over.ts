import type { Checked, Reply } from "../../contract/kit/operation.ts";
import type { handOverRooms as contract } from "../../contract/people/hand-over.ts";
import { firstNumber, userSubject } from "../change/history.ts";
import type { Change, Queries } from "../change/organization.ts";
import { asPart } from "../change/organization.ts";
import type { HandOversTable } from "../db/bin-table.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse, refuseField, refuseFields } from "../lib/refusal.ts";
import { HANDED, handOn, ownerErrors } from "../records/room-owners.ts";
import { activeAmong, findUser } from "../records/user-queries.ts";
import type { Chore } from "./mender.ts";

/*
 * A person may own a hundred thousand rooms, and handing over each one is an edit with its entry in the
 * history. So the request hands over as many as fit into a short change. The mender does the others, and
 * a row says who gets them.
 */

/** The number of rooms that a person owns. */
const ownedBy = async (tx: Queries, userId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom("room_owners")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Adds the entry that stands for a hand-over of many changes. @returns its number */
const tellHandOver = (
  change: Change,
  user: UserRow,
  { heirs, rooms }: { readonly heirs: readonly string[]; readonly rooms: number },
): number => {
  const after = { rooms, roomOwnerId: heirs.join(",") };
  change.happened({ kind: "roomsHandedOver", subject: userSubject(user), after });
  return firstNumber(change);
};

/**
 * Gives the rooms of a person to heirs.
 *
 * @throws Refusal `user_not_found`, `hand_over_running`, or on heirs
 */
export const handOverRooms = async (
  change: Change,
  { userId, heirs: named }: Checked<typeof contract>,
): Promise<Pick<Reply<typeof contract>, "handedOver" | "left">> => {
  const { tx, organization, caller, now, leaveWork } = change;
  // No account changes, so a key with the scope `rooms` may do this.
  const user = (await findUser(tx, organization.id, userId)) ?? refuse("user_not_found");
  const { id } = user;
  const heirs = [...new Set(named)];
  if (heirs.includes(id)) refuseField("heirs", "names_themselves");
  refuseFields(await ownerErrors(tx, organization.id, heirs, [], "heirs"));
  const running = tx.selectFrom("hand_overs").select("user_id").where("user_id", "=", id);
  if (await running.executeTakeFirst()) refuse("hand_over_running");
  const rooms = await ownedBy(tx, id);
  const entry = rooms > HANDED ? tellHandOver(change, user, { heirs, rooms }) : null;
  const handedOver = await handOn(asPart(change, entry), id, heirs);
  const left = await ownedBy(tx, id);
  if (left > 0) {
    await tx
      .insertInto("hand_overs")
      .values({
        user_id: id,
        organization_id: organization.id,
        heirs: JSON.stringify(heirs),
        by_user: caller.userId,
        by_access_key: caller.accessKey,
        created_at: now,
        entry,
      })
      .execute();
    leaveWork("chores");
  }
  return { handedOver, left };
};

/** The caller who requested a hand-over, for the history; undefined once the account is gone: then the service acts. */
const askedBy = async (
  { tx, organization }: Change,
  { by_user: userId, by_access_key: accessKey }: Pick<HandOversTable, "by_user" | "by_access_key">,
) => {
  if (userId === null)
    return accessKey === null ? undefined : { userId, accessKey, name: accessKey };
  const user = await findUser(tx, organization.id, userId);
  return { userId, accessKey, name: user?.name ?? "" };
};

/** Adds to the history that the remaining rooms stay, because nobody is left to get them. */
const tellStopped = async (change: Change, userId: string): Promise<void> => {
  const { tx, organization, happened } = change;
  const left = await ownedBy(tx, userId);
  if (left === 0) return;
  // A person who was deleted meanwhile has no name.
  const name = (await findUser(tx, organization.id, userId))?.name ?? "";
  const subject = userSubject({ id: userId, name });
  happened({ kind: "handOverStopped", subject, after: { roomsLeft: left } });
};

/**
 * Hands over the rooms that a request left, to the heirs who have not been revoked meanwhile. If all of
 * them have been, the hand-over ends, and the history says so.
 */
const handOverNext = async (change: Change): Promise<void> => {
  const { tx, organization } = change;
  const row = await tx
    .selectFrom("hand_overs")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .orderBy("created_at")
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return;
  const named: readonly string[] = JSON.parse(row.heirs);
  const active = await activeAmong(tx, organization.id, named);
  const heirs = named.filter((heir) => active.has(heir));
  const by = await askedBy(change, row);
  const handing: Change = {
    ...change,
    happened: (...what) => change.happened(...what.map((one) => ({ ...one, ...(by && { by }) }))),
  };
  const found =
    heirs.length === 0 ? 0 : await handOn(asPart(handing, row.entry), row.user_id, heirs);
  if (heirs.length === 0) await tellStopped(handing, row.user_id);
  if (found < HANDED) {
    await tx.deleteFrom("hand_overs").where("user_id", "=", row.user_id).execute();
  }
};

/** Hands over the rooms that requests left. */
export const handOverLeft: Chore = {
  organizations: async (read) => {
    const rows = read.selectFrom("hand_overs").select("organization_id").distinct();
    return (await rows.execute()).map(({ organization_id }) => organization_id);
  },
  piece: ({ change }) => change(handOverNext),
};
