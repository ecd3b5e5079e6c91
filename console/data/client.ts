import { createClient, type FieldError, ParleyError } from "../../contract/client.ts";
import { t } from "../texts/index.ts";
import { currentToken, currentUserId, renew } from "./session.ts";

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

/** The client for every request of the console. */
export const parley = createClient({ token: currentToken, fetch: withRenewal });

/** Whether a proxy answered in place of the service, whose own answers of these statuses have a code. */
const isUnreached = ({ code, status }: ParleyError): boolean => code === "internal" && status > 500;

/** The text of a failure: the service's own, or that the service cannot be reached. */
export const sayFailure = (failure: unknown): string => {
  if (failure instanceof ParleyError && !isUnreached(failure)) {
    return failure.retryAfter === undefined
      ? failure.message
      : `${failure.message} ${t.states.wait(failure.retryAfter)}`;
  }
  return failure instanceof ParleyError || failure instanceof TypeError
    ? t.states.unreachable
    : t.states.broken;
};

/** The failure's fields; none if it is not about fields. */
export const fieldErrors = (failure: unknown): readonly FieldError[] =>
  failure instanceof ParleyError ? failure.errors : [];
