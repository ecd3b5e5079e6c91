import { type AcceptedText, either, wholeNumber, word } from "../../contract/kit/accepted.ts";
import { isLine, isVisible } from "../../contract/kit/plain.ts";
import type { OrganizationRow } from "../db/tables.ts";
import type { Plan } from "../organizations/organizations.ts";
import { UsageError } from "./command.ts";

const limit = either(wholeNumber({ from: 0, to: 1_000_000_000 }), word("none", null));

const LABEL_LENGTH = 100;

/** Spaces around a name are not kept; only spaces are no name. */
const label: AcceptedText<string | null> = either(word("none", null), {
  accepted: `at most ${LABEL_LENGTH} characters, none of them a line end`,
  parse: (text) => {
    if (text.length > LABEL_LENGTH || /\p{Cc}/u.test(text)) return undefined;
    return text.trim() === "" ? null : text.trim();
  },
});

/** The options for the limits of an organization. */
export const planOptions = {
  plan: {
    type: "string",
    value: "LABEL",
    meaning: "The name of its plan; none for no plan.",
    accepts: label,
  },
  "max-rooms": {
    type: "string",
    value: "N",
    meaning: "The most rooms it may have; none for no limit.",
    accepts: limit,
  },
  "max-users": {
    type: "string",
    value: "N",
    meaning: "The most people it may have; none for no limit.",
    accepts: limit,
  },
} as const;

const NAME_LENGTH = 200;

/**
 * A name for an organization or a person, without characters that would break a line.
 *
 * @throws UsageError
 */
export const readName = (what: string, text: string): string => {
  const name = text.trim();
  if (isVisible(name) && isLine(name) && [...name].length <= NAME_LENGTH) return name;
  throw new UsageError(
    `${what} has 1 to ${NAME_LENGTH} characters, none of them a line end or another control character, and something to see.`,
  );
};

interface PlanGiven {
  readonly plan: string | null | undefined;
  readonly "max-rooms": number | null | undefined;
  readonly "max-users": number | null | undefined;
}

/** The given options of a plan, without defaults. */
export const readPlan = (given: PlanGiven): Partial<Plan> => {
  const { plan, "max-rooms": rooms, "max-users": users } = given;
  return {
    ...(plan !== undefined && { plan }),
    ...(rooms !== undefined && { max_rooms: rooms }),
    ...(users !== undefined && { max_users: users }),
  };
};

/** An organization as the command line's JSON. */
export const presentOrganization = (row: OrganizationRow) => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  limits: { rooms: row.max_rooms, users: row.max_users },
  used: { rooms: row.used_rooms, users: row.used_users },
  createdAt: row.created_at,
});

/** An organization as lines. */
export const organizationPairs = (row: OrganizationRow): Record<string, string> => ({
  Organization: row.name,
  ID: row.id,
  Plan: row.plan ?? "none",
  Rooms: `${row.used_rooms} of ${row.max_rooms ?? "any number"}`,
  People: `${row.used_users} of ${row.max_users ?? "any number"}`,
});
