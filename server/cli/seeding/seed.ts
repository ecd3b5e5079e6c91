import { setImmediate as nextTurn } from "node:timers/promises";
import { generatePassword, hashPassword } from "../../access/passwords.ts";
import type { Organization } from "../../change/organization.ts";
import { refuse } from "../../lib/refusal.ts";
import { diceOf } from "./dice.ts";
import { findOwners, ownersOf } from "./owners.ts";
import { activeOf, addPeople, peopleInserter } from "./people.ts";
import { addRooms, drawRooms, ownerInserter, roomInserter } from "./rooms.ts";

export interface SeedOptions {
  readonly rooms: number;
  readonly users: number;
  /** The most owners of one room. */
  readonly ownersMax: number;
  readonly seed: number;
}

/** How many people, rooms and owners were made. */
export interface Seeded {
  readonly rooms: number;
  readonly users: number;
  /** Accounts among them that are revoked, which the plan does not count. */
  readonly revoked: number;
  /** Owners of all rooms together. */
  readonly owners: number;
}

/** There is nobody to own the rooms. */
export class NoOwner extends Error {
  override readonly name = "NoOwner";
}

type Progress = (what: "people" | "rooms", done: number, of: number) => void;

/** How many people or rooms one change adds, so that other changes do not wait long. */
const PEOPLE = 500;
const ROOMS = 2000;

/** Checks the limits of the organization before anything is made. */
const checkLimits = async ({ id, read }: Organization, { rooms, users }: SeedOptions) => {
  const row = await read
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { max_users, used_users, max_rooms, used_rooms } = row;
  if (max_users !== null && used_users + activeOf(users) > max_users) refuse("user_limit");
  if (max_rooms !== null && used_rooms + rooms > max_rooms) refuse("room_limit");
  return row;
};

/** The domain of made-up addresses, which RFC 2606 reserves. */
const domainOf = (name: string): string => {
  const label = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return label === "" ? "people.example" : `${label}.example`;
};

/**
 * Fills an organization with made-up people and rooms, in pieces, each a change of its own. The
 * same seed makes the same people and rooms, except for their IDs; times count back from now.
 *
 * @throws Refusal `user_limit`, `room_limit` before anything is made, or when others make more
 *   meanwhile; NoOwner when there is nobody to own the rooms
 */
export const seed = async (
  organization: Organization,
  options: SeedOptions,
  onProgress: Progress = () => {},
): Promise<Seeded> => {
  const { name } = await checkLimits(organization, options);
  const currentTime = Date.now();
  const crowd = {
    currentTime,
    total: options.users,
    domain: domainOf(name),
    dice: diceOf(options.seed),
    numbers: diceOf(options.seed + 1),
    insert: peopleInserter(),
    digest: await hashPassword(generatePassword()),
  };
  for (let from = 0; from < options.users; from += PEOPLE) {
    const to = Math.min(from + PEOPLE, options.users);
    await organization.change((change) => addPeople(change, { from, to }, crowd));
    onProgress("people", to, options.users);
  }
  const made = { users: options.users, revoked: options.users - activeOf(options.users) };
  if (options.rooms === 0) return { ...made, rooms: 0, owners: 0 };

  const found = await findOwners(organization, options.rooms, options.ownersMax);
  if (found.people.length === 0) {
    throw new NoOwner("Rooms need made-up people to own them: give --users too.");
  }
  const seeding = {
    currentTime,
    total: options.rooms,
    named: new Map<string, number>(),
    insertRooms: roomInserter(),
    insertOwners: ownerInserter(),
    creators: found.creators,
    ownersOf: ownersOf(found),
    dice: diceOf(options.seed + 2),
    numbers: diceOf(options.seed + 3),
  };
  let owners = 0;
  for (let from = 0; from < options.rooms; from += ROOMS) {
    const to = Math.min(from + ROOMS, options.rooms);
    const rooms = drawRooms(from, to, seeding);
    owners += await organization.change((change) => addRooms(change, rooms, seeding));
    onProgress("rooms", to, options.rooms);
    await nextTurn();
  }
  return { ...made, rooms: options.rooms, owners };
};
