import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../db/open.ts";
import type { Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { countTry, forgiveTry } from "./throttle.ts";
import { digestOf, type IssuedToken, issueToken } from "./tokens.ts";

/** An access key as lists show it. */
export interface AccessKey {
  readonly accessKey: string;
  readonly createdAt: string;
}

/** A new access key; the secret is readable this once. */
export interface NewAccessKey extends AccessKey {
  readonly secretAccessKey: string;
}

const someDigits = (): string => String(randomInt(10 ** 8, 10 ** 9));

/**
 * Makes an access key: the organization's ID, hyphen, a number, hyphen, a number; its secret is 64
 * hexadecimal digits, stored as a digest.
 */
export const createAccessKey = async (
  tx: Queries,
  organizationId: string,
  createdAt: string,
): Promise<NewAccessKey> => {
  const accessKey = `${organizationId}-${someDigits()}-${someDigits()}`;
  const secretAccessKey = randomBytes(32).toString("hex");
  await tx
    .insertInto("access_keys")
    .values({
      id: accessKey,
      organization_id: organizationId,
      secret_digest: digestOf(secretAccessKey),
      created_at: createdAt,
    })
    .execute();
  return { accessKey, secretAccessKey, createdAt };
};

/** The access keys of an organization, oldest first. */
export const listAccessKeys = (db: Queries, organizationId: string): Promise<AccessKey[]> =>
  db
    .selectFrom("access_keys")
    .select(["id as accessKey", "created_at as createdAt"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/**
 * Removes an access key, and with it every token that it made.
 *
 * @throws Refusal `access_key_not_found`
 */
export const removeAccessKey = async (
  tx: Queries,
  organizationId: string,
  accessKey: string,
): Promise<void> => {
  const removed = await tx
    .deleteFrom("access_keys")
    .where("organization_id", "=", organizationId)
    .where("id", "=", accessKey)
    .returning("id")
    .executeTakeFirst();
  if (!removed) refuse("access_key_not_found");
};

/** Whether this is the secret of this access key; tells its organization. */
const checkAccessKey = async (
  db: Queries,
  accessKey: string,
  secretAccessKey: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("access_keys")
    .select(["organization_id", "secret_digest"])
    .where("id", "=", accessKey)
    .executeTakeFirst();
  const given = digestOf(secretAccessKey);
  const matches = timingSafeEqual(
    Buffer.from(given, "hex"),
    Buffer.from(row?.secret_digest ?? digestOf(""), "hex"),
  );
  return matches ? row?.organization_id : undefined;
};

/**
 * A token for an access key.
 *
 * @throws Refusal `wrong_access_key`, `too_many_requests`
 */
export const exchangeAccessKey = async (
  database: Database,
  accessKey: string,
  secretAccessKey: string,
  address: string,
): Promise<IssuedToken> => {
  const tried = { login: `key:${accessKey}`, address };
  const issued = await database.change(async (tx) => {
    await countTry(tx, tried);
    const organizationId = await checkAccessKey(tx, accessKey, secretAccessKey);
    if (organizationId === undefined) return undefined;
    await forgiveTry(tx, tried);
    return issueToken(tx, { organizationId, accessKey }, "access");
  });
  // Refused out here: inside, the try would not be counted.
  return issued ?? refuse("wrong_access_key");
};
