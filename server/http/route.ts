import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FieldError } from "../../contract/client.ts";
import type { Checked, Operation, Reply } from "../../contract/operation.ts";
import { allow, lookAgain, organizationOf } from "../access/caller.ts";
import type { Count } from "../access/sessions.ts";
import type { Authenticated } from "../access/tokens.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/open.ts";
import { type Budget, newBudget, within } from "../deadline.ts";
import { entityTagOf, type IfMatch } from "../entity-tag.ts";
import type { RunRules } from "../live/rules.ts";
import type { Looks } from "../looks.ts";
import type { Postman } from "../mail/postman.ts";
import type { Hub } from "../meetings/hub.ts";
import type { Media } from "../meetings/media.ts";
import type { Change, Organization } from "../organization.ts";
import type { Library } from "../recordings/open.ts";
import type { Seal } from "../seal.ts";
import type { Worker } from "../worker.ts";
import { FileStream, type JsonStream, JsonText, type Look, Stream } from "./answer.ts";
import { type Entrance, hasToken } from "./authenticate.ts";
import { inputCheck } from "./check.ts";
import { type Cookies, cookiesOf } from "./cookie.ts";
import { readIfMatch } from "./if-match.ts";
import { ignoredKey, type Keep, noting, type Once, once, type Said } from "./once.ts";
import type { OverloadGuard } from "./overload.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that a route serves. */
    readonly operation?: Operation;
  }
  interface FastifyRequest {
    /** The caller; set before the body is read. */
    auth?: Authenticated;
    /** The time that is left for the answer. */
    budget?: Budget;
    /** Whether the body was still on its way when the caller was looked up. */
    isLate?: boolean;
  }
}

/** The parts of the service that routes use. */
export interface Service {
  readonly config: Config;
  readonly database: Database;
  readonly seal: Seal;
  readonly postman: Postman;
  /** Sends the deliveries of webhooks. */
  readonly sender: Pick<Worker, "wake">;
  readonly mender: Looks;
  readonly retention: Looks;
  readonly hub: Hub;
  /** What is done with live streams and transcriptions. */
  readonly runRules: RunRules;
  readonly media: Media;
  readonly library: Library;
  /** Receives the errors of work that goes on after an answer. */
  readonly onError: (error: unknown) => void;
}

/** The argument of every handler. */
interface Call<O extends Operation> {
  readonly input: Checked<O>;
  /** Where the request comes from, past the proxies that are trusted. */
  readonly address: string;
  readonly cookies: Cookies;
  /** Counts the request for its holder or address. @throws Refusal `too_many_requests` */
  readonly count: Count;
  /** Answers with the operation's second status of success. */
  readonly answerOther: () => void;
  /** The versions that the caller has loaded, where the operation is conditional. */
  readonly ifMatch: IfMatch;
  /** Answers with the entity tag of a record. */
  readonly tag: (record: string) => void;
  /** Says something in the answer's `Parley-Note`. */
  readonly note: (text: string) => void;
  /** Runs work that changes something; for a request with an Idempotency-Key, only once. */
  readonly once: Once;
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
    call: Call<Operation>,
    auth: Authenticated | undefined,
  ) => Promise<unknown>;
  /** Finds what else is wrong with an input that its schema has refused. */
  readonly moreErrors?: (
    service: Service,
    given: unknown,
    auth: Authenticated | undefined,
  ) => Promise<readonly FieldError[]>;
}

/** Binds an operation that anyone may call. */
export const open = <O extends Operation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Answer<O>>,
): Route => ({ operation, handle: (_, call) => handler(call as Call<O>) });

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

/** Finds what else is wrong with an input that its schema has refused. */
type MoreErrors = (organization: Organization, given: unknown) => Promise<readonly FieldError[]>;

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
  /** The answer, which is stored with the change for a request that is safe to retry. */
  readonly answer: (result: Result) => Reply<O> | JsonText;
  /** Follows the commit. */
  readonly after?: (result: Result) => void;
}

/** Makes a change, and stores its answer with it where it is to be kept. @returns the answer */
const makeChange = async <Result, O extends Operation>(
  organization: Organization,
  { rule, answer, after }: Steps<Result, O>,
  keep: Keep | undefined,
): Promise<Reply<O> | JsonText> => {
  const made = await organization.change(async (change) => {
    const people = new Set<string>();
    const result = await rule(noting(change, people));
    const answered = answer(result);
    await keep?.(change.tx, textOf(answered), people);
    return { result, answered };
  });
  after?.(made.result);
  return made.answered;
};

/**
 * Binds an operation that changes the caller's organization, in one change.
 *
 * @param prepare what comes before the change: refuses early, hashes
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
 * Binds an operation that changes an organization, in one change, for an access key whose secret comes
 * with the input in place of a token.
 *
 * @param enter checks the secret
 */
export const changingBySecret = <O extends Operation & { readonly changes: true }, Result>(
  operation: O,
  enter: (call: Call<O>) => Promise<Organization>,
  steps: (call: Call<O>) => Steps<Result, O>,
): Route => ({
  operation,
  handle: async (_, call) => {
    const organization = await enter(call as Call<O>);
    return call.once(organization, (keep) =>
      makeChange(organization, steps(call as Call<O>), keep),
    );
  },
});

const sourceOf = ({ in: where }: Operation, request: FastifyRequest): unknown => {
  if (where === "body") return request.body;
  if (where === "query") return request.query;
  return where === "path" ? request.params : {};
};

const textOf = (answer: unknown): string =>
  answer instanceof JsonText ? answer.text : JSON.stringify(answer);

const JSON_TYPE = "application/json; charset=utf-8";

const send = (reply: FastifyReply, answer: unknown, look: Look): FastifyReply => {
  if (!(answer instanceof Stream)) return reply.type(JSON_TYPE).send(textOf(answer));
  if (!(answer instanceof FileStream)) return reply.type(JSON_TYPE).send(answer.open(look));
  reply.header("content-disposition", `attachment; filename="${answer.name}"`);
  return reply.type(answer.type).send(answer.open(look));
};

/** The checks that every request passes. */
export interface Doors {
  readonly entrance: Entrance;
  readonly guard: OverloadGuard;
  readonly count: Count;
}

/**
 * Serves a route: looks the caller up before it reads the body, checks the input, calls the handler
 * and sends its answer.
 */
export const serve = (
  app: FastifyInstance,
  service: Service,
  { entrance, guard, count }: Doors,
  { operation, handle, moreErrors }: Route,
): void => {
  const { check, ignored } = inputCheck(operation);
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation },
    onRequest: async (request) => {
      if (operation.access === "anyone") return;
      // Only a request without any token may come from anyone: a wrong token is refused.
      if (operation.access === "anyone or token" && !hasToken(request)) return;
      request.budget = newBudget();
      request.auth = await within(request.budget, () => guard.work(() => entrance(request)));
      allow(operation, request.auth);
      request.isLate = !request.raw.complete;
      // The client hung up during the lookup: no event is left that would end the request.
      if (request.isLate && request.raw.errored) throw request.raw.errored;
    },
    handler: async (request, reply) => {
      const { auth, budget = newBudget() } = request;
      const work = <T>(wanted: () => Promise<T>): Promise<T> =>
        within(budget, () => guard.work(wanted));
      if (auth && request.isLate) {
        request.auth = await work(() => lookAgain(service.database, auth, operation));
      }
      const raw = sourceOf(operation, request);
      const input = await check(
        raw,
        moreErrors && (() => work(() => moreErrors(service, raw, request.auth))),
      );
      const said: Said = { status: operation.status, headers: {} };
      const call: Call<Operation> = {
        input,
        address: request.ip,
        cookies: cookiesOf(request, reply, service.config),
        count,
        ifMatch: operation.conditional ? readIfMatch(request.headers["if-match"]) : undefined,
        // A proxy that compressed the answer would change its tag.
        tag: (record) => {
          said.headers.etag = entityTagOf(record);
          said.headers["cache-control"] = "no-store, no-transform";
        },
        note: (text) => {
          said.headers["parley-note"] = text;
        },
        answerOther: () => {
          said.status = operation.otherStatus?.status ?? operation.status;
        },
        once: (holder, wanted) => once(service, { operation, raw, request, said }, holder, wanted),
      };
      // Counted until it ends, even if its client has hung up.
      const answer = await work(() => handle(service, call, request.auth));
      reply.status(said.status).headers(said.headers);
      const unknown = [...ignored(raw), ...ignoredKey(operation, request)];
      if (unknown.length > 0) reply.header("parley-ignored", unknown.join(", "));
      return send(reply, answer, async () => {
        if (request.auth)
          await lookAgain(service.database, request.auth, operation, "even expired");
      });
    },
  });
};
