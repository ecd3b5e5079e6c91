import { emailKey } from "../../contract/kit/fields.ts";
import type { Person } from "../../contract/people/access.ts";
import { type Facts, userSubject } from "../change/history.ts";
import {
  type Caller,
  type Change,
  nobody,
  type Organization,
  openOrganization,
  type Queries,
} from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { callerPerson } from "../db/person-keys.ts";
import { settled } from "../db/prepared.ts";
import type { Seal } from "../db/seal.ts";
import type { SessionLevel, UserRow } from "../db/tables.ts";
import { answerLeft } from "../lib/answer-left.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { findLogin, findUser, type Login, takeUser } from "../records/user-queries.ts";
import { whyKeptOut } from "../records/user-states.ts";
import { isKnown, type KnownDevice, makeDevice, readDevice } from "./devices.ts";
import { isNoted, type Note, noteOf, noteOnce } from "./notes.ts";
import { verifyPassword } from "./passwords.ts";
import { noticePlace } from "./places.ts";
import {
  countedAddress,
  countInTurn,
  forgiveTries,
  giveBackInTurn,
  judged,
  type Taken,
  type Tried,
} from "./throttle.ts";
import {
  demandFactor,
  demandNewPassword,
  isFactorDemanded,
  refuseWithoutProvider,
} from "./tickets.ts";
import {
  type Authenticated,
  endOldest,
  endRemains,
  endTokensByDigest,
  endTokensOf,
  findRenewal,
  type Holder,
  type IssuedToken,
  issueSession,
  issueToken,
} from "./tokens.ts";

/** A signed-in person, with a token. */
export interface PersonSession extends IssuedToken {
  readonly user: Person;
}

/** Counts a request for its holder or its address. @throws Refusal `too_many_requests` */
export type Count = (holder: string) => void;

/** A person in the answer to a sign-in. */
export const presentPerson = (user: UserRow): Person => ({
  id: user.id,
  email: user.email,
  name: user.name,
  username: user.username,
  role: user.role,
  admin: user.admin,
});

/** A person as a caller. */
export const callerFor = ({ id, admin, name }: UserRow): Caller => ({
  userId: id,
  accessKey: null,
  admin,
  scope: "everything",
  name,
});

/**
 * The spelling under which a login is looked up and counted. It does not depend on the accounts:
 * otherwise the throttle would reveal which of them exist.
 */
export const spellingOf = (login: string): string =>
  (login.includes("@") ? emailKey(login) : undefined) ?? login.toLowerCase();

const holderOf = (user: UserRow): Holder => ({
  organizationId: user.organization_id,
  userId: user.id,
});

/** The parts of the service that a sign-in needs. */
export interface SignInService {
  readonly database: Database;
  readonly seal: Seal;
  readonly publicUrl: string;
  /** Called for an entry that could not be added to the history. */
  readonly onError: (error: unknown) => void;
}

/** The pause between two entries about throttled tries for one account, in milliseconds. */
const THROTTLED_NOTE_MS = HOUR_MS;

/** The parts of a sign-in. */
export interface SignInAttempt {
  readonly login: string;
  readonly password: string;
  readonly address: string;
  /** The request's device cookies. */
  readonly devices: readonly string[];
  /** The browser's own description. */
  readonly userAgent?: string | undefined;
}

/** The device of the first cookie that is one of this login's account. */
const knownDevice = async (
  { database, seal }: Pick<SignInService, "database" | "seal">,
  cookies: readonly string[],
  by: Login,
): Promise<KnownDevice | undefined> => {
  for (const cookie of cookies) {
    const device = readDevice(seal, cookie);
    if (device && (await isKnown(database.read, device, by))) return device;
  }
  return undefined;
};

/**
 * Counts a try and looks up its account. A device counts only for its own account, and only while the
 * password is the one that was given on it.
 */
const beginTry = async (
  { database, seal, onError }: Pick<SignInService, "database" | "seal" | "onError">,
  { login, address, devices }: SignInAttempt,
): Promise<{
  readonly found: UserRow | undefined;
  readonly tried: Tried;
  readonly taken: Taken;
  readonly device?: KnownDevice;
}> => {
  const spelling = spellingOf(login);
  const by = loginOf(spelling);
  // Before the try is counted: one for another account must not use up what this device may try.
  const device = await knownDevice({ database, seal }, devices, by);
  const tried: Tried = device ? { own: `device ${device.id}` } : { login: spelling, address };
  // Concurrently: each takes round trips.
  const [looked, counted] = await Promise.allSettled([
    findLogin(database.read, by),
    countInTurn(database, tried),
  ]);
  if (looked.status === "rejected") throw looked.reason;
  const found = looked.value;
  if (counted.status === "fulfilled") {
    return { found, tried, taken: counted.value, ...(device && { device }) };
  }
  const { reason } = counted;
  if (found && reason instanceof Refusal && reason.code === "too_many_requests") {
    // At most once an hour, not for each try.
    const atMostOnce = noteOf(THROTTLED_NOTE_MS, "throttled", found.id);
    keepRefused(database, found, reason.code, address, atMostOnce).catch(onError);
  }
  throw reason;
};

/** The key by which the account of a login is found. */
export const loginOf = (spelling: string): Login =>
  spelling.includes("@") ? { emailKey: spelling } : { username: spelling };

const isThere = async (tx: Queries, id: string): Promise<boolean> =>
  (await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("gone_at", "is", null)
    .executeTakeFirst()) !== undefined;

/**
 * Adds a sign-in that was refused to the history.
 *
 * @param atMostOnce adds it at most once in the time of this note; omitted: always
 */
export const keepRefused = async (
  database: Database,
  user: UserRow,
  reason: string,
  address: string,
  atMostOnce?: Note,
): Promise<void> => {
  await answerLeft();
  if (atMostOnce && (await isNoted(database.read, atMostOnce))) return;
  await openOrganization(database, user.organization_id, nobody, { address }).change(
    async ({ tx, happened }) => {
      // Deleted permanently meanwhile: nothing may name them any more.
      if (!(await isThere(tx, user.id))) return;
      if (atMostOnce && !(await noteOnce(tx, atMostOnce))) return;
      happened({ kind: "signInRefused", subject: userSubject(user), after: { reason } });
    },
  );
};

/** A session that was just opened. */
export type OpenedSession = PersonSession & {
  readonly renewal: string;
};

/** How somebody has come in. */
interface WayIn {
  /** The browser's own description. */
  readonly userAgent: string | undefined;
  /** The facts about it that the history keeps. */
  readonly facts?: Facts;
  /** By what they have shown who they are. A factor comes alone or after a password. */
  readonly by: "password" | "factor" | "provider";
  /** Seals the ticket of somebody whose password must be replaced; omitted where it was not asked for. */
  readonly byPassword?: Seal;
}

/** How far a way in goes. A provider demands a factor of its own. */
const levelOf = (change: Change, user: UserRow, by: WayIn["by"]): SessionLevel => {
  if (by === "factor") return "factor";
  return by === "password" && isFactorDemanded(change.organization, user) ? "setup" : "password";
};

/**
 * Opens a session for a person who has shown who they are: the only place that does.
 *
 * @throws Refusal `wrong_login`, `account_suspended`, `account_revoked`; `password_to_choose` with a ticket
 */
export const beginSession = async (
  change: Change,
  found: UserRow,
  { userAgent, facts, by, byPassword }: WayIn,
): Promise<{ readonly session: string; readonly opened: OpenedSession }> => {
  const { tx, happened } = change;
  // A reset, suspension, promotion or removal may have come while the password was checked. They lock
  // the account's row before they end its tokens, and so end the new ones too.
  const user = await takeUser(tx, found);
  if (!user) return refuse("wrong_login");
  const code = whyKeptOut(user);
  if (code) return refuse(code);
  if (byPassword) {
    const taken = { facts: facts ?? null, byFactor: by === "factor" };
    await demandNewPassword(tx, byPassword, user, taken);
  }
  const { access, renewal, session } = await issueSession(
    tx,
    holderOf(user),
    userAgent,
    levelOf(change, user, by),
  );
  happened({
    kind: "signedIn",
    subject: userSubject(user),
    by: { userId: user.id, name: user.name },
    ...(facts && { after: facts }),
  });
  const opened = { ...access, user: presentPerson(user), renewal: renewal.token };
  return { session, opened };
};

/** Opens a session for an account, as `beginSession` does. */
export const openSession = async (
  ...given: Parameters<typeof beginSession>
): Promise<OpenedSession> => (await beginSession(...given)).opened;

/** A counted try to sign in by a second factor. */
interface FactorTry extends Pick<SignInAttempt, "address" | "devices" | "userAgent"> {
  readonly tried: Tried;
  readonly taken: Taken;
}

/**
 * Signs in a person by a second factor, in one change. That a new password must be chosen is thrown after the change,
 * which is kept, so the code that was given is used up.
 *
 * @param use uses the factor up, and returns the way in
 * @throws Refusal `wrong_login`, `account_suspended`, `account_revoked`, `provider_required`, what `use` refuses;
 *   `password_to_choose` with a ticket
 */
export const signInByFactor = async (
  service: SignInService,
  user: UserRow,
  { address, devices, userAgent, tried, taken }: FactorTry,
  use: (change: Change) => Promise<Pick<WayIn, "facts" | "byPassword">>,
): Promise<OpenedSession & { readonly device: string }> => {
  const { database, seal } = service;
  const { change } = openOrganization(database, user.organization_id, callerFor(user), { address });
  const entering = change(async (begun) => {
    refuseWithoutProvider(begun);
    const way = { ...(await use(begun)), userAgent, by: "factor" } as const;
    try {
      const session = await openSession(begun, user, way);
      await noticePlace(begun, user, { ...service, devices, userAgent });
      return session;
    } catch (error) {
      if (error instanceof Refusal && error.code === "password_to_choose") return error;
      throw error;
    }
  });
  const opened = await judged(database, tried, taken, entering);
  await giveBackInTurn(database, tried, (tx) =>
    Promise.all([forgiveTries(tx, taken), endOldest(tx, holderOf(user))]),
  );
  if (opened instanceof Refusal) throw opened;
  return { ...opened, device: makeDevice(seal, user, { withFactor: true }) };
};

/**
 * Signs a person in. Only the right password reveals the state of an account.
 *
 * @throws Refusal `wrong_login`, `account_suspended`, `account_revoked`, `provider_required`,
 *   `too_many_requests`, `overloaded`; `second_factor_needed` and `password_to_choose` with a ticket for the next step
 */
export const signIn = async (
  service: SignInService,
  given: SignInAttempt,
): Promise<OpenedSession & { readonly device: string }> => {
  const { database, seal } = service;
  const { found, tried, taken, device } = await beginTry(service, given);
  const lane = found && device ? { known: found.id } : { stranger: countedAddress(given.address) };
  const verified = verifyPassword(found?.password_digest, given.password, lane);
  const matches = await judged(database, tried, taken, verified);
  const code = found && matches ? whyKeptOut(found) : "wrong_login";
  // In the background: the response time must not reveal whether the account exists.
  if (found && code) keepRefused(database, found, code, given.address).catch(service.onError);
  if (!found || code) return refuse(code ?? "wrong_login");
  const holder = holderOf(found);
  const organization = openOrganization(database, found.organization_id, callerFor(found), {
    address: given.address,
  });
  const [session] = await Promise.all([
    organization.change(async (change) => {
      refuseWithoutProvider(change);
      // Sent together: a slow database answers each round trip late. A refusal takes all of it back.
      const [, , opened] = await settled([
        demandFactor(change.tx, seal, found),
        noticePlace(change, found, { ...service, ...given }),
        openSession(change, found, {
          userAgent: given.userAgent,
          by: "password",
          byPassword: seal,
        }),
      ]);
      return opened;
    }),
    giveBackInTurn(database, tried, (tx) =>
      Promise.all([forgiveTries(tx, taken), endOldest(tx, holder)]),
    ),
  ]);
  return { ...session, device: makeDevice(seal, found, { id: device?.id }) };
};

/** The living sessions of renewal cookies. */
const findSessions = async (
  db: Queries,
  renewals: readonly string[],
): Promise<readonly Authenticated[]> => {
  const found = await Promise.all(renewals.map((renewal) => findRenewal(db, renewal)));
  return found.filter((session) => session !== undefined);
};

/**
 * The session of a request's renewal cookies; undefined where none lives, or they are those of several
 * people: a page of another host below the same domain can set a cookie, and none can be trusted then.
 */
const findSession = async (
  db: Queries,
  renewals: readonly string[],
): Promise<Authenticated | undefined> => {
  const [session, ...others] = await findSessions(db, renewals);
  const isOne = others.every(({ caller }) => caller.userId === session?.caller.userId);
  return isOne ? session : undefined;
};

/**
 * Issues a new token for a renewal cookie.
 *
 * @throws Refusal `session_ended`, `too_many_requests`
 */
export const renewSession = async (
  database: Database,
  {
    renewals,
    address,
    count,
  }: {
    readonly renewals: readonly string[];
    readonly address: string;
    readonly count: Count;
  },
): Promise<PersonSession> => {
  const held = await findSession(database.read, renewals);
  count(held ? callerPerson(held.caller) : countedAddress(address));
  if (!held) return refuse("session_ended");
  return openOrganization(database, held.organizationId, nobody).change(async ({ tx }) => {
    // Again, inside the change: the cookie may have ended meanwhile.
    const [session, user] = await Promise.all([
      findSession(tx, renewals),
      findUser(tx, held.organizationId, held.caller.userId ?? ""),
    ]);
    if (!session || !user) return refuse("session_ended");
    await endOldest(tx, holderOf(user));
    const token = await issueToken(tx, holderOf(user), "access", session);
    return { ...token, user: presentPerson(user) };
  });
};

/** The person who calls; undefined for an access key. */
export const findPerson = async ({
  read,
  id,
  caller: { userId },
}: Organization): Promise<Person | undefined> => {
  const user = userId === null ? undefined : await findUser(read, id, userId);
  return user && presentPerson(user);
};

/**
 * Ends the token of the request, its renewal cookies that are the caller's with the tokens that they have made,
 * the cookies of recordings, and answers that began with a token that has expired.
 *
 * @returns false when a cookie is somebody else's, and stays
 */
export const signOut = (
  organization: Organization,
  { digest, caller }: Authenticated,
  renewals: readonly string[],
): Promise<boolean> =>
  organization.change(async ({ tx, caller: { name }, happened }) => {
    if (caller.userId !== null) {
      happened({ kind: "signedOut", subject: userSubject({ id: caller.userId, name }) });
    }
    const sessions = await findSessions(tx, renewals);
    const own = sessions.filter((session) => session.caller.userId === caller.userId);
    // Those from before sign-ins had an ID are known by their digest alone.
    const made = own.flatMap(({ session }) => session ?? []);
    await Promise.all([
      endTokensByDigest(tx, [digest, ...own.map((one) => one.digest)]),
      endTokensOf(tx, [caller.userId ?? ""], made),
    ]);
    if (caller.userId !== null) await endRemains(tx, [caller.userId]);
    return own.length === sessions.length;
  });
