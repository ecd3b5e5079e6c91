// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { answersBefore } from "../twins/twins.ts";
import { count, type Dice, diceOf, rollDice } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import { type Event, isLinearizable, type Specification, startHistory } from "./history.ts";

type State = "active" | "suspended" | "revoked" | "revoked and suspended" | "gone";

const isRevoked = (state: State) => state.startsWith("revoked");

/** The rules of the interface for one account (interface.md, States and transitions; design, states). */
const account: Specification<State> = {
  initial: "active",
  step: (state, { id, input, outcome, answer }) => {
    const to = (next: State, code = "ok") => (outcome === code ? next : undefined);
    const action = (input as { readonly action?: string }).action;
    // Retries are not modeled: these histories have no event with an unknown outcome.
    switch (id) {
      case "suspendRestoreUser":
        if (state === "gone") return to(state, "user_not_found");
        if (isRevoked(state)) return to(state, "user_is_revoked");
        return to(action === "suspend" ? "suspended" : "active");
      case "revokeUsers":
        if (state === "gone") return to(state, "user_not_found");
        if (isRevoked(state)) return to(state);
        return to(state === "suspended" ? "revoked and suspended" : "revoked");
      case "reactivateUser":
        if (state === "gone") return to(state, "user_not_found");
        return isRevoked(state) ? to("active") : to(state, "user_not_revoked");
      case "deleteUsers":
        if (state === "gone") return to(state, "user_not_found");
        return isRevoked(state) ? to("gone") : to(state, "user_not_revoked");
      default: {
        const [shown] = answer?.body.users ?? [];
        const seen =
          shown === undefined
            ? "gone"
            : shown.accountDeleted
              ? shown.accountSuspended
                ? "revoked and suspended"
                : "revoked"
              : shown.accountSuspended
                ? "suspended"
                : "active";
        return seen === state ? to(state) : undefined;
      }
    }
  },
};

const requests = (userId: string) =>
  [
    ["suspendRestoreUser", { userId, action: "suspend" }],
    ["suspendRestoreUser", { userId, action: "restore" }],
    ["revokeUsers", [{ userId }]],
    ["revokeUsers", [{ userId }]],
    ["reactivateUser", { userId }],
    ["reactivateUser", { userId }],
    ["findUsers", { userIds: [userId] }],
    ["findUsers", { userIds: [userId] }],
    ["findUsers", { userIds: [userId] }],
    ["deleteUsers", [userId]],
  ] as const;

/** Clients that send requests about one account, each one after the other: 12 requests in all. */
const oneHistory = async (dice: Dice, tenant: Tenant, urls: readonly string[], email: string) => {
  const { id: userId } = await tenant.addPerson(email);
  const history = startHistory();
  const clients = dice.pick([3, 4, 6, 8]);
  const plans = Array.from({ length: clients }, () =>
    Array.from({ length: Math.floor(12 / clients) }, () => dice.pick(requests(userId))),
  );
  await Promise.all(
    plans.map(async (plan, client) => {
      const ask = tenant.askAt(urls[client % urls.length] ?? "");
      for (const [id, input] of plan) await history.ask(client, ask, id, input);
    }),
  );
  return history.events;
};

const histories = async (t: TestContext, seed: number, many: number, twin?: Twin) => {
  const dice = diceOf(seed);
  const world = await startWorld(t, { twin });
  const urls = [world.url, await world.second()];
  const tenant = await world.tenant();
  for (let n = 0; n < many; n += 1) {
    const events = await oneHistory(dice, tenant, urls, `p${n}@example.org`);
    const shown = events.map(({ client, id, input, called, answered, outcome }) =>
      JSON.stringify({ client, id, input, called, answered, outcome }),
    );
    assert.ok(isLinearizable(events, account), `no order explains\n${shown.join("\n")}`);
  }
};

test("P-STA-1: concurrent changes to one account have the outcome of some serial order", async (t) => {
  const { seed } = rollDice(t);
  const many = count(40, 500, 20);
  await histories(t, seed, many);
  t.diagnostic(`${many} histories of up to 12 requests`);
});

testTwin(
  "P-STA-1: a twin that answers before its commit, with an impossible order, is detected",
  async (t) => {
    await assert.rejects(histories(t, 1, 200, answersBefore), /no order explains/);
  },
);

test("the checker of histories distinguishes possible from impossible ones", () => {
  const event = (called: number, answered: number, id: Event["id"], outcome = "ok"): Event => {
    return { client: 0, id, input: {}, called, answered, outcome, answer: undefined };
  };
  const isPossible = (...events: Event[]) => isLinearizable(events, account);
  assert.ok(isPossible(event(1, 2, "revokeUsers"), event(3, 4, "deleteUsers")));
  assert.ok(!isPossible(event(1, 2, "deleteUsers"), event(3, 4, "revokeUsers")));
  assert.ok(isPossible(event(1, 4, "deleteUsers"), event(2, 3, "revokeUsers")), "at once");
  const twice = [event(2, 5, "deleteUsers"), event(3, 6, "deleteUsers")];
  assert.ok(!isPossible(event(0, 1, "revokeUsers"), ...twice), "deleted twice");
});
