import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../../contract/kit/operation.ts";
import { allow, lookAgain } from "../access/caller.ts";
import type { Authenticated } from "../access/tokens.ts";
import { type Budget, newBudget, within } from "../db/deadline.ts";
import { entityTagOf, type IfMatch } from "../lib/entity-tag.ts";
import { addressOf } from "../lib/networks.ts";
import { refuseField } from "../lib/refusal.ts";
import { FileStream, type RightsCheck, Stream } from "./answer.ts";
import { type Entrance, hasToken } from "./authenticate.ts";
import { inputCheck } from "./check.ts";
import { encodedBody } from "./compress.ts";
import { cookiesOf } from "./cookie.ts";
import type { Counting } from "./counting.ts";
import { type AnswerHead, ignoredKey, once } from "./once.ts";
import type { OverloadGuard } from "./overload.ts";
import { answerText, type CountingCall, type Route, type Service } from "./route.ts";

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
// A blank can match in one place only: otherwise, a header of many commas would take very long.
const LIST = new RegExp(`^[ \\t,]*${TAG.source}(?:[ \\t]*,(?:[ \\t]*${TAG.source})?)*[ \\t]*$`);

/**
 * Reads `If-Match` (RFC 9110, 13.1.1).
 *
 * @throws Refusal on If-Match where it is neither * nor a list of entity tags
 */
export const readIfMatch = (header: string | undefined): IfMatch => {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  if (!LIST.test(header)) refuseField("If-Match", "not_entity_tag");
  return header.match(TAG) ?? [];
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that a route serves. */
    readonly operation?: Operation;
  }
  interface FastifyRequest {
    /** The caller; set before the body is read. */
    auth?: Authenticated;
    /** The time left for the answer. */
    budget?: Budget;
    /** True if the body was still arriving when the caller was looked up. */
    isLate?: boolean;
  }
}

const sourceOf = ({ in: where }: Operation, request: FastifyRequest): unknown => {
  if (where === "body") return request.body;
  if (where === "query") return request.query;
  return where === "path" ? request.params : {};
};

const JSON_TYPE = "application/json; charset=utf-8";

/** Sets the headers that depend on the kind of answer. @returns its body */
const bodyOf = (reply: FastifyReply, answer: unknown, look: RightsCheck): string | Readable => {
  const isFile = answer instanceof FileStream;
  reply.type(isFile ? answer.type : JSON_TYPE);
  if (isFile) reply.header("content-disposition", `attachment; filename="${answer.name}"`);
  return answer instanceof Stream ? answer.open(look) : answerText(answer);
};

/** The checks that every request passes. */
export interface Doors {
  readonly entrance: Entrance;
  readonly guard: OverloadGuard;
  readonly counting: Counting;
}

/**
 * Serves a route: looks the caller up before it reads the body, checks the input, calls the handler
 * and sends its answer.
 */
export const serve = (
  app: FastifyInstance,
  service: Service,
  { entrance, guard, counting }: Doors,
  { operation, handle, moreErrors, counts }: Route,
): void => {
  const from = addressOf(service.config.trustProxy);
  const { check, ignored } = inputCheck(operation);
  app.route({
    method: operation.method,
    url: operation.path,
    config: { operation, counts: operation.access === "anyone" ? (counts ?? "address") : "caller" },
    onRequest: async (request) => {
      if (operation.access === "anyone") return;
      // Only a request without any token may come from anyone: a wrong one is refused.
      if (operation.access === "anyone or token" && !hasToken(request)) {
        counting.address(request.raw);
        return;
      }
      request.budget = newBudget(service.database);
      request.auth = await within(request.budget, () => guard.work(() => entrance(request)));
      allow(operation, request.auth);
      request.isLate = !request.raw.complete;
      // The client hung up during the lookup: no later event would end the request.
      if (request.isLate && request.raw.errored) throw request.raw.errored;
    },
    handler: async (request, reply) => {
      const { auth, budget = newBudget(service.database) } = request;
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
      const said: AnswerHead = { status: operation.status, headers: {} };
      let isCounted = counts === undefined;
      const call: CountingCall<Operation> = {
        input,
        address: from(request.raw),
        userAgent: request.headers["user-agent"],
        cookies: cookiesOf(request, reply, service.config),
        count: (holder) => {
          isCounted = true;
          counting.holder(holder);
        },
        ifMatch: operation.conditional ? readIfMatch(request.headers["if-match"]) : undefined,
        // A compressing proxy would change its tag.
        tag: (record) => {
          said.headers.etag = entityTagOf(record);
          said.headers["cache-control"] = "no-store, no-transform";
        },
        note: (text) => {
          const before = said.headers["parley-note"];
          said.headers["parley-note"] = before === undefined ? text : `${before}; ${text}`;
        },
        answerOther: () => {
          said.status = operation.otherStatus?.status ?? operation.status;
        },
        once: (holder, wanted) => once(service, { operation, raw, request, said }, holder, wanted),
      };
      // Counted until it ends, even if its client hung up.
      const answer = await work(() => handle(service, call, request.auth));
      if (!isCounted) throw new Error(`${operation.id} has counted nobody.`);
      reply.status(said.status).headers(said.headers);
      const unknown = [...ignored(raw), ...ignoredKey(operation, request)];
      if (unknown.length > 0) reply.header("parley-ignored", unknown.join(", "));
      const body = bodyOf(reply, answer, async () => {
        if (request.auth)
          await lookAgain(service.database, request.auth, operation, "even expired");
      });
      // Most answers are never compressed: these are not awaited.
      return reply.send(
        operation.compressed ? await encodedBody(operation, request, reply, body) : body,
      );
    },
  });
};
