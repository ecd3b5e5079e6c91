import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { joinRequest } from "../media/messages.ts";
import type { TestOrganization } from "../world/tenant.ts";
import type { MortalEngine } from "./engine.ts";
import { invite } from "./invited.ts";

/** A room of a rush, and how many people want to enter; every fifth as a viewer. */
export interface Crowd {
  readonly roomId: string;
  readonly participants: number;
  readonly viewers: number;
  readonly people: number;
}

/** A person who joins, leaves and crashes. */
interface Runner {
  readonly crowd: Crowd;
  readonly role: PeerType;
  readonly invitation: string;
  peerId: string;
  ticket: string;
  socket: WebSocket | undefined;
}

/** The room and role of a person in the engine. */
interface Seated {
  readonly crowd: Crowd;
  readonly role: PeerType;
}

/** How often each thing happened. */
export type Tally = Record<
  "seats" | "full" | "connected" | "refused" | "left" | "crashed" | "back" | "kicked" | "looks",
  number
>;

export interface Rush {
  readonly tally: Tally;
  /** The most people of a role who were seen in the engine at once, by room and role. */
  readonly most: ReadonlyMap<string, number>;
  /** Everybody does one thing: people outside try to enter, the others leave or stay. */
  round(roll: (below: number) => number): Promise<void>;
  /** Everybody's connection is cut; the leases begin. */
  crashAll(): void;
  /**
   * Waits until every seat is free, and lets everybody join at once. @returns the people who got a seat, by
   * room and role
   */
  joinAll(): Promise<ReadonlyMap<string, number>>;
  /** The people in the engine. */
  inside(): Promise<number>;
  /**
   * Stops watching, and returns what was seen. @throws AssertionError if there were ever more people than
   * seats
   */
  end(): Promise<void>;
}

/** The interval at which the engine's list is read. */
const LOOK_MS = 50;
/** The pause of a client before it asks again. */
const WAIT_MS = 500;

const nameOf = ({ crowd, role }: Seated): string => `${crowd.participants} seats, ${role}s`;
const allowedOf = ({ crowd, role }: Seated): number =>
  role === "viewer" ? crowd.viewers : crowd.participants;
const ignore = (): void => {};

/**
 * Opens the signaling of a ticket, and reads nothing from it. @returns the status if it is refused, 0 if
 * nobody answers
 */
export const openSignaling = async (url: string, ticket: string): Promise<WebSocket | number> => {
  const request = writeJoinRequest(joinRequest());
  const query = new URLSearchParams({ access_token: ticket, join_request: request });
  const address = `${url.replace(/^http/, "ws")}/api/meeting/rtc/v1?${query}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const refused = new Promise<number>((resolve) => {
    socket.once("unexpected-response", (sent, { statusCode = 0 }) => {
      sent.destroy();
      resolve(statusCode);
    });
    socket.on("error", () => resolve(0));
  });
  const opened = once(socket, "open").catch(() => 0);
  const found = await Promise.race([opened, refused]);
  return typeof found === "number" ? found : socket;
};

/**
 * People without media who join through any of the services, and an observer who counts them in the engine's
 * own list.
 *
 * @param urls of the services that are currently up
 */
export const startRush = async (
  host: TestOrganization,
  crowds: readonly Crowd[],
  engine: MortalEngine["engine"],
  urls: () => readonly string[],
): Promise<Rush> => {
  const runners: Runner[] = [];
  const seated = new Map<string, Seated>();
  const tally: Tally = {
    seats: 0,
    full: 0,
    connected: 0,
    refused: 0,
    left: 0,
    crashed: 0,
    back: 0,
    kicked: 0,
    looks: 0,
  };
  const most = new Map<string, number>();
  const wrong = new Set<string>();
  let turn = 0;
  const somewhere = (): string => {
    turn += 1;
    return urls()[turn % urls().length] ?? "";
  };
  const askSomewhere: TestOrganization["ask"] = (...asked) => host.askAt(somewhere())(...asked);

  const steady = { ...host, ask: askSomewhere };
  for (const crowd of crowds) {
    for (let n = 0; n < crowd.people; n += 1) {
      const role = n % 5 === 4 ? "viewer" : "participant";
      const invitation = await invite(steady, crowd.roomId, `${crowd.roomId} ${n}`, role);
      runners.push({ crowd, role, invitation, peerId: "", ticket: "", socket: undefined });
    }
  }

  /** Takes a seat. @returns whether there was one; undefined if a service or the engine is down */
  const claim = async (runner: Runner): Promise<boolean | undefined> => {
    const { crowd, role, invitation } = runner;
    const asked = { roomId: crowd.roomId, sessionToken: invitation };
    const answer = await askSomewhere("joinRoom", asked).catch(ignore);
    if (answer === undefined || answer.status === 503) return undefined;
    const { status, body } = answer;
    if (status === 409) {
      assert.equal(body.code, "seats_full");
      tally.full += 1;
      return false;
    }
    assert.equal(status, 200, JSON.stringify(body));
    tally.seats += 1;
    runner.peerId = body.peer.peerId;
    runner.ticket = body.ticket;
    seated.set(runner.peerId, { crowd, role });
    return true;
  };

  const connect = async (runner: Runner): Promise<void> => {
    const socket = await openSignaling(somewhere(), runner.ticket);
    if (typeof socket === "number") {
      tally.refused += 1;
      return;
    }
    tally.connected += 1;
    runner.socket = socket;
    socket.once("close", () => {
      if (runner.socket === socket) runner.socket = undefined;
    });
  };

  const crash = (runner: Runner): void => {
    runner.socket?.terminate();
    runner.socket = undefined;
  };

  const act = async (runner: Runner, rolled: number): Promise<void> => {
    const { crowd, ticket, peerId } = runner;
    if (runner.socket === undefined) {
      if (await claim(runner)) await connect(runner);
      return;
    }
    if (rolled === 0) {
      const answer = await askSomewhere("leaveRoom", { ticket }).catch(ignore);
      if (answer?.status === 200) tally.left += 1;
      runner.socket = undefined;
    } else if (rolled === 1) {
      const answer = await askSomewhere("removePeer", { roomId: crowd.roomId, peerId }).catch(
        ignore,
      );
      if (answer?.status === 200) tally.kicked += 1;
      runner.socket = undefined;
    } else if (rolled === 2) {
      crash(runner);
      tally.crashed += 1;
    } else if (rolled === 3) {
      crash(runner);
      await connect(runner);
      if (runner.socket !== undefined) tally.back += 1;
    }
  };

  /** Checks who is in the engine; an engine that was just killed is checked later. */
  const look = async (): Promise<void> => {
    const listed = await engine.list().catch(ignore);
    if (listed === undefined) return;
    tally.looks += 1;
    for (const people of listed.values()) {
      const counted = new Map<string, number>();
      for (const id of people) {
        const seat = seated.get(id);
        if (seat === undefined) {
          wrong.add(`${id} is in the engine and never had a seat`);
          continue;
        }
        const name = nameOf(seat);
        const count = (counted.get(name) ?? 0) + 1;
        counted.set(name, count);
        most.set(name, Math.max(most.get(name) ?? 0, count));
        if (count > allowedOf(seat)) wrong.add(`${count} people were inside of ${name}`);
      }
    }
  };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await look();
      await sleep(LOOK_MS);
    }
  })();

  /** How many seats of a crowd are taken. */
  const takenOf = async ({ roomId, participants, viewers }: Crowd): Promise<number> => {
    const { seats } = (await askSomewhere("getMeeting", { roomId })).body.meeting;
    assert.ok(seats.participant.taken <= participants && seats.viewer.taken <= viewers);
    return seats.participant.taken + seats.viewer.taken;
  };

  return {
    tally,
    most,
    async round(roll) {
      const rolled = runners.map((runner) => ({ runner, is: roll(5) }));
      await Promise.all(rolled.map(({ runner, is }) => act(runner, is)));
    },
    crashAll: () => runners.forEach(crash),
    async joinAll() {
      for (const crowd of crowds) while ((await takenOf(crowd)) > 0) await sleep(WAIT_MS);
      const got = new Map<string, number>();
      await Promise.all(
        runners.map(async (runner) => {
          const name = nameOf(runner);
          let isIn = await claim(runner);
          while (isIn === undefined) {
            await sleep(WAIT_MS);
            isIn = await claim(runner);
          }
          if (isIn) got.set(name, (got.get(name) ?? 0) + 1);
        }),
      );
      return got;
    },
    inside: async () =>
      [...(await engine.list()).values()].reduce((sum, { size }) => sum + size, 0),
    async end() {
      isOver = true;
      await watching;
      assert.deepEqual([...wrong], []);
    },
  };
};
