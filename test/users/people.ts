import assert from "node:assert/strict";
import { emailKey } from "../../contract/fields.ts";
import { initialUserSettings } from "../../contract/user-settings.ts";
import type { Database } from "../../server/db/open.ts";
import { fold } from "../../server/fold.ts";
import { uuid7 } from "../../server/id.ts";
import { openOrganization, operator } from "../../server/organization.ts";
import { storedSettings } from "../../server/users/columns.ts";
import { recount } from "../../server/users/counters.ts";
import { tenDigits, usernameFor } from "../../server/users/create.ts";
import type { Ask } from "../world/place.ts";

export const loginUrl = "https://meet.example.org/login";

let people = 0;
/** An address that no other person has. */
export const someEmail = (): string => `person-${++people}@example.org`;

/** What creates a person. */
export const newPerson = (more: object = {}) => ({
  email: someEmail(),
  name: "Ann Lee",
  loginUrl,
  ...more,
});

/** Creates a person; also gives the password. */
export const create = async (ask: Ask, more: object = {}) => {
  const { status, body } = await ask("POST /api/user/orgUser", newPerson(more));
  assert.equal(status, 201, JSON.stringify(body));
  return { ...body.user, password: body.password as string };
};

export const revoke = async (ask: Ask, ...ids: string[]): Promise<void> => {
  const users = ids.map((userId) => ({ userId }));
  assert.equal((await ask("POST /api/user/revokeOrgUsers", users)).status, 200);
};

export const suspend = async (ask: Ask, userId: string): Promise<void> => {
  const { status } = await ask("POST /api/user/suspendRestoreUser", { userId, action: "suspend" });
  assert.equal(status, 200);
};

/** A row as creating a person makes it, but for the slow digest of a password. */
const rowOf = (organization_id: string, now: string, more: Partial<Added>) => {
  const { email, name, role } = { ...newPerson(), role: "moderator", ...more };
  return {
    ...storedSettings({ ...initialUserSettings, role, location: more.location ?? null }),
    ...{ id: uuid7(), organization_id, email, name },
    ...{ email_key: emailKey(email) ?? "", email_fold: fold(email), name_key: fold(name) },
    ...{ username: usernameFor(`${name} ${email}`), profile_id: tenDigits() },
    ...{ account_suspended: false, account_deleted: false, password_digest: "", credentials: 1 },
    ...{ created_at: now, updated_at: now },
  };
};

/** What a test says of a person that it adds. */
interface Added {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly location: string;
}

/** Adds many people at once, without passwords and letters; gives their IDs. */
export const addPeople = async (
  database: Database,
  organizationId: string,
  people: readonly Partial<Added>[],
): Promise<string[]> =>
  openOrganization(database, organizationId, operator).change(async (change) => {
    const rows = people.map((more) => rowOf(organizationId, change.now, more));
    for (let from = 0; from < rows.length; from += 100) {
      await change.tx
        .insertInto("users")
        .values(rows.slice(from, from + 100))
        .execute();
    }
    await recount(
      change,
      rows.map(({ role }) => ({ role, revoked: false, by: 1 })),
    );
    return rows.map(({ id }) => id);
  });

/** Signs in and gives the token. */
export const signIn = async (open: Ask, login: string, password: string): Promise<string> => {
  const { status, body } = await open("POST /api/session", { login, password });
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
};

/** A person with a token of their own. */
export const createSignedIn = async (open: Ask, ask: Ask, more: object = {}) => {
  const person = await create(ask, more);
  return { ...person, token: await signIn(open, person.email, person.password) };
};

/** Everything that an organization holds of people, to see that nothing changed. */
export const everybody = async (ask: Ask) => ({
  active: (await ask("POST /api/user/fetchOrgUsers", {})).body.users,
  revoked: (await ask("POST /api/user/fetchDeletedOrgUsers", {})).body.users,
});

export const ownAccount = {
  success: false,
  message: "You cannot suspend, revoke, delete or demote the account that you are using.",
  code: "own_account",
};
