import type { LineOutcome } from "../../contract/imports.ts";
import type { Facts } from "../history/keep.ts";
import type { Given } from "./read.ts";

/** The result of a line that was not refused. */
export interface Done {
  readonly outcome: Exclude<LineOutcome, "refused">;
  /** The ID of the person or room. */
  readonly id: string;
}

/** The fields of a line that differ from what they are now. */
export const differing = (fields: Given, facts: Facts): Given =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(facts[name]),
    ),
  );
