import { toImported } from "../../contract/imports/fields.ts";
import type { LineOutcome } from "../../contract/imports/imports.ts";
import type { Facts } from "../change/history.ts";
import type { Given } from "./sheets/given.ts";

/** The result of an accepted line. */
export interface Done {
  readonly outcome: Exclude<LineOutcome, "refused">;
  /** The ID of the person or room. */
  readonly id: string;
}

/** A line's fields as they are imported. */
export const imported = (fields: Given): Given =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, toImported(name, value)]),
  );

/** A line's fields that differ from the current ones. */
export const differing = (fields: Given, facts: Facts): Given => {
  const isOther = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(facts[name]);
  const others = imported(Object.fromEntries(Object.entries(fields).filter(isOther)));
  return Object.fromEntries(Object.entries(others).filter(isOther));
};
