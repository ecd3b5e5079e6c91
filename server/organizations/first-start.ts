import { createAccessKey, type NewAccessKey } from "../access/access-keys.ts";
import { generatePassword, hashPassword } from "../access/passwords.ts";
import { type Happened, keepHistory } from "../change/history.ts";
import { type Change, operator, type Queries } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import { foldCase } from "../lib/fold.ts";
import { addUser } from "../users/create.ts";
import { createOrganization, listOrganizations } from "./organizations.ts";

/** The result of the first start: shown once. */
export interface FirstStart {
  readonly organization: { readonly id: string; readonly name: string };
  readonly admin: { readonly email: string; readonly username: string; readonly password: string };
  /** True if the password was generated, so nobody knows it yet. */
  readonly passwordGenerated: boolean;
  readonly accessKey: NewAccessKey;
}

const ORGANIZATION = "My organization";

/** A name that no organization has that was made at the command line. */
const freeName = async (tx: Queries): Promise<string> => {
  const taken = new Set((await listOrganizations(tx)).map(({ name }) => foldCase(name)));
  let name = ORGANIZATION;
  for (let number = 2; taken.has(foldCase(name)); number += 1) name = `${ORGANIZATION} ${number}`;
  return name;
};

/**
 * Makes the first organization, its administrator and one access key, once: of several processes
 * that start on an empty database, the one that locks the service's row. It makes nothing if an
 * account exists. After a failure it also finds what that change made, if only the confirmation was
 * lost.
 *
 * @returns undefined on every later start
 */
export const openFirstStart = (
  database: Database,
  config: Pick<Config, "adminEmail" | "adminPassword">,
): (() => Promise<FirstStart | undefined>) => {
  let tried: FirstStart | undefined;
  return async () => {
    const made = await make(database, config, (first) => {
      tried = first;
    });
    if (made !== undefined || tried === undefined) return made;
    const kept = await database.read
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", tried.organization.id)
      .executeTakeFirst();
    return kept && tried;
  };
};

/** @param onTried called before the commit */
const make = async (
  database: Database,
  { adminEmail, adminPassword }: Pick<Config, "adminEmail" | "adminPassword">,
  onTried: (first: FirstStart) => void,
): Promise<FirstStart | undefined> => {
  const { initialized_at } = await database.read
    .selectFrom("service")
    .select("initialized_at")
    .executeTakeFirstOrThrow();
  if (initialized_at !== null) return undefined;
  const password = adminPassword ?? generatePassword();
  const digest = await hashPassword(password);
  return database.change(async (tx, send) => {
    const now = new Date().toISOString();
    const taken = await tx
      .updateTable("service")
      .set({ initialized_at: now })
      .where("initialized_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!taken) return undefined;
    if (await tx.selectFrom("users").select("id").limit(1).executeTakeFirst()) return undefined;
    const organization = await createOrganization({ tx, send }, await freeName(tx));
    const happened: Happened[] = [];
    const change: Change = {
      tx,
      send,
      organization,
      caller: operator,
      now,
      address: null,
      happened: (...what) => happened.push(...what),
      publish: () => {},
      announce: () => {},
      leaveWork: () => {},
    };
    const admin = await addUser(
      change,
      {
        email: adminEmail,
        name: "Administrator",
        admin: true,
        role: "admin",
      },
      { password, digest },
    );
    const accessKey = await createAccessKey(change);
    keepHistory(change, happened);
    const first = {
      organization: { id: organization.id, name: organization.name },
      admin: { email: admin.email, username: admin.username, password },
      passwordGenerated: adminPassword === undefined,
      accessKey,
    };
    onTried(first);
    return first;
  });
};
