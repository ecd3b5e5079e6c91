import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import { type Code, texts } from "../../contract/texts.ts";

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests read what is there, and fail where it is not.
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
  readonly body: any;
}

export type OperationId = keyof typeof operations;

/** Asks for an operation, well or badly. */
export type Ask = (
  id: OperationId,
  input?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

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

/** Sends a request as the interface asks for it, with its JSON content type. */
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
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    redirect: "manual",
    ...(body === undefined ? {} : { body: body as string }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
};

/** Holds an answer against the contract: a success against its schema, a failure against its text. */
export const checkAnswer = (operation: Operation, { status, body, text }: Answer): void => {
  const about = `${operation.id} answered ${status}: ${text.slice(0, 500)}`;
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
  assert.notEqual(status, 500, about);
};

/** How often a request is sent that the service sheds: a busy machine makes it late now and then. */
const TRIES = 60;

/** Sends a request again for as long as the service sheds it. */
export const resend = async (
  request: () => Promise<Answer>,
  isShed = ({ body }: Answer): boolean => body.code === "overloaded",
): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await request();
    if (!isShed(answer) || tries === TRIES) return answer;
    await sleep(500);
  }
};

/** Asks a service with a token, again where it is overloaded; every answer is checked. */
export const askAs = (url: string, token: string | undefined): Ask => {
  const ask = askOnce(url, token);
  return (...asked) => resend(() => ask(...asked));
};

/** Asks again until the answer is no 503, for a test in which every request must get through. */
export const insist =
  (ask: Ask): Ask =>
  (...asked) =>
    resend(
      () => ask(...asked),
      ({ status }) => status === 503,
    );

/** Asks a service with a token, once; every answer is checked against the contract. */
export const askOnce =
  (url: string, token: string | undefined): Ask =>
  async (id, input, headers = {}) => {
    const operation: Operation = operations[id];
    const answer = await send(url, requestFor(operation, input), {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    });
    checkAnswer(operation, answer);
    return answer;
  };

/** What came of a request: `ok`, or the code of its failure. */
export const outcomeOf = ({ status, body }: Answer): string =>
  status < 300 ? "ok" : String(body.code);
