import type { Organization } from "../../change/organization.ts";
import type { Dice } from "./dice.ts";

/** The possible owners of the new rooms. */
export interface Owners {
  readonly people: readonly string[];
  /** The people who create rooms: some of the administrators. */
  readonly creators: readonly string[];
  /** The most owners of one room. */
  readonly most: number;
  /** Each of the busiest people owns one of this many rooms. */
  readonly every: number;
}

/** How many people own very many rooms. */
const BUSY = 3;
const BUSY_ROOMS = 10_000;
/** Each of them owns at most one of this many rooms. */
const BUSY_EVERY = 10;
/** The most people who own rooms, because their IDs are held in memory. */
export const MOST_PEOPLE = 200_000;
const CREATORS = 20;

/**
 * Finds the made-up people of an organization, of this run and of earlier ones, as the owners of the new
 * rooms. Real people are never among them: RFC 2606 reserves the domain of made-up addresses.
 */
export const findOwners = async (
  { id, read }: Organization,
  rooms: number,
  most: number,
): Promise<Owners> => {
  const people = (admin: boolean, limit: number) =>
    read
      .selectFrom("users")
      .select("id")
      .where("organization_id", "=", id)
      .where("account_deleted", "=", false)
      .where("email_key", "like", "%.example")
      .$if(admin, (query) => query.where("admin", "=", true))
      .orderBy("id")
      .limit(limit)
      .execute();
  const all = await people(false, MOST_PEOPLE);
  const admins = await people(true, CREATORS);
  return {
    people: all.map((row) => row.id),
    creators: (admins.length > 0 ? admins : all.slice(0, CREATORS)).map((row) => row.id),
    most,
    every: Math.max(BUSY_EVERY, Math.ceil(rooms / BUSY_ROOMS)),
  };
};

/** Draws the owners of one room after another. */
export type OwnersOf = (dice: Dice, index: number) => readonly string[];

/** The most rooms that the same people own in a row. */
const ROW = 5;

/**
 * Draws owners so that few people own most rooms, and the busiest ones very many. As in reality, the
 * same people create several rooms in a row.
 */
export const ownersOf = ({ people, most, every }: Owners): OwnersOf => {
  const busiest = people.length > BUSY * 2 ? people.slice(0, BUSY) : [];
  const others = people.slice(busiest.length);
  let team: readonly string[] = [];
  let left = 0;

  const drawTeam = (dice: Dice): readonly string[] => {
    const size = Math.min(dice.happens(0.7) ? 1 : 1 + dice.roll(most), others.length);
    const drawn = new Set<string>();
    while (drawn.size < size) {
      const person = others[Math.floor(others.length * dice.next() ** 2)];
      if (person !== undefined) drawn.add(person);
    }
    return [...drawn];
  };

  return (dice, index) => {
    if (left === 0) {
      team = drawTeam(dice);
      left = 1 + dice.roll(ROW);
    }
    left -= 1;
    const busy = busiest[index % every];
    return busy === undefined ? team : [busy, ...team].slice(0, Math.max(1, team.length));
  };
};
