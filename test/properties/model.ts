import assert from "node:assert/strict";
import type { Beside } from "../world/world.ts";
import type { Command } from "./commands.ts";

type State = "active" | "suspended" | "revoked" | "gone";

/**
 * A model of the interface's rules for accounts (interface.md, States and transitions), independent of
 * the product: it predicts the outcome of requests on accounts.
 */
export interface Model {
  /** The outcome of a command; undefined if the model cannot predict it. */
  expect(command: Command): string | undefined;
  /** Records the actual outcome of a command. */
  take(command: Command, outcome: string): void;
  /** Records which accounts are active, after a request whose account the model does not know. */
  see(active: readonly boolean[]): void;
  /** Accounts that count against the limit. */
  counted(): number;
}

const numberOf = (reference: unknown): number => Number(/^§user:(\d+)§$/.exec(`${reference}`)?.[1]);

export const startModel = (limit: number): Model => {
  const accounts: State[] = [];
  const at = (reference: unknown): number => numberOf(reference) % accounts.length;
  const stateOf = (reference: unknown): State => accounts[at(reference)] ?? "gone";
  // The organization's first account, which no command refers to.
  const counted = () => 1 + accounts.filter((s) => s === "active" || s === "suspended").length;
  const first = (references: readonly unknown[], why: (state: State) => string | undefined) => {
    if (references.length === 0) return undefined;
    return references.map((one) => why(stateOf(one))).find((code) => code !== undefined) ?? "ok";
  };
  const unknown = (state: State) => (state === "gone" ? "user_not_found" : undefined);
  const notRevoked = (state: State) =>
    unknown(state) ?? (state === "revoked" ? undefined : "user_not_revoked");
  const revoked = (state: State) =>
    unknown(state) ?? (state === "revoked" ? "user_is_revoked" : undefined);
  // biome-ignore lint/suspicious/noExplicitAny: the generated input of each operation
  const expectations: Partial<Record<Command["id"], (input: any) => string | undefined>> = {
    suspendRestoreUser: ({ userId }) => first([userId], revoked),
    resetPassword: ({ userId }) => first([userId], revoked),
    revokeUsers: (entries: { readonly userId: string }[]) =>
      first(
        entries.map(({ userId }) => userId),
        unknown,
      ),
    deleteUsers: (ids: string[]) => first(ids, notRevoked),
    reactivateUser: ({ userId }) => {
      if (userId === undefined) return undefined;
      const outcome = first([userId], notRevoked);
      return outcome === "ok" && counted() >= limit ? "user_limit" : outcome;
    },
  };
  const set = (references: readonly unknown[], state: State) => {
    for (const one of references) accounts[at(one)] = state;
  };
  return {
    counted,
    see(active) {
      for (const [index, is] of active.entries()) {
        if (is && accounts[index] === "revoked") accounts[index] = "active";
      }
    },
    expect: ({ id, input }) => expectations[id]?.(input),
    take({ id, input }, outcome) {
      if (outcome !== "ok") return;
      // biome-ignore lint/suspicious/noExplicitAny: the generated input of each operation
      const given = input as any;
      if (id === "createUser") accounts.push("active");
      else if (id === "suspendRestoreUser") {
        set([given.userId], given.action === "suspend" ? "suspended" : "active");
      } else if (id === "revokeUsers") {
        set(
          given.map((entry: { readonly userId: string }) => entry.userId),
          "revoked",
        );
      } else if (id === "deleteUsers") set(given, "gone");
      else if (id === "reactivateUser" && given.userId !== undefined) set([given.userId], "active");
    },
  };
};

/** Compares an organization's counters with the actual numbers. */
export const checkCounters = async (
  { database }: Beside,
  organizationId: string,
): Promise<{ readonly users: number; readonly rooms: number }> => {
  const row = await database.read
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const people = await database.read
    .selectFrom("users")
    .select(["role", "account_deleted"])
    .where("organization_id", "=", organizationId)
    .where("gone_at", "is", null)
    .execute();
  const rooms = await database.read
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();
  const active = people.filter(({ account_deleted }) => !account_deleted).length;
  assert.equal(row.used_users, active, "used_users is the number of accounts that are not revoked");
  assert.equal(row.used_rooms, rooms.length, "used_rooms is the number of rooms");
  const byRole = Map.groupBy(people, ({ role }) => role);
  const real = [...byRole].map(([role, some]) => {
    const revoked = some.filter(({ account_deleted }) => account_deleted).length;
    return JSON.stringify([role, some.length - revoked, revoked]);
  });
  const stored = (JSON.parse(row.users_by_role) as unknown[]).map((entry) => JSON.stringify(entry));
  assert.deepEqual(stored.sort(), real.sort(), "users_by_role holds what is there");
  return { users: active, rooms: rooms.length };
};
