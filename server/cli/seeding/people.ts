import { emailKey } from "../../../contract/kit/fields.ts";
import { initialUserSettings } from "../../../contract/people/settings.ts";
import type { Change } from "../../change/organization.ts";
import type { NewUser } from "../../db/tables.ts";
import { fold } from "../../lib/fold.ts";
import { uuid7 } from "../../lib/id.ts";
import { refuse } from "../../lib/refusal.ts";
import { settingColumns, storedSettings } from "../../records/user-columns.ts";
import { recount } from "../../records/user-counters.ts";
import { usernameFor } from "../../users/create.ts";
import { type Dice, redrawn } from "./dice.ts";
import { type Inserter, inserter, leftOut } from "./insert.ts";
import { timesOf } from "./times.ts";
import { type Name, places, roles, scripts, tags } from "./words/people.ts";

/** One of this many people is an administrator, is suspended, or is revoked. */
const ADMIN_EVERY = 50;
const SUSPENDED_EVERY = 23;
const REVOKED_EVERY = 31;

export const isAdmin = (index: number): boolean => index % ADMIN_EVERY === 0;
export const isSeededRevoked = (index: number): boolean =>
  index % REVOKED_EVERY === REVOKED_EVERY - 1;
const isSuspended = (index: number): boolean => index % SUSPENDED_EVERY === SUSPENDED_EVERY - 1;

/** How many of these people are not revoked, and so count for the limit of the plan. */
export const activeOf = (people: number): number => people - Math.floor(people / REVOKED_EVERY);

export interface Crowd {
  /** Draws the properties of people. */
  readonly dice: Dice;
  /** Draws numbers that must be free: drawing one again changes nothing else. */
  readonly numbers: Dice;
  readonly total: number;
  /** In milliseconds since 1970. */
  readonly currentTime: number;
  /** The digest of a password that nobody knows. */
  readonly digest: string;
  /** The domain of addresses. */
  readonly domain: string;
  readonly insert: Inserter<NewUser>;
}

type Drawn = NewUser & { readonly id: string; readonly given: Name; readonly family: Name };

/** A person's email and username, with new numbers in them. */
const numbered = <P extends Pick<Drawn, "name" | "given" | "family">>(
  person: P,
  { numbers, domain }: Crowd,
) => {
  const email = `${person.given.ascii}.${person.family.ascii}.${numbers.digits(6)}@${domain}`;
  const stem = usernameFor(person.name).replace(/\d+$/, "");
  return {
    ...person,
    email,
    email_key: emailKey(email) ?? email,
    email_fold: fold(email),
    username: `${stem}${numbers.digits(6)}`,
  };
};

const drawPerson = (organizationId: string, index: number, crowd: Crowd): Drawn => {
  const { dice, numbers, digest } = crowd;
  const names = dice.pick(scripts);
  const given = dice.pick(names.given);
  const family = dice.pick(names.family);
  const name = names.familyFirst
    ? `${family.written}${given.written}`
    : `${given.written} ${family.written}`;
  const { created, updated } = timesOf(dice, { ...crowd, index });
  const person = {
    given,
    family,
    name,
    id: uuid7(),
    organization_id: organizationId,
    name_key: fold(name),
    profile_id: numbers.digits(10),
    ...storedSettings(initialUserSettings),
    role: isAdmin(index) ? "admin" : dice.pick(roles),
    admin: isAdmin(index),
    location: dice.pick(places),
    meet_now_enabled: dice.happens(0.3),
    display_rating: dice.happens(0.2),
    tags: JSON.stringify([...new Set(Array.from({ length: dice.roll(4) }, () => dice.pick(tags)))]),
    account_suspended: isSuspended(index),
    account_deleted: isSeededRevoked(index),
    password_digest: digest,
    credentials: 1,
    created_at: created,
    updated_at: updated,
  };
  return numbered(person, crowd);
};

export const peopleInserter = () =>
  inserter<NewUser>("users", [
    ...(["id", "organization_id", "email", "email_key", "email_fold", "name", "name_key"] as const),
    ...(["username", "profile_id", "account_suspended", "account_deleted"] as const),
    ...(["password_digest", "credentials", "created_at", "updated_at"] as const),
    ...Object.values(settingColumns),
  ]);

/** More taken numbers in a row than could happen by chance. */
const TRIES = 50;

/**
 * Adds the people from one index up to, but not including, another.
 *
 * @returns their IDs, in order
 * @throws Refusal `user_limit`
 */
export const addPeople = async (
  change: Change,
  { from, to }: { readonly from: number; readonly to: number },
  crowd: Crowd,
): Promise<readonly string[]> => {
  const { tx, organization } = change;
  const { max_users, used_users } = organization;
  if (max_users !== null && used_users + activeOf(to) - activeOf(from) > max_users) {
    refuse("user_limit");
  }
  const people = Array.from({ length: to - from }, (_, at) =>
    drawPerson(organization.id, from + at, crowd),
  );
  let left = people;
  for (let tries = 0; left.length > 0; tries += 1) {
    if (tries === TRIES) throw new Error(`No free username was found in ${TRIES} tries.`);
    if (tries > 0) {
      const numbers = redrawn(crowd.numbers, tries);
      left = left.map((person) => numbered(person, { ...crowd, numbers }));
    }
    const added = await crowd.insert(tx, left);
    left = added === left.length ? [] : await leftOut(tx, "users", left);
  }
  await recount(
    change,
    people.map(({ role, account_deleted }) => ({ role, revoked: account_deleted, by: 1 })),
  );
  return people.map(({ id }) => id);
};
