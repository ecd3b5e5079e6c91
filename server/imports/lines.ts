import type { LineOutcome } from "../../contract/imports.ts";
import type { Facts } from "../history/keep.ts";
import type { Change } from "../organization.ts";
import type { Given } from "./read.ts";

/** What became of a line that was not refused. */
export interface Done {
  readonly outcome: Exclude<LineOutcome, "refused">;
  /** The ID of the person or room. */
  readonly id: string;
}

/** The fields that a line gives otherwise than they are. */
export const differing = (fields: Given, facts: Facts): Given =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(facts[name]),
    ),
  );

/** The change as it goes on after a rule: the next one counts from the counters that it has left. */
export const renewed = async (change: Change): Promise<Change> => {
  const { tx, organization } = change;
  const row = await tx
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", organization.id)
    .executeTakeFirstOrThrow();
  return { ...change, organization: row };
};
