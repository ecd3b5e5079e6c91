import { sql } from "kysely";
import { contains } from "../db/dialect.ts";
import { literally } from "../fold.ts";
import type { Change, Queries } from "../organization.ts";

/*
 * Deliveries about people who are deleted for good. An event that was accepted or given up is erased.
 * One that waits is still sent, so that receivers miss none and get them in order, but says of the
 * person only the ID.
 */

/** How a body names somebody. */
const named = (userId: string): string => `"userId":"${userId}"`;

/** Whether a body names each of some people. */
const namesEach = (db: Queries, ids: readonly string[]) =>
  ids.map((id) => contains(db, "body", literally(named(id))));

/** So many people are looked for at once. */
const PIECE = 50;

/**
 * Erases what was sent about people, and what names them: as who acted, or in a meeting. What waits and
 * is about them keeps only their IDs; for what else names them there is `rewritePiece`.
 */
export const eraseDeliveries = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  userIds: readonly string[],
): Promise<void> => {
  for (let at = 0; at < userIds.length; at += PIECE) {
    const ids = userIds.slice(at, at + PIECE);
    const subjects = ids.map((id) => `user:${id}`);
    await tx
      .updateTable("deliveries")
      .set({ body: null, answer: null })
      .where("organization_id", "=", organization.id)
      .where("state", "<>", "waiting")
      .where(({ or, eb }) => or([eb("subject", "in", subjects), ...namesEach(tx, ids)]))
      .execute();
    await tx
      .updateTable("deliveries")
      .set({
        // As `queueFor` writes it.
        body: sql<string>`'{"type":"' || event || '","timestamp":"' || created_at
          || '","data":{"userId":"' || substr(subject, ${sql.lit("user:".length + 1)}) || '"}}'`,
        answer: null,
      })
      .where("organization_id", "=", organization.id)
      .where("state", "=", sql.lit("waiting" as const))
      .where("subject", "in", subjects)
      .execute();
  }
};

/** How many deliveries one change rewrites: other changes run in between. */
const REWRITTEN = 50;

/** A body that names none of these people: not who acted, and not who was in a meeting. */
const withoutPeople = (body: string, gone: ReadonlySet<unknown>): string =>
  JSON.stringify(
    JSON.parse(body, (_, value) => {
      if (!gone.has(value?.userId)) return value;
      const { userId: _id, name, peerName, ...more } = value;
      return {
        ...{ ...more, userId: null },
        ...(name === undefined ? {} : { name: "" }),
        ...(peerName === undefined ? {} : { peerName: "" }),
      };
    }),
  );

/**
 * Rewrites the next deliveries that wait and name people, without them.
 *
 * @returns whether there may be more
 */
export const rewritePiece = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  userIds: readonly string[],
): Promise<boolean> => {
  const gone = new Set(userIds);
  for (let at = 0; at < userIds.length; at += PIECE) {
    const ids = userIds.slice(at, at + PIECE);
    const waiting = await tx
      .selectFrom("deliveries")
      .select(["id", "body"])
      .where("organization_id", "=", organization.id)
      .where("state", "=", sql.lit("waiting" as const))
      .where(
        "subject",
        "not in",
        ids.map((id) => `user:${id}`),
      )
      .where(({ or }) => or(namesEach(tx, ids)))
      .limit(REWRITTEN)
      .execute();
    for (const { id, body } of waiting) {
      await tx
        .updateTable("deliveries")
        .set({ body: withoutPeople(body ?? "{}", gone), answer: null })
        .where("id", "=", id)
        .execute();
    }
    if (waiting.length === REWRITTEN) return true;
  }
  return false;
};
