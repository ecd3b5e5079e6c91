import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer } from "../world/ask.ts";
import { failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke, someEmail, suspend } from "./people.ts";

const { open, organization } = await startWorld(test);
const { ask } = await organization("States");

type State = "active" | "suspended" | "revoked";

/** Creates accounts in each state. */
const make: Readonly<Record<State, (id: string) => Promise<void>>> = {
  active: async () => {},
  suspended: (id) => suspend(ask, id),
  revoked: (id) => revoke(ask, id),
};

const triggers: Readonly<Record<string, (id: string) => ReturnType<typeof ask>>> = {
  suspend: (userId) => ask("POST /api/user/suspendRestoreUser", { userId, action: "suspend" }),
  restore: (userId) => ask("POST /api/user/suspendRestoreUser", { userId, action: "restore" }),
  revoke: (userId) => ask("POST /api/user/revokeOrgUsers", [{ userId }]),
  reactivate: (userId) => ask("POST /api/user/reactivateOrgUser", { userId }),
  delete: (userId) => ask("POST /api/user/permDeleteOrgUsers", [userId]),
  reset: (userId) => ask("POST /api/user/adminPwdreset", { userId }),
  edit: (userId) => ask("PUT /api/user/orgUser", { userId, name: "Edited" }),
};

const isRevoked = [409, "user_is_revoked"] as const;
const notRevoked = [409, "user_not_revoked"] as const;

/** The state after each trigger, or the reason of a refusal, after which nothing has changed. */
const table: Readonly<Record<State, Record<string, State | "gone" | readonly [number, string]>>> = {
  active: {
    suspend: "suspended",
    restore: "active",
    revoke: "revoked",
    reactivate: notRevoked,
    delete: notRevoked,
    reset: "active",
    edit: "active",
  },
  suspended: {
    suspend: "suspended",
    restore: "active",
    revoke: "revoked",
    reactivate: notRevoked,
    delete: notRevoked,
    reset: "suspended",
    edit: "suspended",
  },
  revoked: {
    suspend: isRevoked,
    restore: isRevoked,
    revoke: "revoked",
    reactivate: "active",
    delete: "gone",
    reset: isRevoked,
    edit: "revoked",
  },
};

const stateOf = async (id: string): Promise<State | "gone"> => {
  const { users } = (await ask("POST /api/user/findOrgUsers", { userIds: [id] })).body;
  if (users.length === 0) return "gone";
  const [{ accountSuspended, accountDeleted }] = users;
  return accountDeleted ? "revoked" : accountSuspended ? "suspended" : "active";
};

/** The answer to a sign-in of a person in each state. */
const signInStatus = { active: 200, suspended: 403, revoked: 403, gone: 401 } as const;

for (const [state, row] of Object.entries(table)) {
  test(`the effect of each trigger on an account that is ${state}`, async (t) => {
    for (const [trigger, expected] of Object.entries(row)) {
      const name = typeof expected === "string" ? `leaves it ${expected}` : "is refused";
      await t.test(`${trigger} ${name}`, async () => {
        const { id, email, password } = await create(ask);
        await make[state as State](id);
        const { status, body } = (await triggers[trigger]?.(id)) ?? assert.fail();
        const after = await stateOf(id);
        if (typeof expected === "string") {
          assert.deepEqual([status, body.success, after], [200, true, expected]);
        } else {
          assert.deepEqual([status, body.code, after], [...expected, state]);
        }
        const login = { login: email, password: body.password ?? password };
        assert.equal((await open("POST /api/session", login)).status, signInStatus[after]);
      });
    }
  });
}

test("reactivation clears an earlier suspension", async () => {
  const { id } = await create(ask);
  await suspend(ask, id);
  await revoke(ask, id);
  assert.equal((await triggers.reactivate?.(id))?.status, 200);
  assert.equal(await stateOf(id), "active");
});

test("a repeated suspension, restoration or revocation changes nothing, not even a token", async () => {
  const { id, email, password } = await create(ask);
  const { body } = await open("POST /api/session", { login: email, password });
  assert.equal((await triggers.restore?.(id))?.status, 200);
  assert.equal((await open("GET /api/session", undefined, bearer(body.token))).status, 200);
});

test("an edit of a revoked account is kept when it is reactivated", async () => {
  const { id } = await create(ask, { role: "before" });
  await revoke(ask, id);
  const email = someEmail();
  const edit = { userId: id, email, role: "after", admin: true };
  const { user } = (await ask("PUT /api/user/orgUser", edit)).body;
  assert.deepEqual([user.email, user.role, user.accountDeleted], [email, "after", true]);
  await ask("POST /api/user/reactivateOrgUser", { email });
  const { users } = (await ask("POST /api/user/fetchOrgUsers", { role: "after" })).body;
  assert.deepEqual([users[0].id, users[0].admin], [id, true]);
});

test("nothing can be done to a permanently deleted person", async () => {
  const { id } = await create(ask);
  await revoke(ask, id);
  await triggers.delete?.(id);
  for (const [trigger, send] of Object.entries(triggers)) {
    const { status, body } = await send(id);
    assert.deepEqual([status, body.code], [404, "user_not_found"], trigger);
    assert.equal(body.message, failure("user_not_found", "User not found.").message);
  }
});
