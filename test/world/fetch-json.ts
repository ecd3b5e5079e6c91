import assert from "node:assert/strict";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Service } from "./service.ts";

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what is there, and fails where it is not
  readonly body: any;
  readonly text: string;
}

export interface Request {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request as the interface asks for it: with a JSON content type, whatever it carries. A
 * success is held against the contract: its status, and exactly its keys.
 */
export const fetchJson = async (
  service: Pick<Service, "url" | "checkAnswers">,
  method: string,
  path: string,
  { token, body, raw, headers }: Request = {},
): Promise<Answer> => {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(service.url + path, {
    method,
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: jsonIn(text),
    text,
  };
  if (service.checkAnswers && response.ok) holdToContract(method, path, answer);
  return answer;
};

const known = Object.values<Operation>(operations).map((operation) => ({
  operation,
  // "/api/roomSetting/paginated" is no room: paths without parameters come first.
  pattern: new RegExp(`^${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
  exact: !operation.path.includes(":"),
}));
known.sort((one, other) => Number(other.exact) - Number(one.exact));

const holdToContract = (method: string, path: string, { status, body, text }: Answer): void => {
  const bare = path.split(/[?#]/, 1)[0] ?? "";
  const found = known.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(bare),
  );
  if (found === undefined) return;
  const { operation } = found;
  const about = `${operation.id} answered ${status} ${text.slice(0, 500)}`;
  assert.ok([operation.status, operation.otherStatus?.status].includes(status as 200), about);
  const { error } = operation.reply.safeParse(body);
  assert.ok(error === undefined, `${about}\n${error?.message}`);
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
