import { issueToken } from "../../server/access/tokens.ts";
import type { UserRow } from "../../server/db/tables.ts";
import { openOrganization, operator } from "../../server/organization.ts";
import { createOrganization } from "../../server/organizations/organizations.ts";
import { addUser } from "../../server/users/create.ts";
import { type Ask, askAs } from "./ask.ts";
import type { World } from "./world.ts";

/** An organization in a world. */
export interface Tenant {
  readonly id: string;
  /** Its first account, an administrator: it owns rooms. */
  readonly admin: UserRow;
  /** An access key's token: not bound to an account. */
  readonly token: string;
  /** Asks with that token. */
  readonly ask: Ask;
  /** The same, of the other process. */
  readonly askAt: (url: string) => Ask;
  /** Adds an account without a password: nobody signs in with it. */
  addPerson(email: string, more?: Partial<Person>): Promise<UserRow>;
  addPeople(people: readonly ({ readonly email: string } & Partial<Person>)[]): Promise<UserRow[]>;
  /** A token of an account. */
  tokenOf(userId: string): Promise<string>;
}

interface Person {
  readonly name: string;
  readonly admin: boolean;
  readonly role: string;
}

const NO_PASSWORD = { password: "", digest: "nobody signs in with this" };

/** Makes an organization beside the running service. */
export const newTenant = async (
  { database, url }: World,
  number: number,
  { rooms, users }: { readonly rooms?: number; readonly users?: number },
): Promise<Tenant> => {
  const plan = { max_rooms: rooms ?? null, max_users: users ?? null };
  const name = `Organization ${number}`;
  const accessKey = `key of ${name}`;
  const created = await database.change((tx) => createOrganization(tx, name, plan));
  const token = await database.change(async (tx) => {
    await tx
      .insertInto("access_keys")
      .values({
        id: accessKey,
        organization_id: created.id,
        secret_digest: "",
        created_at: created.created_at,
      })
      .execute();
    return (await issueToken(tx, { organizationId: created.id, accessKey }, "access")).token;
  });
  const organization = openOrganization(database, created.id, operator);
  const addPeople: Tenant["addPeople"] = async (people) => {
    const rows: UserRow[] = [];
    // In one change each: the counters start from the row as it was taken.
    for (const person of people) {
      const account = {
        ...{ name: person.email, admin: false, role: "moderator" },
        ...person,
      };
      rows.push(await organization.change((change) => addUser(change, account, NO_PASSWORD)));
    }
    return rows;
  };
  const addPerson: Tenant["addPerson"] = async (email, more = {}) => {
    const [row] = await addPeople([{ email, ...more }]);
    if (!row) throw new Error("no account was added");
    return row;
  };
  const admin = await addPerson(`admin@tenant${number}.example.org`, {
    ...{ name: "Administrator", admin: true, role: "admin" },
  });
  return {
    id: created.id,
    admin,
    token,
    ask: askAs(url, token),
    askAt: (other) => askAs(other, token),
    addPerson,
    addPeople,
    tokenOf: (userId) =>
      database.change(
        async (tx) =>
          (await issueToken(tx, { organizationId: created.id, userId }, "access")).token,
      ),
  };
};
