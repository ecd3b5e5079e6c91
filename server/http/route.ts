import type { Checked, Operation, Reply } from "../../contract/kit/operation.ts";
import type { FieldReason } from "../../contract/kit/reasons.ts";
import { organizationOf } from "../access/caller.ts";
import type { Count } from "../access/sessions.ts";
import type { Authenticated } from "../access/tokens.ts";
import type { Change, Organization } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import type { IfMatch } from "../lib/entity-tag.ts";
import type { Media } from "../meetings/state/media.ts";
import type { Library } from "../recordings/open.ts";
import type { Hub } from "../socket/hub.ts";
import type { Registry } from "../socket/registry.ts";
import type { RefusedSeats } from "../usage/refused.ts";
import { type FileStream, type JsonStream, JsonText } from "./answer.ts";
import type { Cookies } from "./cookie.ts";
import { type Keep, noting, type Once } from "./once.ts";

/** The parts of the service that routes use. */
export interface Service {
  readonly config: Config;
  readonly database: Database;
  readonly seal: Seal;
  readonly hub: Pick<Hub, "deliver">;
  /** The rules of meetings. */
  readonly commands: Registry;
  readonly media: Media;
  readonly library: Library;
  /** Counts the joins that find no free seat. */
  readonly refused: Pick<RefusedSeats, "count">;
  /** Receives the errors of work that goes on after an answer. */
  readonly onError: (error: unknown) => void;
}

/** The argument of every handler. */
export interface Call<O extends Operation> {
  readonly input: Checked<O>;
  /** The client's address, past trusted proxies. */
  readonly address: string;
  /** The client's own description. */
  readonly userAgent: string | undefined;
  readonly cookies: Cookies;
  /** Answers with the operation's second status of success. */
  readonly answerOther: () => void;
  /** The versions that the caller has loaded, if the operation is conditional. */
  readonly ifMatch: IfMatch;
  /** Answers with the entity tag of a record. */
  readonly tag: (record: string) => void;
  /** Adds to the answer's `Parley-Note`. */
  readonly note: (text: string) => void;
  /** Runs work that changes something; with an Idempotency-Key, only once. */
  readonly once: Once;
}

/** The argument of a handler that finds for whom the request counts. */
export interface CountingCall<O extends Operation> extends Call<O> {
  /** Counts the request for its holder or address. @throws Refusal `too_many_requests` */
  readonly count: Count;
}

/** The argument of a handler whose caller has a token. */
export interface ScopedCall<O extends Operation> extends Call<O> {
  auth: Authenticated;
  readonly organization: Organization;
}

type Answer<O extends Operation> = O extends { readonly file: readonly string[] }
  ? FileStream
  : Reply<O> | JsonText | JsonStream;

/** An operation and its handler. */
export interface Route {
  readonly operation: Operation;
  readonly handle: (
    service: Service,
    call: CountingCall<Operation>,
    auth: Authenticated | undefined,
  ) => Promise<unknown>;
  /** The handler counts the request; others count before it runs (counting.ts). */
  readonly counts?: "found";
  /** Finds further faults of an input that its schema refused. */
  readonly moreErrors?: (
    service: Service,
    given: unknown,
    auth: Authenticated | undefined,
  ) => Promise<readonly FieldReason[]>;
}

/** Binds an operation that anyone may call. */
export const open = <O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Answer<O>>,
): Route => ({ operation, handle: (_, call) => handler(call as Call<O>) });

/** Binds an operation that anyone may call, and that finds by a secret for whom the call counts. */
export const openBySecret = <O extends Operation>(
  operation: O,
  handler: (call: CountingCall<O>) => Promise<Answer<O>>,
): Route => ({ ...open(operation, (call) => handler(call as CountingCall<O>)), counts: "found" });

/** Binds an operation that anyone may call; with a token, the call is its holder's. */
export const openOrAs = <O extends Operation>(
  operation: O,
  handler: (call: Call<O> & { readonly auth: Authenticated | undefined }) => Promise<Answer<O>>,
): Route => ({ operation, handle: (_, call, auth) => handler({ ...(call as Call<O>), auth }) });

const scopeOf = (
  operation: Operation,
  { database }: Service,
  auth: Authenticated | undefined,
  address: string | null = null,
) => {
  if (!auth) throw new Error(`${operation.id} was reached without a caller.`);
  return { auth, organization: organizationOf(database, auth, operation, address) };
};

/** Finds further faults of an input that its schema refused. */
type MoreErrors = (organization: Organization, given: unknown) => Promise<readonly FieldReason[]>;

const moreErrorsOf = (operation: Operation, more: MoreErrors | undefined) =>
  more && {
    moreErrors: (service: Service, given: unknown, auth: Authenticated | undefined) =>
      more(scopeOf(operation, service, auth).organization, given),
  };

/** Binds an operation of the caller's organization that changes nothing, or not in one change. */
export const scoped = <O extends Operation>(
  operation: O,
  handler: (call: ScopedCall<O>) => Promise<Answer<O>>,
): Route => ({
  operation,
  handle: (service, call, auth) =>
    handler({ ...(call as Call<O>), ...scopeOf(operation, service, auth, call.address) }),
});

/** The steps of an operation that changes the organization. */
interface Steps<Result, O extends Operation> {
  /** Makes the change. */
  readonly rule: (change: Change) => Promise<Result>;
  /** The answer, stored with the change for a repeatable request. */
  readonly answer: (result: Result) => Reply<O> | JsonText;
  /** Follows the commit. */
  readonly after?: (result: Result) => void;
}

/** An answer as JSON text. */
export const answerText = (answer: unknown): string =>
  answer instanceof JsonText ? answer.text : JSON.stringify(answer);

/** Makes a change, and stores its answer with it if needed. @returns the answer */
const makeChange = async <Result, O extends Operation>(
  organization: Organization,
  { rule, answer, after }: Steps<Result, O>,
  keep: Keep | undefined,
): Promise<Reply<O> | JsonText> => {
  const made = await organization.change(async (change) => {
    const people = new Set<string>();
    const result = await rule(noting(change, people));
    const answered = answer(result);
    await keep?.(change.tx, answerText(answered), people);
    return { result, answered };
  });
  after?.(made.result);
  return made.answered;
};

/**
 * Binds an operation that changes the caller's organization, in one change.
 *
 * @param prepare precedes the change: refuses early, hashes
 */
export const changing = <O extends Operation & { readonly changes: true }, Result>(
  operation: O,
  prepare: (call: ScopedCall<O>) => Steps<Result, O> | Promise<Steps<Result, O>>,
  more?: MoreErrors,
): Route => ({
  operation,
  handle: async (service, call, auth) => {
    const scope = scopeOf(operation, service, auth, call.address);
    return call.once(scope.organization, async (keep) => {
      const steps = await prepare({ ...(call as Call<O>), ...scope });
      return makeChange(scope.organization, steps, keep);
    });
  },
  ...moreErrorsOf(operation, more),
});

/**
 * Binds an operation that changes an organization, in one change, for an access key whose secret
 * replaces a token.
 *
 * @param enter checks the secret
 */
export const changingBySecret = <O extends Operation & { readonly changes: true }, Result>(
  operation: O,
  enter: (call: CountingCall<O>) => Promise<Organization>,
  steps: (call: Call<O>) => Steps<Result, O>,
): Route => ({
  operation,
  handle: async (_, call) => {
    const organization = await enter(call as CountingCall<O>);
    return call.once(organization, (keep) =>
      makeChange(organization, steps(call as Call<O>), keep),
    );
  },
  counts: "found",
});
