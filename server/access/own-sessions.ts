import type { Checked } from "../../contract/kit/operation.ts";
import type { endSessions as contract, OwnSession } from "../../contract/people/account.ts";
import { userSubject } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { refuse } from "../lib/refusal.ts";
import { type Authenticated, endRemains } from "./tokens.ts";

/*
 * The sign-ins of one person that go on, for that person. A sign-in is its renewal token, with the tokens
 * that were made by it. Those from before sign-ins had an ID are in no list, and end within half a day.
 */

/** The sessions of the caller, the newest first. @throws Refusal `account_required` */
export const listSessions = async (
  { read }: Organization,
  { caller: { userId }, session: current }: Authenticated,
): Promise<OwnSession[]> => {
  if (userId === null) return refuse("account_required");
  const rows = await read
    .selectFrom("tokens")
    .select(["session", "purpose", "created_at", "expires_at", "user_agent"])
    .where("user_id", "=", userId)
    .where("session", "is not", null)
    .where("expires_at", ">", now())
    .orderBy("created_at", "desc")
    .execute();
  const used = new Map<string, string>();
  for (const { session, created_at } of rows) {
    if (session !== null && !used.has(session)) used.set(session, created_at);
  }
  return rows
    .filter(({ purpose }) => purpose === "renewal")
    .map((row) => ({
      id: row.session ?? "",
      startedAt: row.created_at,
      usedAt: used.get(row.session ?? "") ?? row.created_at,
      endsAt: row.expires_at,
      userAgent: row.user_agent,
      current: row.session === current,
    }));
};

/**
 * Ends a session of the caller, or all but the one of the request. An unknown one, and somebody else's, ends
 * nothing.
 *
 * @returns how many sessions have ended
 * @throws Refusal `account_required`
 */
export const endSessions = async (
  { tx, caller: { userId, name }, happened }: Change,
  { digest, session: current }: Pick<Authenticated, "digest" | "session">,
  { sessionId }: Checked<typeof contract>,
): Promise<number> => {
  if (userId === null) return refuse("account_required");
  const ended = await tx
    .deleteFrom("tokens")
    .where("user_id", "=", userId)
    .where("purpose", "!=", "media")
    .$if(sessionId !== undefined, (query) => query.where("session", "=", sessionId ?? ""))
    .$if(sessionId === undefined, (query) =>
      query
        .where("digest", "!=", digest)
        .where(({ eb, or }) => or([eb("session", "is", null), eb("session", "!=", current ?? "")])),
    )
    .returning("purpose")
    .execute();
  if (ended.length > 0) {
    happened({ kind: "signedOut", subject: userSubject({ id: userId, name }) });
    await endRemains(tx, [userId]);
  }
  return ended.filter(({ purpose }) => purpose === "renewal").length;
};
