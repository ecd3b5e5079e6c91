import {
  type Caller,
  nobody,
  type Organization,
  openOrganization,
  type Queries,
} from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { callerPerson } from "../db/person-keys.ts";
import { answerLeft } from "../lib/answer-left.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import { refuse } from "../lib/refusal.ts";
import {
  checkAccessKey,
  type KeyRow,
  type KeyUse,
  keySubject,
  readKey,
  useAccessKey,
  whyRefused,
} from "./access-keys.ts";
import { isNoted, noteOf, noteOnce } from "./notes.ts";
import type { Count } from "./sessions.ts";
import { countedAddress } from "./throttle.ts";
import { endOldest, type IssuedToken, issueToken } from "./tokens.ts";

/*
 * Exchanges an access key for a token, and accepts its secret in place of one. Applications may
 * exchange their key for every request, and strangers may try secrets without a throttle (0008), so the
 * history records a use once a day for each address, and refusals once an hour for each key.
 */

/** An access key as a caller. */
export const callerOf = ({ id, name, scope }: KeyRow): Caller => ({
  userId: null,
  accessKey: id,
  admin: true,
  scope,
  name: name || id,
});

/** Adds to the history that a known key was refused, once an hour for each key. */
const keepRefused = async (
  database: Database,
  key: KeyRow,
  reason: string,
  address: string,
): Promise<void> => {
  const noted = noteOf(HOUR_MS, "refused", key.id);
  await answerLeft();
  if (await isNoted(database.read, noted)) return;
  await openOrganization(database, key.organization_id, nobody, { address }).change(
    async ({ tx, happened }) => {
      if (await noteOnce(tx, noted)) {
        happened({ kind: "signInRefused", subject: keySubject(key), after: { reason } });
      }
    },
  );
};

/** The database, and the handler of errors while a refusal is added to the history. */
interface Exchange {
  readonly database: Database;
  readonly onError: (error: unknown) => void;
}

/** An access key with its secret, from an address. */
interface Shown {
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly address: string;
  readonly count: Count;
}

/**
 * The access key that a secret opens. Wrong tries count for their address alone: nobody guesses 256
 * bits, and no stranger may lock out the key's owner.
 *
 * @throws Refusal `wrong_access_key`, `access_key_ended`, `too_many_requests`
 */
export const openAccessKey = async (
  { database, onError }: Exchange,
  { accessKey, secretAccessKey, address, count }: Shown,
  use?: KeyUse,
): Promise<KeyRow> => {
  const key = await readKey(database.read, accessKey);
  const code = whyRefused(key, secretAccessKey, use);
  count(
    code === "wrong_access_key"
      ? countedAddress(address)
      : callerPerson({ userId: null, accessKey }),
  );
  if (key === undefined || code !== undefined) {
    // In the background: the answer takes the same time for a key that does not exist.
    if (key && code) keepRefused(database, key, code, address).catch(onError);
    return refuse(code ?? "wrong_access_key");
  }
  return key;
};

/**
 * A token for an access key.
 *
 * @throws Refusal `wrong_access_key`, `access_key_ended`, `too_many_requests`
 */
export const exchangeAccessKey = async (service: Exchange, shown: Shown): Promise<IssuedToken> => {
  const { database } = service;
  const { accessKey, address } = shown;
  const noted = noteOf(DAY_MS, "used", accessKey, countedAddress(address));
  const { read } = database;
  const [key, isNotedAlready] = await Promise.all([
    openAccessKey(service, shown),
    isNoted(read, noted),
  ]);
  const issue = async (tx: Queries): Promise<IssuedToken> => {
    // A write locks the row: the key may have been removed meanwhile.
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
  if (isNotedAlready) return database.change(issue);
  const caller = callerOf(key);
  return openOrganization(database, key.organization_id, caller, { address }).change(
    async ({ tx, happened }) => {
      const issued = await issue(tx);
      if (await noteOnce(tx, noted)) happened({ kind: "signedIn", subject: keySubject(key) });
      return issued;
    },
  );
};

/** The token that a directory sends: the access key and its secret. */
const TOKEN = /^([^.]+)\.([^.]+)$/;

/**
 * The organization whose directory sends this token: an access key and its secret. It ends with the key, and
 * each change looks at the key again.
 *
 * @throws Refusal `unauthorized`, `access_key_ended`, `too_many_requests`
 */
export const openDirectory = async (
  service: Exchange,
  token: string,
  { address, count }: Pick<Shown, "address" | "count">,
): Promise<Organization> => {
  const { database } = service;
  const [, accessKey = "", secretAccessKey = ""] = TOKEN.exec(token) ?? [];
  const secret = { accessKey, secretAccessKey };
  const key = await openAccessKey(service, { ...secret, address, count }, "scim");
  const caller = callerOf(key);
  const lookAgain = async (tx: Queries): Promise<Caller> => {
    const current = await checkAccessKey(tx, secret, "scim");
    return callerOf(current ?? refuse("unauthorized"));
  };
  const organization = openOrganization(database, key.organization_id, caller, {
    lookAgain,
    address,
  });
  const inUse = noteOf(HOUR_MS, "in use", accessKey);
  if (await isNoted(database.read, inUse)) return organization;
  const noted = noteOf(DAY_MS, "used", accessKey, countedAddress(address));
  await organization.change(async ({ tx, happened }) => {
    await noteOnce(tx, inUse);
    await useAccessKey(tx, accessKey).execute();
    if (await noteOnce(tx, noted)) happened({ kind: "signedIn", subject: keySubject(key) });
  });
  return organization;
};
