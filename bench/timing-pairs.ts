import { randomInt } from "node:crypto";
import { operations } from "../contract/index.ts";
import type { Operation } from "../contract/kit/operation.ts";
import { generatePassword, hashPassword } from "../server/access/passwords.ts";
import { openOrganization, operator } from "../server/change/organization.ts";
import { seed } from "../server/cli/seeding/seed.ts";
import { openDatabase } from "../server/db/open.ts";
import { uuid7 } from "../server/lib/id.ts";
import { createOrganization } from "../server/organizations/organizations.ts";
import type { Dataset } from "./dataset.ts";
import { say } from "./say.ts";

/** Two kinds of requests that a caller must not be able to tell apart. */
export interface Pair {
  readonly what: string;
  readonly operation: Operation;
  /** The next request for something that exists in another organization. */
  readonly there: () => unknown;
  /** The next request for something that does not exist. */
  readonly nowhere: () => unknown;
}

/** IDs from another organization. */
interface Others {
  readonly rooms: readonly string[];
  readonly users: readonly string[];
  readonly emails: readonly string[];
}

/** Another organization in the same database, whose people all have a password. */
const makeOthers = async (dataset: Dataset): Promise<Others> => {
  const database = await openDatabase(dataset);
  try {
    const { id } = await database.change((tx, send) => createOrganization({ tx, send }, "Others"));
    const organization = openOrganization(database, id, operator);
    const asked = { rooms: dataset.rooms, users: dataset.users, ownersMax: 3, seed: 2 };
    await seed(organization, asked, (what, done, of) => say(`Others: ${done} of ${of} ${what}`));
    const password_digest = await hashPassword(generatePassword());
    const users = await database.change((tx) =>
      tx
        .updateTable("users")
        .set({ password_digest })
        .where("organization_id", "=", id)
        .returning(["id", "email"])
        .execute(),
    );
    const rooms = await database.read
      .selectFrom("rooms")
      .select("room")
      .where("organization_id", "=", id)
      .execute();
    return {
      rooms: rooms.map(({ room }) => room),
      users: users.map((user) => user.id),
      emails: users.map((user) => user.email),
    };
  } finally {
    await database.close();
  }
};

/** Returns the values in a cycle. */
const cycle = (list: readonly string[]): (() => string) => {
  let at = 0;
  return () => list[at++ % list.length] ?? "";
};

const unknownRoom = (): string => String(randomInt(10 ** 10)).padStart(10, "0");

/** The pairs to compare, in a database to which it adds another organization. */
export const makePairs = async (dataset: Dataset): Promise<readonly Pair[]> => {
  const { rooms, users, emails } = await makeOthers(dataset);
  const email = cycle(emails);
  const pair = (
    what: string,
    operation: Operation,
    [known, unknown]: readonly [() => string, () => string],
    input: (id: string) => unknown,
  ): Pair => ({ what, operation, there: () => input(known()), nowhere: () => input(unknown()) });
  const password = "wrong horse battery staple";
  return [
    pair("fetch a room", operations.fetchRoom, [cycle(rooms), unknownRoom], (id) => ({ id })),
    pair("delete a room", operations.deleteRoom, [cycle(rooms), unknownRoom], (id) => ({ id })),
    pair("edit a person", operations.editUser, [cycle(users), uuid7], (userId) => ({
      userId,
      name: "Name",
    })),
    pair("suspend a person", operations.suspendRestoreUser, [cycle(users), uuid7], (userId) => ({
      userId,
      action: "suspend",
    })),
    pair(
      "sign in with a wrong password",
      operations.signIn,
      [email, () => `x${email()}`],
      (login) => ({
        login,
        password,
      }),
    ),
  ];
};
