import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Change } from "../change/organization.ts";
import { DAY_MS } from "../lib/durations.ts";

/** Small enough for a short change. */
const PIECE = 200;

/** The time before which entries are removed; undefined if all are kept. */
export const keptSince = ({
  organization,
  now,
}: Pick<Change, "organization" | "now">): string | undefined => {
  const { historyDays } = settingsOf(organization);
  if (historyDays === null) return undefined;
  return new Date(Date.parse(now) - historyDays * DAY_MS).toISOString();
};

/**
 * Removes the first entries of the history that are older than `historyDays`, with their records of
 * undoing. The organization's row keeps where the chain begins, so the rest verifies.
 *
 * @returns whether there may be more
 */
export const removeOldEntries = async (change: Change): Promise<boolean> => {
  const since = keptSince(change);
  if (since === undefined) return false;
  const { tx, organization } = change;
  const first = await tx
    .selectFrom("history")
    .select(["number", "digest", "at"])
    .where("organization_id", "=", organization.id)
    .where("number", ">", organization.history_before)
    .orderBy("number")
    .limit(PIECE)
    .execute();
  // Only from the beginning: the chain has no gaps, even if a clock was set back.
  const young = first.findIndex(({ at }) => at >= since);
  const last = first.at(young === -1 ? -1 : young - 1);
  if (young === 0 || last === undefined) return false;
  await tx
    .deleteFrom("history")
    .where("organization_id", "=", organization.id)
    .where("number", "<=", last.number)
    .execute();
  await tx
    .deleteFrom("undoings")
    .where("organization_id", "=", organization.id)
    .where("number", "<=", last.number)
    .execute();
  await tx
    .updateTable("organizations")
    .set({ history_before: last.number, history_before_digest: last.digest })
    .where("id", "=", organization.id)
    .execute();
  return young === -1 && first.length === PIECE;
};
