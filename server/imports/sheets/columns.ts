import type { ImportForm, ImportKind } from "../../../contract/imports/imports.ts";
import { type Product, SHEET_COLUMNS } from "../../../contract/imports/sheets.ts";
import { refuseFile } from "./fault.ts";
import { foldHeading, isTarget, type KnownHeading, knownHeading } from "./headings.ts";
import { COLUMNS } from "./table.ts";

/* Which column fills which field: by its heading, or as it was assigned. */

/** A column that fills something. */
export interface FilledColumn {
  /** Its place in the file, from 0. */
  readonly at: number;
  readonly target: string;
  readonly rank: number;
}

/** The columns of a file. */
export interface Columns {
  /** Those that fill a field, preferred ones first. */
  readonly filling: readonly FilledColumn[];
  /** Which headings are known, in the order of the file. */
  readonly known: readonly (KnownHeading | undefined)[];
  readonly product: Product | null;
}

/** Headings by which a product's files are recognized: all of one row, folded. */
const signs: readonly (readonly [Product, ImportKind, string])[] = [
  ["entra", "users", "userprincipalname displayname"],
  ["entra", "users", "usernameuserprincipalnamerequired"],
  ["google", "users", "orgunitpathrequired"],
  ["google", "users", "primaryemail"],
  ["slack", "users", "billingactive has2fa"],
  ["slack", "users", "teamid realname"],
  ["zoom", "users", "email usertype imgroup"],
  ["zoom", "users", "email usertype firstname department"],
  ["keycloak", "users", "username firstname lastname enabled"],
  ["keycloak", "users", "requiredactions username"],
  ["pilos", "users", "firstname lastname externalid"],
  ["moodle", "users", "username firstname lastname email"],
  ["nextcloud", "users", "displayname email quota"],
  ["greenlight", "users", "name email role status"],
  ["greenlight", "rooms", "friendlyid owneremail"],
  ["greenlight", "rooms", "friendlyid name"],
  ["bigbluebutton", "rooms", "meetingid moderatorpw"],
  ["bigbluebutton", "rooms", "meetingid maxparticipants"],
  ["bigbluebutton", "rooms", "meetingid record"],
  ["jitsi", "rooms", "mailowner name"],
];

const productOf = (kind: ImportKind, headings: readonly string[]): Product | null => {
  const folded = new Set(headings.slice(0, SHEET_COLUMNS).map(foldHeading));
  const found = signs.find(
    ([, of, words]) => of === kind && words.split(" ").every((word) => folded.has(word)),
  );
  return found?.[0] ?? null;
};

/** The meanings of the headings; some depend on the others. */
const meanings = (
  kind: ImportKind,
  headings: readonly string[],
): readonly (KnownHeading | undefined)[] => {
  const known = headings.slice(0, COLUMNS).map((heading) => knownHeading(kind, heading));
  const has = (target: string) => known.some((one) => one?.target === target);
  const isForeign = known.some((one) => one && !one.own);
  return known.map((one, at) => {
    // Another product's ID is not Parley's.
    if (one?.target === "id" && (isForeign || headings[at] !== "id")) {
      return { ...one, target: "nothing" };
    }
    if (kind !== "users" || one === undefined) return one;
    // "Name" beside "Vorname" is the last name; a part of a name alone is all there is.
    if (one.target === "name" && has("firstName") && !has("lastName")) {
      return foldHeading(headings[at] ?? "") === "name" ? { ...one, target: "lastName" } : one;
    }
    const other = one.target === "firstName" ? "lastName" : "firstName";
    const isAlone = !has("name") && !has(other);
    if (/^(?:first|last)Name$/.test(one.target) && isAlone) return { ...one, target: "name" };
    return one;
  });
};

/** @throws FileFault if the columns are assigned in an impossible way */
const assigned = (
  kind: ImportKind,
  headings: readonly string[],
  given: readonly (string | null)[],
): readonly FilledColumn[] => {
  const wrong = given.find((target) => target !== null && !isTarget(kind, target));
  if (typeof wrong === "string") refuseFile("file_unknown_field", { name: wrong });
  if (given.length > headings.length) {
    refuseFile("file_too_many_assigned", { columns: headings.length, assigned: given.length });
  }
  return given.flatMap((target, at) => (target === null ? [] : [{ at, target, rank: at }]));
};

/**
 * Finds what a file's columns fill.
 *
 * @param given the columns as they were assigned
 */
export const findColumns = (
  kind: ImportKind,
  form: ImportForm,
  headings: readonly string[],
  given: readonly (string | null)[] | undefined,
): Columns => {
  const known = meanings(kind, headings);
  const product = form === "parley" ? productOf(kind, headings) : form;
  const filling =
    given === undefined
      ? known.flatMap((one, at) =>
          one === undefined || one.target === "nothing"
            ? []
            : [{ at, target: one.target, rank: one.rank }],
        )
      : assigned(kind, headings, given);
  return {
    filling: filling.toSorted((one, other) => one.rank - other.rank || one.at - other.at),
    known,
    product,
  };
};

/** The required fields of a list of people or rooms. */
const needs: Readonly<Record<ImportKind, readonly (readonly string[])[]>> = {
  users: [["email", "emailAndName", "id"]],
  rooms: [["name", "room"]],
};

/** The required fields that no column fills; alternatives are named together. */
export const missingIn = (kind: ImportKind, filling: readonly FilledColumn[]): readonly string[] =>
  needs[kind]
    .filter((any) => !any.some((target) => filling.some((column) => column.target === target)))
    .map(([first = ""]) => first);
