import type { FastifyRequest } from "fastify";
import type { Operation } from "../../contract/operation.ts";
import type { Database } from "../db/open.ts";
import { claimRequest, isKept } from "../kept-answers.ts";
import type { Queries } from "../organization.ts";
import { refuseField } from "../refusal.ts";
import type { Seal } from "../seal.ts";
import { JsonText } from "./answer.ts";

/** What an answer says beside its body. */
export interface Said {
  status: number;
  readonly headers: Record<string, string>;
}

const NAME = "Idempotency-Key";

/**
 * The key of a request that is safe to retry (draft-ietf-httpapi-idempotency-key-header).
 *
 * @throws Refusal on a key that is not 1 to 255 visible letters
 */
const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  return refuseField(NAME, "must be 1 to 255 visible ASCII characters, without blanks");
};

interface Asked {
  readonly operation: Operation;
  readonly raw: unknown;
  readonly request: FastifyRequest;
  readonly said: Said;
}

/**
 * Runs the work on a request; one with an Idempotency-Key only once, however often it is sent.
 *
 * @param work gets what stores the answer within the change, for a request with a key
 * @returns the answer, or that of the same request before, whose status and headers are put into `said`
 */
export const once = async (
  service: { readonly database: Database; readonly seal: Seal },
  { operation, raw, request, said }: Asked,
  work: (keep?: (tx: Queries, body: string) => Promise<void>) => Promise<unknown>,
): Promise<unknown> => {
  const { auth } = request;
  const key = operation.changes ? keyOf(request) : undefined;
  if (key === undefined || auth === undefined) return work();
  const claim = await claimRequest(service, {
    organizationId: auth.organizationId,
    holder: auth.caller.userId ?? auth.caller.accessKey ?? "",
    key,
    request: JSON.stringify([operation.id, raw, request.headers["if-match"] ?? null]),
  });
  if (isKept(claim)) {
    said.status = claim.status;
    Object.assign(said.headers, claim.headers, { "idempotency-replayed": "true" });
    return new JsonText(claim.body);
  }
  try {
    return await work((tx, body) => claim.keep(tx, { ...said, body }));
  } catch (error) {
    // Where this fails as well, the lease ends by itself.
    claim.release().catch(() => {});
    throw error;
  }
};
