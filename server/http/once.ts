import type { FastifyRequest } from "fastify";
import type { Operation } from "../../contract/kit/operation.ts";
import { claimRequest, isKept } from "../change/kept-answers.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { callerPerson } from "../db/person-keys.ts";
import type { Seal } from "../db/seal.ts";
import { refuseField } from "../lib/refusal.ts";
import { JsonText } from "./answer.ts";

/** The status and headers of an answer. */
export interface AnswerHead {
  status: number;
  readonly headers: Record<string, string>;
}

const NAME = "Idempotency-Key";

/**
 * The key of a repeatable request (draft-ietf-httpapi-idempotency-key-header).
 *
 * @throws Refusal on a key that is not 1 to 255 visible letters
 */
const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  return refuseField(NAME, "not_idempotency_key");
};

interface Asked {
  readonly operation: Operation;
  readonly raw: unknown;
  readonly request: FastifyRequest;
  readonly said: AnswerHead;
}

/** The holder whose keys count: of a token, or of the secret in the input. */
type Holder = Pick<Organization, "id" | "caller">;

/** Work whose answer is stored within its change, for a request with a key. */
type Work = (keep?: Keep) => Promise<unknown>;

/** Stores a request's answer within its change, which is about these people. */
export type Keep = (tx: Queries, body: string, people: ReadonlySet<string>) => Promise<void>;

/** The change, which notes the people whom it is about. */
export const noting = (change: Change, people: Set<string>): Change => ({
  ...change,
  happened: (...what) => {
    for (const { subject } of what) if (subject.kind === "user") people.add(subject.id);
    change.happened(...what);
  },
});

/** Runs one request's work for its holder; with an Idempotency-Key, only once. */
export type Once = (holder: Holder, work: Work) => Promise<unknown>;

/** The header, if an operation does not support it: a client must not rely on it (0032). */
export const ignoredKey = ({ changes }: Operation, { headers }: FastifyRequest): string[] =>
  changes || headers["idempotency-key"] === undefined ? [] : [NAME];

/**
 * Runs a request's work; with an Idempotency-Key only once, however often it is sent.
 *
 * @returns the answer, or that of the earlier request, whose status and headers are put into `said`
 */
export const once = async (
  service: { readonly database: Database; readonly seal: Seal },
  { operation, raw, request, said }: Asked,
  { id: organizationId, caller }: Holder,
  work: Work,
): Promise<unknown> => {
  const key = operation.changes ? keyOf(request) : undefined;
  if (key === undefined) return work();
  const claim = await claimRequest(service, {
    organizationId,
    holder: `${callerPerson(caller)} ${caller.accountCreatedAt ?? ""}`,
    key,
    request: JSON.stringify([operation.id, raw, request.headers["if-match"] ?? null]),
  });
  if (isKept(claim)) {
    said.status = claim.status;
    Object.assign(said.headers, claim.headers, { "idempotency-replayed": "true" });
    return new JsonText(claim.body);
  }
  try {
    return await work((tx, body, people) => {
      // An answer about several people names none of them.
      const [person = null] = people.size === 1 ? people : [];
      return claim.keep(tx, { ...said, body }, person);
    });
  } catch (error) {
    // If this fails too, the lease ends by itself.
    claim.release().catch(() => {});
    throw error;
  }
};
