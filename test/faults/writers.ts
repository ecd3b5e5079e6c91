import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { checkCounters } from "../properties/model.ts";
import { type Event, type History, startHistory } from "../races/history.ts";
import type { Ask, OperationId } from "../world/ask.ts";
import type { Dice } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import type { Beside } from "../world/world.ts";

/** The stored state of a room or an account, in short. */
type State = string;
const GONE = "not there";

/** A room or an account that one writer created, and its possible states according to the answers. */
interface Thing {
  readonly kind: "room" | "user";
  /** The room's ID, or the account's address. */
  readonly key: string;
  /** The account's ID, once it was answered. */
  id: string;
  /** The state according to the acknowledged requests. */
  known: State;
  /** The state according to the one request whose outcome is unknown. No request follows it. */
  maybe?: State;
}

/** Clients that create, edit, delete and revoke, and record the answers. */
export interface Writers {
  readonly history: History;
  /** Writes until `isOver`; with `once`, until the first failed request. */
  run(asks: readonly (() => Ask)[], isOver: () => boolean, once?: boolean): Promise<unknown>;
  /** Compares the stored rows with the answers; returns how many unanswered requests were carried out. */
  check(beside: Beside): Promise<number>;
}

/** Codes of answers that leave open whether the request was carried out. */
const isOpen = ({ outcome, answer }: Event): boolean =>
  outcome === "unknown" || answer?.status === 503;

export const startWriters = (tenant: Tenant, dice: Dice): Writers => {
  const history = startHistory();
  const things: Thing[][] = [];
  let made = 0;

  const create = (): [Thing, OperationId, object, State] => {
    made += 1;
    if (made % 4 === 0) {
      const thing: Thing = { kind: "user", key: `w${made}@example.org`, id: "", known: GONE };
      const input = { email: thing.key, name: "Writer", loginUrl: "https://x.org" };
      return [thing, "createUser", input, "active, null, []"];
    }
    const thing: Thing = { kind: "room", key: `w-${made}`, id: "", known: GONE };
    const [roomAgenda, noOfViewers] = [`${made}`, made];
    const input = { name: "R", roomOwnerId: tenant.admin.id, room: thing.key };
    return [thing, "createRoom", { ...input, roomAgenda, noOfViewers }, `${made}, ${made}`];
  };

  /** Two fields of one change, so that half a change would be noticed. */
  const change = (thing: Thing): [Thing, OperationId, object, State] => {
    const { kind, key, id } = thing;
    const [last, value] = [dice.roll(5) === 0, dice.roll(100_000)];
    if (kind === "room") {
      if (last) return [thing, "deleteRoom", { id: key }, GONE];
      const input = { room: key, roomOwnerId: tenant.admin.id };
      return [
        ...([thing, "editRoom"] as const),
        ...([
          { ...input, roomAgenda: `${value}`, noOfViewers: value },
          `${value}, ${value}`,
        ] as const),
      ];
    }
    if (last)
      return [thing, "revokeUsers", [{ userId: id }], thing.known.replace(/^\w+/, "revoked")];
    const state = `${thing.known.split(",", 1)}, ${value}, ["${value}"]`;
    return [thing, "editUser", { userId: id, location: `${value}`, tags: [`${value}`] }, state];
  };

  const one = async (client: number, ask: Ask): Promise<boolean> => {
    const mine = things[client] ?? [];
    things[client] = mine;
    const settled = mine.filter(({ known, maybe }) => known !== GONE && maybe === undefined);
    const again = settled.length > 0 && dice.roll(2) === 0;
    const [thing, id, input, next] = again ? change(dice.pick(settled)) : create();
    if (!again) mine.push(thing);
    // Recorded before the request: an unanswered request may still be carried out.
    thing.maybe = next;
    const event = await history.ask(client, ask, id, input);
    if (isOpen(event)) return false;
    assert.equal(event.outcome, "ok", `${id} ${JSON.stringify(input)}`);
    thing.known = next;
    delete thing.maybe;
    if (id === "createUser") thing.id = event.answer?.body.user.id;
    return true;
  };

  return {
    history,
    run(asks, isOver, once = false) {
      const writing = Promise.all(
        asks.map(async (ask, client) => {
          while (!isOver()) {
            const answered = await one(client, ask());
            if (!answered && once) return;
            // A client pauses before it retries.
            if (!answered) await sleep(20);
          }
        }),
      );
      // Awaited after the fault: until then nobody handles a rejection.
      writing.catch(() => {});
      return writing;
    },
    async check(world) {
      const stored = await storedStates(world, tenant);
      let unanswered = 0;
      for (const { key, known, maybe } of things.flat()) {
        const state = stored.get(key) ?? GONE;
        stored.delete(key);
        assert.ok(state === known || state === maybe, `${key} is ${state}, told was ${known}`);
        if (state !== known) unanswered += 1;
      }
      assert.deepEqual([...stored], [], "nobody asked for these");
      await checkCounters(world, tenant.id);
      await checkWhole(world, tenant);
      return unanswered;
    },
  };
};

const storedStates = async ({ database }: Beside, { id, admin }: Tenant) => {
  const rooms = await database.read
    .selectFrom("rooms")
    .select(["room", "record"])
    .where("organization_id", "=", id)
    .execute();
  const users = await database.read
    .selectFrom("users")
    .select(["email", "account_deleted", "location", "tags"])
    .where("organization_id", "=", id)
    .where("id", "!=", admin.id)
    .execute();
  return new Map<string, State>([
    ...rooms.map(({ room, record }): [string, State] => {
      const { roomAgenda, noOfViewers } = JSON.parse(record);
      return [room, `${roomAgenda}, ${noOfViewers}`];
    }),
    ...users.map(({ email, account_deleted, location, tags }): [string, State] => [
      ...([email, `${account_deleted ? "revoked" : "active"}, ${location}, ${tags}`] as const),
    ]),
  ]);
};

/** No room without its owner, no account without its letter (P-MAIL-1), no damaged file. */
const checkWhole = async ({ database, name }: Beside, { id, admin }: Tenant): Promise<void> => {
  const count = async (table: "rooms" | "room_owners") =>
    (
      await database.read
        .selectFrom(table)
        .select("organization_id")
        .where("organization_id", "=", id)
        .execute()
    ).length;
  assert.equal(await count("room_owners"), await count("rooms"));
  const letters = await database.read
    .selectFrom("letters")
    .select("user_id")
    .where("organization_id", "=", id)
    .execute();
  const users = await database.read
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", id)
    .where("id", "!=", admin.id)
    .execute();
  assert.deepEqual(letters.map((row) => row.user_id).sort(), users.map((row) => row.id).sort());
  if (name !== "sqlite") return;
  const { rows } = await sql<{ readonly integrity_check: string }>`pragma integrity_check`.execute(
    database.read,
  );
  assert.deepEqual(
    rows.map((row) => row.integrity_check),
    ["ok"],
  );
};
