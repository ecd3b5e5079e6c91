import assert from "node:assert/strict";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import { assertReasons } from "./reasons.ts";

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read any field, and fail if it is missing.
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
  readonly body: any;
}

export type OperationId = keyof typeof operations;

/** The request: an operation by its ID, or `METHOD /path`. */
export type Asked = OperationId | `${string} ${string}`;

/**
 * Sends a request: `ask("createRoom", input)` sends an operation's input to its address, `ask("POST
 * /api/roomSetting", body)` sends a text as it is and anything else as JSON.
 */
export type Ask = (
  what: Asked,
  input?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** The cookies that an answer sets, as a browser sends them back. */
export const cookieOf = ({ headers }: Pick<Answer, "headers">): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0] ?? "")
    .join("; ");

/** The header for a token; it replaces the caller's own. */
export const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});

/** The address and the body of a request for an operation. */
export const requestFor = (
  { path, in: where, method }: Operation,
  input: unknown,
): { readonly method: string; readonly path: string; readonly body: string | undefined } => {
  if (where === "body") return { method, path, body: JSON.stringify(input) };
  const fields = Object.entries((input ?? {}) as Record<string, unknown>);
  if (where === "path") {
    const filled = fields.reduce(
      (made, [name, value]) => made.replace(`:${name}`, () => encodeURIComponent(String(value))),
      path,
    );
    return { method, path: filled, body: undefined };
  }
  const query = new URLSearchParams(
    fields.flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  return { method, path: query.size > 0 ? `${path}?${query}` : path, body: undefined };
};

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

/** Sends a request in the interface's usual form, with its JSON content type. */
export const send = async (
  url: string,
  {
    method,
    path,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly body?: string | Buffer | undefined;
  },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  // Not fetch, which takes a tenth of the processor time of an average test file.
  const { request } = url.startsWith("https:") ? https : http;
  const asked = request(url + path, {
    method,
    headers: {
      accept: "*/*",
      "content-type": "application/json",
      ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      ...headers,
    },
  });
  // The service may answer before it has read everything, and hang up.
  asked.on("error", () => {});
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const text = await textOf(answer);
  const isJson = /^application\/json(?:;|$)/.test(answer.headers["content-type"] ?? "");
  return {
    status: answer.statusCode ?? 0,
    headers: headersOf(answer),
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
};

/** Checks an answer against the contract: a success against its schema, a failure against its text. */
export const checkAnswer = (operation: Operation, { status, body, text }: Answer): void => {
  const about = `${operation.id} answered ${status}: ${text.slice(0, 500)}`;
  if (operation.file && status === operation.status) return;
  assert.ok(body !== undefined, about);
  if (status === operation.status || status === operation.otherStatus?.status) {
    const { success, error } = operation.reply.safeParse(body);
    assert.ok(success, `${about}\n${error?.message}`);
    return;
  }
  const known = texts[body.code as Code];
  assert.ok(known, about);
  assert.equal(status, known.status, about);
  const said = body.authToken?.message ?? body.message ?? body.error;
  assert.equal(typeof said, "string", about);
  assertReasons(said, body);
  assert.notEqual(status, 500, about);
};

/**
 * How often a request is repeated that the service rejects as overload: a busy machine makes it late now and
 * then.
 */
const TRIES = 60;

/** Repeats a request while the service rejects it as overload. */
export const resend = async (
  request: () => Promise<Answer>,
  isShed = ({ body }: Answer): boolean => body?.code === "overloaded",
): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await request();
    if (!isShed(answer) || tries === TRIES) return answer;
    await sleep(500);
  }
};

const patterns = Object.values<Operation>(operations)
  // "/api/roomSetting/paginated" is not a room: paths without parameters come first.
  .sort((one, other) => Number(one.path.includes(":")) - Number(other.path.includes(":")))
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.method} ${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
  }));

const isOperation = (what: string): what is OperationId => Object.hasOwn(operations, what);

/** A test's request, and the operation that it reaches, if there is one. */
const readAsked = (what: Asked, input: unknown) => {
  if (isOperation(what)) {
    const operation: Operation = operations[what];
    return { operation, request: requestFor(operation, input) };
  }
  const [method = "", ...path] = what.split(" ");
  const body = typeof input === "string" ? input : JSON.stringify(input);
  const bare = what.split(/[?#]/, 1)[0] ?? "";
  const operation = patterns.find(({ pattern }) => pattern.test(bare))?.operation;
  return { operation, request: { method, path: path.join(" "), body } };
};

/**
 * Sends requests with a token, without retries; the answers of operations are checked against the contract.
 */
export const askOnce =
  (url: string, token: string | undefined): Ask =>
  async (what, input, headers = {}) => {
    const { operation, request } = readAsked(what, input);
    const answer = await send(url, request, {
      ...(token === undefined ? {} : bearer(token)),
      ...headers,
    });
    if (operation) checkAnswer(operation, answer);
    return answer;
  };

/** The same, with retries while the service is overloaded. */
export const askAs = (url: string, token: string | undefined): Ask => {
  const ask = askOnce(url, token);
  return (...asked) => resend(() => ask(...asked));
};

/** Retries until the answer is not a 503, for a test in which every request must get through. */
export const insist =
  (ask: Ask): Ask =>
  (...asked) =>
    resend(
      () => ask(...asked),
      ({ status }) => status === 503,
    );

/** The outcome of a request: `ok`, or the code of its failure. */
export const outcomeOf = ({ status, body }: Answer): string =>
  status < 300 ? "ok" : String(body.code);
