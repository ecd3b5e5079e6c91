import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../db/open.ts";
import { digestOf } from "../digest.ts";
import type { Happened } from "../history/keep.ts";
import { expelInvited } from "../meetings/expel.ts";
import type { Change, Organization, Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import type { Count } from "./sessions.ts";
import { countedAddress } from "./throttle.ts";
import { endOldest, type IssuedToken, issueToken } from "./tokens.ts";

/** An access key as lists show it. */
export interface AccessKey {
  readonly accessKey: string;
  readonly createdAt: string;
}

/** A new access key; only now the secret is readable. */
export interface NewAccessKey extends AccessKey {
  readonly secretAccessKey: string;
}

/** The part of a change that exists for an organization that was just made. */
interface InOrganization extends Pick<Change, "tx" | "now" | "happened"> {
  readonly organization: Pick<Change["organization"], "id">;
}

/** An access key as the history names it: it is no secret. */
const keySubject = (id: string): Happened["subject"] => ({ kind: "accessKey", id, name: id });

const someDigits = (): string => String(randomInt(10 ** 8, 10 ** 9));

/**
 * Makes an access key: the organization's ID, hyphen, a number, hyphen, a number; its secret is 64
 * hexadecimal digits, stored as a digest.
 */
export const createAccessKey = async ({
  tx,
  organization,
  now: createdAt,
  happened,
}: InOrganization): Promise<NewAccessKey> => {
  const accessKey = `${organization.id}-${someDigits()}-${someDigits()}`;
  const secretAccessKey = randomBytes(32).toString("hex");
  await tx
    .insertInto("access_keys")
    .values({
      id: accessKey,
      organization_id: organization.id,
      secret_digest: digestOf(secretAccessKey),
      created_at: createdAt,
    })
    .execute();
  happened({ kind: "accessKeyCreated", subject: keySubject(accessKey) });
  return { accessKey, secretAccessKey, createdAt };
};

/** The access keys of an organization, oldest first. */
export const listAccessKeys = ({ read, id }: Organization): Promise<AccessKey[]> =>
  read
    .selectFrom("access_keys")
    .select(["id as accessKey", "created_at as createdAt"])
    .where("organization_id", "=", id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/**
 * Removes an access key, all of its tokens, its invitations, and the seats of those whom it invited.
 *
 * @throws Refusal `access_key_not_found`
 */
export const removeAccessKey = async (change: Change, accessKey: string): Promise<void> => {
  const { tx, organization } = change;
  const removed = await tx
    .deleteFrom("access_keys")
    .where("organization_id", "=", organization.id)
    .where("id", "=", accessKey)
    .returning("id")
    .executeTakeFirst();
  if (!removed) refuse("access_key_not_found");
  change.happened({ kind: "accessKeyRemoved", subject: keySubject(accessKey) });
  await expelInvited(change, accessKey);
};

/** The organization of an access key, if this is its secret. */
export const checkAccessKey = async (
  db: Queries,
  { accessKey, secretAccessKey }: Secret,
): Promise<{ readonly organizationId: string; readonly digest: string } | undefined> => {
  const row = await db
    .selectFrom("access_keys")
    .select(["organization_id", "secret_digest"])
    .where("id", "=", accessKey)
    .executeTakeFirst();
  const digest = digestOf(secretAccessKey);
  const matches = timingSafeEqual(
    Buffer.from(digest, "hex"),
    Buffer.from(row?.secret_digest ?? digestOf(""), "hex"),
  );
  return row && matches ? { organizationId: row.organization_id, digest } : undefined;
};

interface Secret {
  readonly accessKey: string;
  readonly secretAccessKey: string;
}

/**
 * A token for an access key. Wrong tries count for their address alone: nobody guesses 256 bits,
 * and no stranger may lock out the key's owner.
 *
 * @throws Refusal `wrong_access_key`, `too_many_requests`
 */
export const exchangeAccessKey = async (
  database: Database,
  { address, count, ...secret }: Secret & { readonly address: string; readonly count: Count },
): Promise<IssuedToken> => {
  const { accessKey } = secret;
  const known = await checkAccessKey(database.read, secret);
  count(known ? accessKey : countedAddress(address));
  if (!known) return refuse("wrong_access_key");
  return database.change(async (tx) => {
    // A write locks the row: it may have been removed meanwhile.
    const key = await tx
      .updateTable("access_keys")
      .set((eb) => ({ secret_digest: eb.ref("secret_digest") }))
      .where("id", "=", accessKey)
      .where("secret_digest", "=", known.digest)
      .returning("organization_id")
      .executeTakeFirst();
    if (!key) return refuse("wrong_access_key");
    const holder = { organizationId: key.organization_id, accessKey };
    await endOldest(tx, holder);
    return issueToken(tx, holder, "access");
  });
};
