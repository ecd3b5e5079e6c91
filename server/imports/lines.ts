import type { LineOutcome } from "../../contract/imports.ts";
import type { Facts } from "../history/keep.ts";
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
