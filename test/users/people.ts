import assert from "node:assert/strict";
import type { Ask } from "../world/ask.ts";

export const loginUrl = "https://meet.example.org/login";

let people = 0;
/** An address that no other person has. */
export const someEmail = (): string => `person-${++people}@example.org`;

/** The input of a creation. */
export const newPerson = (more: object = {}) => ({
  email: someEmail(),
  name: "Ann Lee",
  loginUrl,
  ...more,
});

/** Creates a person; also returns the password. */
export const create = async (ask: Ask, more: object = {}) => {
  const { status, body } = await ask("POST /api/user/orgUser", newPerson(more));
  assert.equal(status, 201, JSON.stringify(body));
  return { ...body.user, password: body.password as string };
};

export const revoke = async (ask: Ask, ...ids: string[]): Promise<void> => {
  const users = ids.map((userId) => ({ userId }));
  assert.equal((await ask("POST /api/user/revokeOrgUsers", users)).status, 200);
};

export const suspend = async (ask: Ask, userId: string): Promise<void> => {
  const { status } = await ask("POST /api/user/suspendRestoreUser", { userId, action: "suspend" });
  assert.equal(status, 200);
};

export const signIn = async (open: Ask, login: string, password: string): Promise<string> => {
  const { status, body } = await open("POST /api/session", { login, password });
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
};

/** A person with a token. */
export const createSignedIn = async (open: Ask, ask: Ask, more: object = {}) => {
  const person = await create(ask, more);
  return { ...person, token: await signIn(open, person.email, person.password) };
};

/** Everything that an organization stores about people, to verify that nothing changed. */
export const everybody = async (ask: Ask) => ({
  active: (await ask("POST /api/user/fetchOrgUsers", {})).body.users,
  revoked: (await ask("POST /api/user/fetchDeletedOrgUsers", {})).body.users,
});

export const ownAccount = {
  success: false,
  message: "You cannot suspend, revoke, delete or demote the account that you are using.",
  code: "own_account",
};
