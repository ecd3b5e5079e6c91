import { createClient, type FieldError, ParleyError } from "../../contract/client.ts";
import type { Reason } from "../../contract/kit/reasons.ts";
import { t } from "../texts/index.ts";
import { base } from "./base.ts";
import { reasonText } from "./reasons.ts";
import {
  askForProof,
  currentToken,
  currentUser,
  currentUserId,
  renew,
  setupNeeded,
} from "./session.ts";

export { type FieldError, ParleyError };

/** Retries a call once with a renewed token after a 401. */
const withRenewal: typeof fetch = async (address, init) => {
  const [sent, sender] = [currentToken(), currentUserId()];
  const answer = await fetch(address, init);
  if (answer.status !== 401 || !(await renew(sent))) return answer;
  // Nothing is repeated in the name of another person who has signed in meanwhile.
  if (currentUserId() !== sender) return answer;
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${currentToken()}`);
  return fetch(address, { ...init, headers });
};

/** The code of a refusal, without taking the answer's body. */
const refusalIn = async (answer: Response): Promise<unknown> => {
  if (answer.status !== 403) return undefined;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { readonly code?: unknown } | undefined)?.code;
};

/** Retries a call once after a proof that it needs, and notices that a second factor must be set up. */
const withProof: typeof fetch = async (address, init) => {
  const sender = currentUserId();
  const answer = await withRenewal(address, init);
  const code = await refusalIn(answer);
  if (code === "factor_to_set_up") setupNeeded.set({ isNeeded: true });
  if (code !== "proof_needed" || !(await askForProof())) return answer;
  // As after a renewal.
  if (currentUserId() !== sender) return answer;
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${currentToken()}`);
  return withRenewal(address, { ...init, headers });
};

/** The client for every request of the console. */
export const parley = createClient({
  retries: 0,
  baseUrl: base,
  token: currentToken,
  fetch: withProof,
});

/** The service's version, which it gives to administrators only. */
export const serviceVersion = async (signal: AbortSignal): Promise<string | null> => {
  const headers = { authorization: `Bearer ${currentToken()}` };
  const answer = await withRenewal(`${base}/healthz`, { signal, headers });
  const { version } = (await answer.json()) as { readonly version?: string };
  return version ?? null;
};

/**
 * Returns whether nothing answered, or a proxy in the service's place: the service's own 5xx answers have a
 * code.
 */
const isUnreached = (failure: unknown): boolean =>
  failure instanceof ParleyError
    ? failure.code === "internal" && failure.status > 500
    : failure instanceof TypeError;

/**
 * Replaces the service's text for people who have no access to the operator. Texts are looked up when they
 * are shown: the page that records has none of the console.
 */
const forOthers = (code: string): string | undefined =>
  (
    ({
      media_engine_needed: t.states.engineNeeded,
      media_unavailable: t.states.mediaUnavailable,
      recorder_missing: t.states.recorderMissing,
      recordings_unavailable: t.states.recordingsUnavailable,
      disk_full: t.states.diskFull,
      unavailable: t.states.unavailable,
    }) as Readonly<Record<string, string>>
  )[code];

/** Why something was refused, as answers carry it. */
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly reason?: Reason | undefined;
}

/** The service's text of a refusal, in the page's language where it has the code. */
export const refusalText = ({ code, errors: [first] = [], message, reason }: Refused): string =>
  (first && reasonText(first, first.field)) ?? reasonText(reason ?? { code }) ?? message;

/** The text of a failure: the service's, or that the service cannot be reached. */
export const sayFailure = (failure: unknown): string => {
  if (isUnreached(failure)) return t.states.unreachable;
  if (!(failure instanceof ParleyError)) return t.states.broken;
  // An owner cannot upgrade the plan.
  if (failure.code === "room_limit" && currentUser()?.admin === false)
    return t.rooms.limitForOwners;
  // Only administrators have access to the operator.
  const own = currentUser()?.admin === true ? undefined : forOthers(failure.code ?? "");
  if (own !== undefined) return own;
  const text = refusalText(failure);
  return failure.retryAfter === undefined ? text : `${text} ${t.states.wait(failure.retryAfter)}`;
};

/** The failure's fields; none if it is not about fields. */
export const fieldErrors = (failure: unknown): readonly FieldError[] =>
  failure instanceof ParleyError ? failure.errors : [];
