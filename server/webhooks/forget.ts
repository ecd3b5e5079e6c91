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

/** How many deliveries one change erases, and how many it rewrites: other changes run in between. */
const PIECE = { erased: 1000, rewritten: 50 } as const;

type Held = Pick<Change, "tx" | "organization">;

/** What a delivery about somebody says when it says only that, as `queueFor` writes it. */
const ONLY_ID = sql<string>`'{"type":"' || event || '","timestamp":"' || created_at
  || '","data":{"userId":"' || substr(subject, ${sql.lit("user:".length + 1)}) || '"}}'`;

/** The deliveries of an organization that wait. */
const waitingIn = ({ tx, organization }: Held) =>
  tx
    .selectFrom("deliveries")
    .where("organization_id", "=", organization.id)
    .where("state", "=", sql.lit("waiting" as const));

const subjectsOf = (userIds: readonly string[]): readonly string[] =>
  userIds.map((id) => `user:${id}`);

/**
 * Leaves only the IDs in the next deliveries that wait and are about people: in the change that deletes
 * them, so that what is sent afterwards tells no more.
 *
 * @returns whether there may be more
 */
export const shortenDeliveries = async (
  change: Held,
  userIds: readonly string[],
): Promise<boolean> => {
  const { numUpdatedRows } = await change.tx
    .updateTable("deliveries")
    .set({ body: ONLY_ID, answer: null })
    .where("id", "in", () =>
      waitingIn(change)
        .select("id")
        .where("subject", "in", subjectsOf(userIds))
        .where("body", "<>", ONLY_ID)
        .limit(PIECE.erased),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === PIECE.erased;
};

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

/** Rewrites the next deliveries that wait and name people, without them. @returns how many */
const rewrite = async (
  change: Held,
  userIds: readonly string[],
  subjects: readonly string[],
): Promise<number> => {
  const gone = new Set(userIds);
  const waiting = await waitingIn(change)
    .select(["id", "body"])
    .where("subject", "not in", subjects)
    .where(({ or }) => or(namesEach(change.tx, userIds)))
    .limit(PIECE.rewritten)
    .execute();
  for (const { id, body } of waiting) {
    await change.tx
      .updateTable("deliveries")
      .set({ body: withoutPeople(body ?? "{}", gone), answer: null })
      .where("id", "=", id)
      .execute();
  }
  return waiting.length;
};

/** Erases the next deliveries that wait no more and name people. @returns how many */
const eraseSent = async (
  { tx, organization }: Held,
  userIds: readonly string[],
  subjects: readonly string[],
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set({ body: null, answer: null })
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("deliveries")
        .select("id")
        .where("organization_id", "=", organization.id)
        .where("state", "<>", "waiting")
        .where("body", "is not", null)
        .where(({ or, eb }) => or([eb("subject", "in", subjects), ...namesEach(tx, userIds)]))
        .limit(PIECE.erased),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
};

/**
 * Erases the next deliveries about people, and what names them: as who acted, or in a meeting.
 *
 * @param userIds few: each body is searched for each of them
 * @returns whether there may be more
 */
export const eraseDeliveries = async (
  change: Held,
  userIds: readonly string[],
): Promise<boolean> => {
  const subjects = subjectsOf(userIds);
  if ((await rewrite(change, userIds, subjects)) === PIECE.rewritten) return true;
  // The last: what waited may have been delivered just now, as it was.
  return (await eraseSent(change, userIds, subjects)) === PIECE.erased;
};
