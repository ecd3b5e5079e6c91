import { createAccessKey, type NewAccessKey } from "../../server/access/access-keys.ts";
import { type Holder, issueToken } from "../../server/access/tokens.ts";
import { type Change, openOrganization, operator } from "../../server/change/organization.ts";
import type { Database } from "../../server/db/open.ts";
import type { UserRow } from "../../server/db/tables.ts";
import { createOrganization } from "../../server/organizations/organizations.ts";
import { addUser } from "../../server/users/create.ts";
import { type Ask, askAs } from "./ask.ts";

/** An organization in a world, with an access key and no people. */
export interface TestOrganization {
  readonly id: string;
  readonly name: string;
  readonly accessKey: NewAccessKey;
  /** A token of the access key: not bound to an account. */
  readonly token: string;
  /** Sends requests with that token. */
  readonly ask: Ask;
  /** The same, to another process. */
  readonly askAt: (url: string) => Ask;
  /** Runs a rule in the organization, directly on the database. */
  change<T>(rule: (change: Change) => Promise<T>): Promise<T>;
  /** Adds an account without a password: nobody can sign in to it. */
  addPerson(email: string, more?: Partial<Person>): Promise<UserRow>;
  /** A token of an account. */
  tokenOf(userId: string): Promise<string>;
}

/** An organization with its first account, an administrator who may own rooms. */
export interface Tenant extends TestOrganization {
  readonly admin: UserRow;
}

/** The plan of an organization; without limits by default. */
export interface Limits {
  readonly plan?: string | null;
  readonly rooms?: number | null;
  readonly users?: number | null;
}

interface Person {
  readonly id: string;
  readonly name: string;
  readonly admin: boolean;
  readonly role: string;
}

const NO_PASSWORD = { password: "", digest: "nobody signs in with this" };

/** Creates an organization directly in the database. @param url where `ask` sends requests */
export const newOrganization = async (
  database: Database,
  url: string,
  wanted: string,
  { plan = null, rooms = null, users = null }: Limits,
): Promise<TestOrganization> => {
  const limits = { plan, max_rooms: rooms, max_users: users };
  const { id, name } = await database.change((tx, send) =>
    createOrganization({ tx, send }, wanted, limits),
  );
  const { change } = openOrganization(database, id, operator);
  // The interface's defaults, with which organizations from before go on; `organizations/new` has the others.
  await change(({ tx }) =>
    tx.updateTable("organizations").set({ settings: "{}" }).where("id", "=", id).execute(),
  );
  const tokenFor = (holder: Holder) =>
    change(async ({ tx }) => (await issueToken(tx, holder, "access")).token);
  const accessKey = await change(createAccessKey);
  const token = await tokenFor({ organizationId: id, accessKey: accessKey.accessKey });
  const addPerson: TestOrganization["addPerson"] = (email, more = {}) => {
    const account = { name: email, admin: false, role: "moderator", email, ...more };
    return change((begun) => addUser(begun, account, NO_PASSWORD));
  };
  return {
    id,
    name,
    accessKey,
    token,
    change,
    addPerson,
    ask: askAs(url, token),
    askAt: (other) => askAs(other, token),
    tokenOf: (userId) => tokenFor({ organizationId: id, userId }),
  };
};
