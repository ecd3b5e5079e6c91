import { isLine, isVisible } from "../../contract/kit/plain.ts";
import type { OrganizationRow } from "../db/tables.ts";
import type { Plan } from "../organizations/organizations.ts";
import { UsageError } from "./command.ts";

/** The options for the limits of an organization. */
export const planOptions = {
  plan: { type: "string", value: "LABEL", meaning: "The name of its plan; none for no plan." },
  "max-rooms": {
    type: "string",
    value: "N",
    meaning: "The most rooms it may have; none for no limit.",
  },
  "max-users": {
    type: "string",
    value: "N",
    meaning: "The most people it may have; none for no limit.",
  },
} as const;

const MOST = 1_000_000_000;
const LABEL_LENGTH = 100;

const limit = (name: string, text: string): number | null => {
  if (text === "none") return null;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MOST) return Number(text);
  throw new UsageError(
    `--${name} is ${JSON.stringify(text)}; accepted: a whole number from 0 to ${MOST}, or none.`,
  );
};

const label = (text: string): string | null => {
  if (text === "none" || text.trim() === "") return null;
  if (text.length <= LABEL_LENGTH && !/\p{Cc}/u.test(text)) return text.trim();
  throw new UsageError(`--plan has at most ${LABEL_LENGTH} characters, none of them a line end.`);
};

/**
 * A name for an organization or a person, without characters that would break a line.
 *
 * @throws UsageError
 */
export const readName = (what: string, text: string): string => {
  const name = text.trim();
  if (isVisible(name) && isLine(name) && [...name].length <= 200) return name;
  throw new UsageError(
    `${what} has 1 to 200 characters, none of them a line end or another control character, and something to see.`,
  );
};

interface PlanGiven {
  readonly plan: string | undefined;
  readonly "max-rooms": string | undefined;
  readonly "max-users": string | undefined;
}

/**
 * The given options of a plan, without defaults.
 *
 * @throws UsageError on a value that is not accepted
 */
export const readPlan = (given: PlanGiven): Partial<Plan> => {
  const { plan, "max-rooms": rooms, "max-users": users } = given;
  return {
    ...(plan !== undefined && { plan: label(plan) }),
    ...(rooms !== undefined && { max_rooms: limit("max-rooms", rooms) }),
    ...(users !== undefined && { max_users: limit("max-users", users) }),
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
