import assert from "node:assert/strict";
import { type Answer, type Ask, bearer } from "../world/ask.ts";

/** The value of the renewal cookie that an answer sets. */
export const cookieOf = ({ headers }: Answer): string => {
  const [cookie = "", device = "", ...more] = headers.getSetCookie();
  assert.equal(more.length, 0);
  assert.match(device, /^parley_device=/);
  const value = /^parley_renewal=([\w-]{43});/.exec(cookie)?.[1];
  return value ?? assert.fail(cookie);
};

/** The device cookie that a sign-in sets, as a request sends it. */
export const deviceOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("parley_device="))
    ?.split(";", 1)[0] ?? assert.fail("no device cookie");

/** Signs in; returns the token and the renewal cookie. */
export const signInWithCookie = async (open: Ask, login: string, password: string) => {
  const answer = await open("POST /api/session", { login, password });
  assert.equal(answer.status, 200);
  return { token: answer.body.token as string, cookie: cookieOf(answer) };
};

export const withCookie = (cookie: string) => ({ cookie: `parley_renewal=${cookie}` });

/** The status of a renewal by a cookie. */
export const renewStatus = async (open: Ask, cookie: string): Promise<number> =>
  (await open("POST /api/session/renew", undefined, withCookie(cookie))).status;

/** The status of a request with a token: 200 if it is still valid. */
export const tokenStatus = async (open: Ask, token: string): Promise<number> =>
  (await open("GET /api/session", undefined, bearer(token))).status;
