import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import type { RawBuilder } from "kysely";
import { now } from "../../server/db/now.ts";
import { HOUR_MS } from "../../server/lib/durations.ts";
import type { Client } from "../media/gate.ts";
import { diesWhereTold, type Step } from "../twins/deaths.ts";
import type { Twin } from "../twins/twin.ts";
import type { Answer } from "../world/ask.ts";
import { onPostgres, type Scope } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { rolledBack } from "../world/rolled-back.ts";
import type { Tenant } from "../world/tenant.ts";
import { connectMedia, startEngine, tryMedia } from "./engine.ts";
import { openSocket, type Somebody } from "./inside.ts";
import { invite } from "./invited.ts";
import { keepSeats } from "./place.ts";

/** A person with an invitation who enters one room. */
export interface Person {
  /** Requests a seat. */
  join(): Promise<Answer>;
  /** Requests a seat, and connects only the media. */
  connect(): Promise<void>;
  /**
   * Joins, with the meeting socket and the media; keeps an existing seat.
   *
   * @param mediaAt the service that relays the media's signaling; default: that of the socket
   */
  enter(mediaAt?: string): Promise<Inside>;
}

/** A person inside, with the signaling of the media. */
export type Inside = Somebody & { readonly media: Client };

/** The taken seats of a room, and its status. */
export interface Use {
  readonly moderator: number;
  readonly participant: number;
  readonly status: "free" | "busy" | "occupied";
}

/** A room whose service dies. */
export interface Doomed {
  readonly tenant: Tenant;
  readonly room: string;
  /** On PostgreSQL, another service, which lives on. */
  readonly otherUrl: () => string;
  /** Sends a request to that service. */
  readonly ask: Tenant["ask"];
  /** Sends a request to the service that dies, which is started again each time. */
  readonly askDoomed: Tenant["ask"];
  person(name: string, role: "moderator" | "participant", url?: () => string): Promise<Person>;
  /** Does something during which the service dies at a step, and starts it again. */
  die(step: Step, what: () => Promise<unknown>): Promise<void>;
  /** Waits until the room is in this use, and then checks who is in the engine. */
  isUsed(use: Use, meetingId: string, people: readonly Somebody[]): Promise<void>;
  /** The numbers of rows of the room, its meeting and the seats, and the number of taken seats. */
  rows(meetingId: string): Promise<{ readonly all: number; readonly taken: number }>;
  /** The people in the engine, by the IDs of their seats. */
  inEngine(meetingId: string): Promise<readonly string[]>;
}

/**
 * Starts a service that dies at a named step, on PostgreSQL with another one beside it, and the engine that
 * both use.
 *
 * @param broken what is wrong with both
 * @returns a function that creates rooms with a moderator's seat and a participant's
 */
export const startDoomed = async (t: Scope, broken?: Twin) => {
  const engine = await startEngine(t);
  const house = await openHouse(t, { environment: engine.environment });
  const { environment, beside } = house;
  const tenant = await beside((world) => world.tenant());
  const mortal: Twin = {
    name: `${diesWhereTold.name}, ${broken?.name ?? "as it is"}`,
    replaced: [...(broken?.replaced ?? []), ...diesWhereTold.replaced],
  };
  const other = onPostgres ? await startProcess(t, environment, { twin: broken }) : undefined;
  const processes = () =>
    beside(async ({ database }) => {
      const rows = await database.read.selectFrom("processes").select("id").execute();
      return rows.map(({ id }) => id);
    });
  const living = await processes();
  const start = () => startProcess(t, environment, { twin: mortal });
  let service = await start();
  const room = { name: "Probe", room: "probe", roomOwnerId: tenant.admin.id };
  assert.equal((await tenant.askAt(service.url)("createRoom", room)).status, 201);
  /** A service has found the engine, and nobody is in it. */
  const isFound = async (at: string): Promise<void> => {
    let joined: Answer | undefined;
    await until("the engine is found", async () => {
      joined = await tenant.askAt(at)("joinRoom", { roomId: "probe", peerName: "Probe" });
      return joined.status === 200;
    });
    await tenant.askAt(at)("leaveRoom", { ticket: joined?.body.ticket });
  };
  for (const { url } of [service, ...(other ? [other] : [])]) await isFound(url);
  const url = () => service.url;
  const otherUrl = () => other?.url ?? url();
  const askAt = (where: () => string): Tenant["ask"] => {
    return (...asked) => tenant.askAt(where())(...asked);
  };
  const ask = askAt(otherUrl);
  const inEngine: Doomed["inEngine"] = async (meetingId) =>
    [...(await engine.inside(meetingId))].toSorted();

  /** Stores when dead processes were last alive, on which the others judge them at their next check. */
  const lastAlive = (dead: readonly string[], alive_at: RawBuilder<string> | string) =>
    beside(({ database }) =>
      database.change(async (tx) => {
        await tx.updateTable("processes").set({ alive_at }).where("id", "in", dead).execute();
      }),
    );

  const die: Doomed["die"] = async (step, what) => {
    const order = joinPath(environment.DATA_DIR ?? "", step);
    await writeFile(order, "");
    const doing = what().catch(() => {});
    await until(`the service dies ${step}`, () => service.hasEnded());
    assert.equal((await service.ended).signal, "SIGKILL", service.said());
    await doing;
    await rm(order);
    await beside(rolledBack);
    const dead = (await processes()).filter((id) => !living.includes(id));
    // Nobody can come back in time before a service has found the engine, on a slow machine.
    if (onPostgres) {
      await lastAlive(dead, now(HOUR_MS));
      await beside((world) => keepSeats(world, "claimed"));
    }
    service = await start();
    await isFound(service.url);
    if (onPostgres) await lastAlive(dead, new Date(0).toISOString());
  };

  return async (room: string, settings: object = {}): Promise<Doomed> => {
    const seats = { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 };
    const made = { name: room, room, roomOwnerId: tenant.admin.id, ...seats, ...settings };
    assert.equal((await ask("createRoom", made)).status, 201);

    const person: Doomed["person"] = async (name, role, where = url) => {
      const invitation = await invite({ ...tenant, ask }, room, name, role);
      const join = () => askAt(where)("joinRoom", { roomId: room, sessionToken: invitation });
      return {
        join,
        async connect() {
          const { body } = await join();
          await tryMedia(where(), body.ticket);
        },
        async enter(mediaAt = where()) {
          const { status, body, text } = await join();
          assert.equal(status, 200, text);
          const { ticket, peer } = body;
          const somebody = await openSocket(t, where(), { ticket, peerId: peer.peerId });
          await somebody.sees(`the meeting, as ${name}`, () => true);
          const media = await connectMedia(mediaAt, ticket);
          await media.next("join");
          return Object.assign(somebody, { media });
        },
      };
    };

    const useNow = async (): Promise<Use> => {
      const { seats: taken, roomStatus: status } = (await ask("getMeeting", { roomId: room })).body
        .meeting;
      return { moderator: taken.moderator.taken, participant: taken.participant.taken, status };
    };

    return {
      tenant,
      room,
      otherUrl,
      askDoomed: askAt(url),
      ask,
      person,
      die,
      inEngine,
      async isUsed(use, meetingId, people) {
        let found: Use | undefined;
        await until(`the room is used as ${JSON.stringify(use)}`, async () => {
          found = await useNow();
          return JSON.stringify(found) === JSON.stringify(use);
        });
        const expected = people.map(({ peerId }) => peerId).toSorted();
        assert.deepEqual(await inEngine(meetingId), expected, "others are in the engine");
        const { roomSetting } = (await ask("fetchRoom", { id: room })).body;
        assert.equal(roomSetting.roomStatus, use.status);
      },
      rows: (meetingId) =>
        beside(async ({ database: { read } }) => {
          const [rooms, meetings, seats] = await Promise.all([
            read.selectFrom("rooms").select("id").where("room", "=", room).execute(),
            read.selectFrom("meetings").select("id").where("id", "=", meetingId).execute(),
            read
              .selectFrom("seats")
              .select("left_at")
              .where("meeting_id", "=", meetingId)
              .execute(),
          ]);
          return {
            all: rooms.length + meetings.length + seats.length,
            taken: seats.filter(({ left_at }) => left_at === null).length,
          };
        }),
    };
  };
};
