import { hash, randomBytes } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import type { Tables } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { refuse } from "../lib/refusal.ts";
import type { Queries } from "./organization.ts";
import type { Expiry } from "./removals.ts";

/*
 * Requests that are safe to retry. A request with an Idempotency-Key claims its key first, and its
 * answer is stored in the transaction that makes its change: both are there, or neither. So a client
 * that got no answer can send the same request again, and gets the answer of the first one (0032).
 */

/** How long an answer is kept. */
const KEPT_MS = DAY_MS;
/** How long a claim lasts if its process dies: longer than a request may take. */
const REQUEST_LEASE_MS = 15_000;
/** An answer, byte for byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request with an Idempotency-Key. */
export interface RepeatableRequest {
  readonly organizationId: string;
  /** The caller's key (`callerPerson`), with the time of the account: each has keys of its own. */
  readonly holder: string;
  readonly key: string;
  /** The operation and its input. */
  readonly request: string;
}

/** The right to make a request, until the lease ends. */
export interface Claim {
  /**
   * Stores the answer within the request's change.
   *
   * @param subjectId the person in the answer
   * @throws Refusal when the claim is lost
   */
  keep(tx: Queries, answer: KeptAnswer, subjectId: string | null): Promise<void>;
  /** Forgets the key, unless its answer is stored: a refused request leaves nothing, and may be sent again. */
  release(): Promise<void>;
}

/**
 * Claims the key of a request.
 *
 * @returns the claim, or the answer that the same request got earlier
 * @throws Refusal `idempotency_reused` when the key was sent with another request,
 *   `idempotency_running` while the first one runs
 */
export const claimRequest = async (
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  { organizationId, holder, key, request: asked }: RepeatableRequest,
): Promise<Claim | KeptAnswer> => {
  const digest = hash("sha256", JSON.stringify([organizationId, holder, key]));
  const request = hash("sha256", asked);
  const claim = randomBytes(16).toString("base64url");
  const known = await database.change(async (tx) => {
    await tx
      .deleteFrom("kept_answers")
      .where("digest", "=", digest)
      .where("created_at", "<=", now(-KEPT_MS))
      .execute();
    const claimed = await tx
      .insertInto("kept_answers")
      .values({
        digest,
        organization_id: organizationId,
        request,
        claim,
        lease_until: now(REQUEST_LEASE_MS),
        answer: null,
        created_at: now(),
      })
      .onConflict((conflict) =>
        conflict
          .column("digest")
          .doUpdateSet({ claim, lease_until: now(REQUEST_LEASE_MS) })
          .where("kept_answers.answer", "is", null)
          .where("kept_answers.lease_until", "<=", now())
          .where("kept_answers.request", "=", request),
      )
      .returning("digest")
      .executeTakeFirst();
    if (claimed !== undefined) return undefined;
    return tx
      .selectFrom("kept_answers")
      .select(["request", "answer"])
      .where("digest", "=", digest)
      .executeTakeFirst();
  });
  if (known !== undefined) {
    if (known.request !== request) return refuse("idempotency_reused");
    if (known.answer === null) return refuse("idempotency_running");
    return JSON.parse(seal.open(known.answer, contextOf(digest)));
  }
  const isOwn = ({ eb, and }: ExpressionBuilder<Tables, "kept_answers">) =>
    and([eb("digest", "=", digest), eb("claim", "=", claim), eb("answer", "is", null)]);
  return {
    keep: async (tx, answer, subject_id) => {
      const kept = await tx
        .updateTable("kept_answers")
        .set({ answer: seal.seal(JSON.stringify(answer), contextOf(digest)), subject_id })
        .where(isOwn)
        .returning("digest")
        .executeTakeFirst();
      if (kept === undefined) refuse("idempotency_running");
    },
    release: () =>
      database.change(async (tx) => {
        await tx.deleteFrom("kept_answers").where(isOwn).execute();
      }),
  };
};

const contextOf = (digest: string): string => `answer ${digest}`;

/** Returns whether a request was made before. */
export const isKept = (one: Claim | KeptAnswer): one is KeptAnswer => "status" in one;

/**
 * Forgets the answers about these people. Their keys stay used: a repeated request is refused, and
 * does not create the person again.
 */
export const forgetAnswers = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  await tx
    .updateTable("kept_answers")
    .set({ request: "", answer: null, subject_id: null })
    .where("subject_id", "in", userIds)
    .execute();
};

/** Answers that are no longer kept. */
export const oldAnswers: Expiry = {
  table: "kept_answers",
  key: "digest",
  by: "created_at",
  until: now(-KEPT_MS),
};
