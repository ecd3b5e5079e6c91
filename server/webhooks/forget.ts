import { sql } from "kysely";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import { rest } from "../db/pieces.ts";
import { literally } from "../lib/fold.ts";

/*
 * Deliveries about permanently deleted people. Finished ones lose their content. Waiting ones are
 * still sent, so that receivers miss none and keep the order, but with only the person's ID.
 */

/** The text by which a body names a person. */
const named = (userId: string): string => `"userId":"${userId}"`;

/** For each of some people, whether a body names them. */
const namesEach = (db: Queries, ids: readonly string[]) =>
  ids.map((id) => contains(db, "body", literally(named(id))));

/** How many deliveries one change rewrites, so that others can run in between. */
const PIECE = { shortened: 1000, rewritten: 50 } as const;
/** How many deliveries are searched at a time. */
const SEARCHED = 50;

type Held = Pick<Change, "tx" | "organization">;

/** The body of a delivery about a person with nothing but the ID, as `queueFor` writes it. */
const ONLY_ID = sql<string>`'{"type":"' || event || '","timestamp":"' || created_at
  || '","data":{"userId":"' || substr(subject, ${sql.lit("user:".length + 1)}) || '"}}'`;

/** An organization's waiting deliveries, found by webhook to skip sent ones. */
const waitingIn = ({ tx, organization }: Held) =>
  tx
    .selectFrom("deliveries")
    .where("webhook_id", "in", ({ selectFrom }) =>
      selectFrom("webhooks").select("webhooks.id").where("organization_id", "=", organization.id),
    )
    .where("state", "=", sql.lit("waiting" as const));

const subjectsOf = (userIds: readonly string[]): readonly string[] =>
  userIds.map((id) => `user:${id}`);

/**
 * Leaves only IDs in the next waiting deliveries about people. Called in the change that deletes
 * them, so later deliveries say no more; the mender does the rest.
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
        .limit(PIECE.shortened),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === PIECE.shortened;
};

/** A body without the names of these people, as actors or as people in a meeting. */
const withoutPeople = (body: string, gone: ReadonlySet<unknown>): string =>
  JSON.stringify(
    JSON.parse(body, (_, value) => {
      if (!gone.has(value?.userId)) return value;
      const { userId: _id, name, peerName, ...more } = value;
      return {
        ...more,
        userId: null,
        ...(name === undefined ? {} : { name: "" }),
        ...(peerName === undefined ? {} : { peerName: "" }),
      };
    }),
  );

/** Removes names from the next waiting deliveries. @returns how many */
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

/**
 * Rewrites the next waiting deliveries that are about people or name them.
 *
 * @param userIds only a few, because each body is searched for each
 * @returns whether there may be more
 */
export const rewriteDeliveries = async (
  change: Held,
  userIds: readonly string[],
): Promise<boolean> => {
  if (await shortenDeliveries(change, userIds)) return true;
  return (await rewrite(change, userIds, subjectsOf(userIds))) === PIECE.rewritten;
};

/** Returns whether an organization has deliveries. */
export const hasDeliveries = async ({ tx, organization }: Held): Promise<boolean> => {
  const some = tx
    .selectFrom("deliveries")
    .select("id")
    .where("organization_id", "=", organization.id);
  return (await some.limit(1).executeTakeFirst()) !== undefined;
};

/**
 * Erases the content of the found deliveries that no longer wait. One that was sent again meanwhile
 * waits, and is rewritten instead.
 */
const eraseFound = async (
  { change }: Pick<Organization, "change">,
  userIds: readonly string[],
  found: readonly string[],
): Promise<void> => {
  const erase = async (held: Held): Promise<boolean> => {
    if (await rewriteDeliveries(held, userIds)) return false;
    await held.tx
      .updateTable("deliveries")
      .set({ body: null, answer: null })
      .where("id", "in", found)
      .where("state", "<>", "waiting")
      .execute();
    return true;
  };
  while (!(await change(erase)));
};

/**
 * Erases the content of deliveries that are about people or name them; those that wait again are
 * rewritten. They are searched outside the changes that erase, a few at a time. Call it after
 * `rewriteDeliveries`, because waiting deliveries may be sent meanwhile.
 *
 * @param userIds only a few, because each body is searched for each
 * @param stopping whether to stop; the next call starts over
 * @returns whether all were searched
 */
export const eraseDeliveries = async (
  { id, scan, change }: Pick<Organization, "id" | "scan" | "change">,
  userIds: readonly string[],
  stopping: () => boolean,
): Promise<boolean> => {
  let last: { readonly id: string; readonly created_at: string } | undefined;
  while (!stopping()) {
    const from = performance.now();
    const next = await scan
      .selectFrom("deliveries")
      .select(["id", "created_at"])
      .where("organization_id", "=", id)
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("created_at", "id"), ">", tuple(last?.created_at ?? "", last?.id ?? "")),
        ),
      )
      .orderBy("created_at")
      .orderBy("id")
      .limit(SEARCHED)
      .execute();
    last = next.at(-1);
    if (last === undefined) return true;
    const named = await scan
      .selectFrom("deliveries")
      .select("id")
      .where(
        "id",
        "in",
        next.map((one) => one.id),
      )
      .where("body", "is not", null)
      .where(({ or, eb }) =>
        or([eb("subject", "in", subjectsOf(userIds)), ...namesEach(scan, userIds)]),
      )
      .execute();
    const found = named.map((one) => one.id);
    if (found.length > 0) await eraseFound({ change }, userIds, found);
    await rest(performance.now() - from);
  }
  return false;
};
