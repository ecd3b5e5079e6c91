import { randomBytes, randomInt } from "node:crypto";
import {
  type AccessKey,
  type AccessKeySettings,
  initialAccessKeySettings,
} from "../../contract/organization/access-keys.ts";
import { allFacts, type Facts, type Happened } from "../change/history.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { AccessKeyRow } from "../db/tables.ts";
import { digestOf, hasDigest } from "../lib/digest.ts";
import { refuse, refuseField } from "../lib/refusal.ts";

/** A new access key, with its secret, which is readable only now. */
export interface NewAccessKey extends AccessKey {
  readonly secretAccessKey: string;
}

/** The part of a change that exists for an organization that was just made. */
interface InOrganization extends Pick<Change, "tx" | "now" | "happened"> {
  readonly organization: Pick<Change["organization"], "id">;
}

/** An access key as answers show it. */
export const presentKey = (row: AccessKeyRow): AccessKey => ({
  accessKey: row.id,
  createdAt: row.created_at,
  name: row.name,
  scope: row.scope,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
});

/** An access key as the history names it: its ID is not a secret. */
export const keySubject = ({
  id,
  name,
}: Pick<AccessKeyRow, "id" | "name">): Happened["subject"] => ({
  kind: "accessKey",
  id,
  name: name === "" ? id : name,
});

/** The fields of an access key that the history keeps: everything that an edit may set. */
export const keyFacts = ({ name, scope, expires_at }: AccessKeyRow): Facts => ({
  name,
  scope,
  expiresAt: expires_at,
});

/** Refuses an end in the past. @throws Refusal on `expiresAt` */
export const refusePast = (expiresAt: string | null | undefined, currentTime: string): void => {
  if (expiresAt && expiresAt <= currentTime) refuseField("expiresAt", "not_future");
};

const someDigits = (): string => String(randomInt(10 ** 8, 10 ** 9));

/**
 * Makes an access key: the organization's ID, hyphen, a number, hyphen, a number; its secret is 64
 * hexadecimal digits, stored as a digest.
 *
 * @param settings by default, what every key was before keys had settings
 * @throws Refusal if its end is in the past
 */
export const createAccessKey = async (
  { tx, organization, now: createdAt, happened }: InOrganization,
  { name, scope, expiresAt }: AccessKeySettings = initialAccessKeySettings,
): Promise<NewAccessKey> => {
  refusePast(expiresAt, createdAt);
  const secretAccessKey = randomBytes(32).toString("hex");
  const row: AccessKeyRow = {
    id: `${organization.id}-${someDigits()}-${someDigits()}`,
    organization_id: organization.id,
    secret_digest: digestOf(secretAccessKey),
    created_at: createdAt,
    name,
    scope,
    expires_at: expiresAt,
    last_used_at: null,
  };
  await tx.insertInto("access_keys").values(row).execute();
  const after = allFacts(keyFacts(row));
  happened({ kind: "accessKeyCreated", subject: keySubject(row), after });
  return { ...presentKey(row), secretAccessKey };
};

/** The access keys of an organization, oldest first. */
export const listAccessKeys = async ({ read, id }: Organization): Promise<AccessKey[]> => {
  const rows = await read
    .selectFrom("access_keys")
    .selectAll()
    .where("organization_id", "=", id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(presentKey);
};

/**
 * The access key of this ID in the organization of a change.
 *
 * @throws Refusal `access_key_not_found`
 */
export const findAccessKey = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  accessKey: string,
): Promise<AccessKeyRow> =>
  (await tx
    .selectFrom("access_keys")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "=", accessKey)
    .executeTakeFirst()) ?? refuse("access_key_not_found");

interface Secret {
  readonly accessKey: string;
  readonly secretAccessKey: string;
}

/** The columns that the check of a secret needs, with the current time of the database. */
export type KeyRow = Omit<AccessKeyRow, "created_at" | "last_used_at"> & {
  readonly currentTime: string;
};

/** The access key of this ID, of any organization. */
export const readKey = (db: Queries, accessKey: string): Promise<KeyRow | undefined> =>
  db
    .selectFrom("access_keys")
    .select(["id", "organization_id", "secret_digest", "scope", "name", "expires_at"])
    .select(now().as("currentTime"))
    .where("id", "=", accessKey)
    .executeTakeFirst();

/** Returns whether the time of an access key is over. */
export const hasEnded = ({ expires_at, currentTime }: KeyRow): boolean =>
  expires_at !== null && expires_at <= currentTime;

/** The door that an access key opens: the interface, or SCIM for directories. */
export type KeyUse = "interface" | "scim";

/** The scopes of the keys that open SCIM: a key of a directory opens nothing else. */
const opensScim = ({ scope }: Pick<KeyRow, "scope">): boolean =>
  scope === "scim" || scope === "everything";

/** Why a secret opens nothing; only the right one reveals that the key has ended. */
export const whyRefused = (
  row: KeyRow | undefined,
  secretAccessKey: string,
  use: KeyUse = "interface",
): "wrong_access_key" | "access_key_ended" | undefined => {
  const matches = hasDigest(secretAccessKey, row?.secret_digest ?? digestOf(""));
  if (row === undefined || !matches) return "wrong_access_key";
  if (use === "scim" ? !opensScim(row) : row.scope === "scim") return "wrong_access_key";
  return hasEnded(row) ? "access_key_ended" : undefined;
};

/**
 * The access key, if this is its secret; undefined otherwise.
 *
 * @throws Refusal `access_key_ended`: only the right secret reveals it
 */
export const checkAccessKey = async (
  db: Queries,
  { accessKey, secretAccessKey }: Secret,
  use?: KeyUse,
): Promise<KeyRow | undefined> => {
  const row = await readKey(db, accessKey);
  const code = whyRefused(row, secretAccessKey, use);
  if (code === "access_key_ended") refuse(code);
  return code === undefined ? row : undefined;
};

/** Notes that an access key is in use now. One write for each token, not for each request. */
export const useAccessKey = (tx: Queries, accessKey: string) =>
  tx.updateTable("access_keys").set({ last_used_at: now() }).where("id", "=", accessKey);
