import type { Database } from "../db/open.ts";
import { type Caller, nobody, openOrganization, type Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { type KeyRow, keySubject, readKey, useAccessKey, whyRefused } from "./access-keys.ts";
import { isNoted, note, noteOf } from "./notes.ts";
import type { Count } from "./sessions.ts";
import { countedAddress } from "./throttle.ts";
import { endOldest, type IssuedToken, issueToken } from "./tokens.ts";

/*
 * The exchange of an access key for a token. Applications may exchange their key for every request,
 * and strangers may try secrets without a throttle (0008), so the history tells of a use once a day
 * for each address, and of refusals once an hour for each key.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const callerOf = ({ id, name, scope }: KeyRow): Caller => ({
  ...{ userId: null, accessKey: id, admin: true, scope, name: name || id },
});

/** Adds to the history that a known key was refused. */
const keepRefused = async (
  database: Database,
  key: KeyRow,
  reason: string,
  address: string,
): Promise<void> => {
  const told = noteOf(HOUR_MS, "refused", key.id);
  if (await isNoted(database.read, told)) return;
  await openOrganization(database, key.organization_id, nobody, async () => nobody, address).change(
    async ({ tx, happened }) => {
      if (await note(tx, told)) {
        happened({ kind: "signInRefused", subject: keySubject(key), after: { reason } });
      }
    },
  );
};

/**
 * A token for an access key. Wrong tries count for their address alone: nobody guesses 256 bits,
 * and no stranger may lock out the key's owner.
 *
 * @throws Refusal `wrong_access_key`, `access_key_ended`, `too_many_requests`
 */
export const exchangeAccessKey = async (
  {
    database,
    onError,
  }: { readonly database: Database; readonly onError: (error: unknown) => void },
  {
    accessKey,
    secretAccessKey,
    address,
    count,
  }: {
    readonly accessKey: string;
    readonly secretAccessKey: string;
    readonly address: string;
    readonly count: Count;
  },
): Promise<IssuedToken> => {
  const told = noteOf(DAY_MS, "used", accessKey, countedAddress(address));
  const [key, isTold] = await Promise.all([
    readKey(database.read, accessKey),
    isNoted(database.read, told),
  ]);
  const code = whyRefused(key, secretAccessKey);
  count(code === "wrong_access_key" ? countedAddress(address) : accessKey);
  if (key === undefined || code !== undefined) {
    // Behind the answer: an unknown key is answered alike.
    if (key && code) keepRefused(database, key, code, address).catch(onError);
    return refuse(code ?? "wrong_access_key");
  }
  const issue = async (tx: Queries): Promise<IssuedToken> => {
    // A write locks the row: it may have been removed meanwhile.
    const used = await useAccessKey(tx, accessKey)
      .where("secret_digest", "=", key.secret_digest)
      .returning("id")
      .executeTakeFirst();
    if (!used) return refuse("wrong_access_key");
    const holder = { organizationId: key.organization_id, accessKey };
    await endOldest(tx, holder);
    return issueToken(tx, holder, "access");
  };
  // Most exchanges do not wait for the organization's row.
  if (isTold) return database.change(issue);
  const caller = callerOf(key);
  return openOrganization(
    database,
    key.organization_id,
    caller,
    async () => caller,
    address,
  ).change(async ({ tx, happened }) => {
    const issued = await issue(tx);
    if (await note(tx, told)) happened({ kind: "signedIn", subject: keySubject(key) });
    return issued;
  });
};
