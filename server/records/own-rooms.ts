import { wrong } from "../../contract/kit/reasons.ts";
import type { Caller } from "../change/organization.ts";
import { refuse } from "../lib/refusal.ts";

/*
 * The rights of callers without `admin` to rooms: see those that they own, and, where the organization
 * lets owners, edit them and create others (contract/kit/organization-settings.ts).
 */

/** Returns whether a caller sees a room with these owners: administrators see every one. */
export const seesRoom = (
  { admin, userId }: Pick<Caller, "admin" | "userId">,
  owners: readonly string[],
): boolean => admin || (userId !== null && owners.includes(userId));

/**
 * Keeps callers without `admin` from deciding who owns a room.
 *
 * @param given the owners that the caller names
 * @param kept the only ones that a caller without `admin` may name
 * @throws Refusal `not_allowed` on roomOwnerId
 */
export const keepToOwners = (
  { admin }: Pick<Caller, "admin">,
  given: readonly string[],
  kept: readonly string[],
): void => {
  if (admin || given.join() === kept.join()) return;
  refuse("not_allowed", [wrong("roomOwnerId", "owners_fixed", { owners: kept.join() })]);
};
