import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { now } from "../../server/db/now.ts";
import { openSocket, type Somebody } from "../meetings/inside.ts";
import { invite } from "../meetings/invited.ts";
import { earlier, passInMeetings } from "../meetings/passing.ts";
import { insist, outcomeOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import type { World } from "../world/world.ts";
import { type Moment, type State, startModel } from "./meeting-model.ts";
import { roles, type Step } from "./meeting-steps.ts";

/** One room of one service, driven in parallel with a model. */
export interface RoomSide {
  /** Takes a step, and compares the room with the model. */
  run(step: Step): Promise<void>;
  /** Ends every connection. */
  end(): void;
}

export const startRoom = async (t: TestContext, world: World): Promise<RoomSide> => {
  const tenant = await world.tenant();
  const ask = insist(tenant.ask);
  const model = startModel({ moderator: 1, participant: 2, viewer: 1 });
  const room = { room: "r", roomOwnerId: tenant.admin.id };
  const limits = { noOfModerators: 1, noOfParticipants: 2, noOfViewers: 1 };
  assert.equal((await ask("createRoom", { name: "R", ...room, ...limits })).status, 201);
  const invitations = await Promise.all(
    roles.map((role, n) => invite(tenant, "r", `person ${n}`, role)),
  );
  const tickets = new Map<number, { readonly ticket: string; readonly peerId: string }>();
  const sockets = new Map<number, Somebody>();
  let passed = 0;
  let killed = 0;

  const clock = (): number => Date.now() + passed;
  /** Does something, and returns when. */
  const during = async <T>(work: () => Promise<T>): Promise<[T, Moment]> => {
    const from = clock();
    const made = await work();
    return [made, { from, to: clock() }];
  };

  const states = async (): Promise<Readonly<Record<number, string>>> => {
    const living = world.database.read.selectFrom("seats").select(["person", "state"]);
    const rows = await living
      .where("organization_id", "=", tenant.id)
      .where("left_at", "is", null)
      .execute();
    return Object.fromEntries(rows.map((row) => [Number(row.person.split(" ").at(-1)), row.state]));
  };
  const become = async (what: string, person: number, state: State): Promise<void> => {
    let found: string | undefined;
    await until(what, async () => {
      found = (await states())[person];
      return found === state || found === undefined;
    });
    assert.equal(found, state, what);
  };

  /** Simulates that time passes: moves all times back. */
  const pass = async (seconds: number): Promise<void> => {
    await tenant.change(({ tx }) => passInMeetings(tx, tenant.id, seconds));
    passed += seconds * 1000;
  };

  /** Waits until the seats whose time is over have ended. */
  const settle = async (): Promise<void> => {
    while (!model.sweep({ from: clock(), to: clock() })) await pass(40);
    const expected = model.states();
    await until("seats end whose time is over", async () => {
      const found = await states();
      // The others certainly have time left.
      const isThere = Object.entries(expected).every(([n, state]) => found[Number(n)] === state);
      assert.ok(isThere, `there is somebody else: ${JSON.stringify([expected, found])}`);
      return Object.keys(found).length === Object.keys(expected).length;
    });
  };

  const join = async (n: number): Promise<void> => {
    const asked = { roomId: "r", sessionToken: invitations[n] };
    const [answer, at] = await during(() => ask("joinRoom", asked));
    const wasThere = ["claimed", "inside", "away"].includes(model.stateOf(n) ?? "");
    assert.equal(outcomeOf(answer), model.join(n, roles[n] ?? "viewer", at));
    if (answer.status !== 200) return;
    const { ticket, peer } = answer.body;
    if (wasThere) assert.equal(peer.peerId, tickets.get(n)?.peerId, "one person, one seat");
    tickets.set(n, { ticket, peerId: peer.peerId });
  };

  const connect = async (n: number): Promise<void> => {
    const ticket = tickets.get(n);
    if (ticket === undefined) return;
    const [socket, at] = await during(async () => {
      const opened = await openSocket(t, world.url, ticket);
      await until("it is told", () => opened.view !== undefined || opened.closed !== undefined);
      return opened;
    });
    assert.equal(socket.view !== undefined, model.connect(n, at), "who has a seat gets in");
    if (socket.view !== undefined) sockets.set(n, socket);
  };

  const cut = (n: number) =>
    during(async () => {
      sockets.get(n)?.cut();
      await become("the loss is noticed", n, "away");
    });

  /** The process with everybody's connections dies now; others notice it later. */
  const kill = async (): Promise<void> => {
    const inside = roles.keys().filter((n) => model.stateOf(n) === "inside");
    const people = [...inside];
    killed += 1;
    const id = `killed-${tenant.id}-${killed}`;
    const [, at] = await during(async () => {
      for (const n of people) await cut(n);
      await tenant.change(async ({ tx }) => {
        await tx.insertInto("processes").values({ id, alive_at: now() }).execute();
        for (const n of people) {
          const there = { state: "inside", process: id, lease_until: null } as const;
          const seat = tx.updateTable("seats").set(there).where("state", "=", "away");
          await seat.where("id", "=", tickets.get(n)?.peerId ?? "").execute();
        }
      });
    });
    await pass(20);
    const [, noticed] = await during(async () => {
      await world.database.change(async (tx) => {
        const row = tx.selectFrom("processes").select("alive_at").where("id", "=", id);
        const alive_at = earlier((await row.executeTakeFirstOrThrow()).alive_at, 20);
        await tx.updateTable("processes").set({ alive_at }).where("id", "=", id).execute();
      });
      for (const n of people) await become("the death is noticed", n, "away");
    });
    for (const n of people) model.lose(n, at, noticed);
  };

  const take = async (next: Step): Promise<void> => {
    switch (next.does) {
      case "join":
        return join(next.who);
      case "connect":
        return connect(next.who);
      case "come":
        await join(next.who);
        return connect(next.who);
      case "cut": {
        if (model.stateOf(next.who) !== "inside") return;
        const [, at] = await cut(next.who);
        return model.lose(next.who, at);
      }
      case "leave": {
        const { who: n, mayReturn } = next;
        const ticket = tickets.get(n)?.ticket ?? "unknown";
        const [answer, at] = await during(() => ask("leaveRoom", { ticket, mayReturn }));
        assert.equal(answer.status, 200);
        return model.leave(n, mayReturn, at);
      }
      case "remove": {
        const peerId = tickets.get(next.who)?.peerId ?? "nobody";
        const [answer, at] = await during(() => ask("removePeer", { roomId: "r", peerId }));
        return assert.equal(outcomeOf(answer), model.remove(next.who, at));
      }
      case "edit": {
        const edited = { ...room, noOfParticipants: next.participants };
        assert.equal(outcomeOf(await ask("editRoom", edited)), "ok");
        model.limits.participant = next.participants;
        return;
      }
      case "wait":
        return pass(next.seconds);
      case "close": {
        const [answer, at] = await during(() => ask("closeRoom", { roomId: "r" }));
        assert.equal(outcomeOf(answer), "ok");
        return model.closeAll(at);
      }
      case "kill":
        return kill();
    }
  };

  /** Compares the room with the model. */
  const check = async (): Promise<void> => {
    await settle();
    const { roomStatus, totalCallTime } = (await ask("fetchRoom", { id: "r" })).body.roomSetting;
    assert.equal(roomStatus, model.status());
    const { from, to } = model.seconds();
    const seconds = Number(totalCallTime);
    assert.ok(seconds >= from && seconds <= to, `${seconds} s in use: from ${from} to ${to}`);
  };

  return {
    async run(next: Step): Promise<void> {
      await take(next);
      await check();
    },
    end: () => {
      for (const socket of sockets.values()) socket.cut();
    },
  };
};
