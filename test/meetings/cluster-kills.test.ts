// Runs: postgres, complete, alone
// Needs: haproxy, media-engine, redis

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { AudioStream, Room, RoomEvent, TrackKind } from "@livekit/rtc-node";
import { connectMeeting, createClient, type MeetingConnection } from "../../contract/client.ts";
import { noEngine } from "../run/engine.ts";
import { withoutHaproxy, withoutRedis } from "../run/programs.ts";
import { until } from "../world/process.ts";
import { linkOf } from "./inside.ts";
import { disconnectSdk, publishTone } from "./sdk.ts";
import { type Part, startCluster } from "./whole-cluster.ts";

const skip = noEngine || withoutHaproxy() || withoutRedis();

const PEOPLE = 6;
/** Those who speak. */
const SPEAKERS = 2;
const RATE = 48_000;
/** Longer silence is a gap that people notice. */
const NOTICED_MS = 1_000;
/** Everybody is back by then, whatever was killed. */
const BACK_MS = 120_000;

/** Somebody in the meeting, who comes back as the page does. */
class Person {
  readonly #url: string;
  readonly #code: string;
  readonly name: string;
  #meeting: MeetingConnection | undefined;
  #isOver = false;
  /** When each speaker was heard last. */
  readonly heard = new Map<string, number>();
  connected = false;
  seats = 0;
  readonly #speaks: boolean;

  constructor(t: TestContext, url: string, code: string, name: string, speaks: boolean) {
    [this.#url, this.#code, this.name] = [url, code, name];
    this.#speaks = speaks;
    t.after(() => {
      this.#isOver = true;
      this.#meeting?.disconnect();
    });
  }

  /** Takes a seat, and again whenever it ends. */
  async live(): Promise<void> {
    while (!this.#isOver) {
      await this.#sit().catch(() => {});
      this.connected = false;
      await sleep(1_000);
    }
  }

  async #sit(): Promise<void> {
    const client = createClient({ baseUrl: this.#url });
    const seat = await client.joinRoom({ roomId: this.#code, peerName: this.name });
    this.seats += 1;
    let ended = false;
    const meeting = connectMeeting({
      baseUrl: this.#url,
      ...seat,
      onState: (state) => {
        this.connected = state === "connected";
      },
    });
    this.#meeting = meeting;
    const media = async (): Promise<void> => {
      while (!ended && !this.#isOver) {
        await this.#listen(seat.ticket, () => ended).catch(() => {});
        await sleep(1_000);
      }
    };
    const listening = media();
    await meeting.ended;
    ended = true;
    await listening;
  }

  /** One connection with the engine, until it is lost. */
  async #listen(ticket: string, isEnded: () => boolean): Promise<void> {
    const room = new Room();
    const lost = new Promise<void>((resolve) => room.once(RoomEvent.Disconnected, () => resolve()));
    room.on(RoomEvent.TrackSubscribed, async (track, _publication, { name, identity }) => {
      if (track.kind !== TrackKind.KIND_AUDIO) return;
      const speaker = this.#nameOf(identity) ?? name ?? identity;
      for await (const { data } of new AudioStream(track, RATE, 1)) {
        if (data.some((sample) => Math.abs(sample) > 1_000)) {
          this.heard.set(speaker, performance.now());
        }
      }
    });
    try {
      await room.connect(`${this.#url}/api/meeting`, ticket, {
        autoSubscribe: true,
        dynacast: false,
      });
      if (this.#speaks) await publishTone(room, 440);
      while (!isEnded() && !this.#isOver) {
        const over = await Promise.race([lost.then(() => true), sleep(200).then(() => false)]);
        if (over) return;
      }
    } finally {
      await disconnectSdk(room).catch(() => {});
    }
  }

  #nameOf(identity: string): string | undefined {
    return this.#meeting?.view?.peers.find(({ peerId }) => peerId === identity)?.peerName;
  }
}

/** The effects of one death on people. */
interface Noticed {
  readonly what: string;
  /** The longest time, in seconds, for which nothing was heard from a speaker, of all pairs of people. */
  readonly silent: number;
  /** For which somebody's meeting socket was away. */
  readonly away: number;
  /** For which requests were refused. */
  readonly refused: number;
  /** People who took a seat again. */
  readonly seats: number;
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

test("after the death of each part of a cluster everybody is back and hears the others", {
  skip,
}, async (t) => {
  const cluster = await startCluster(t);
  const { url } = cluster;
  const tenant = await cluster.house.beside((beside) => beside.tenant());
  const ask = tenant.askAt(url);
  const seats = { noOfModerators: 1, noOfParticipants: 12, noOfViewers: 1 };
  const room = { name: "R", room: "r", roomOwnerId: tenant.admin.id, ...seats };
  assert.equal((await ask("createRoom", room)).status, 201);
  const code = await linkOf(ask, "r");
  const people = Array.from(
    { length: PEOPLE },
    (_, n) => new Person(t, url, code, `Person ${n + 1}`, n < SPEAKERS),
  );
  for (const person of people) void person.live();
  const speakers = people.slice(0, SPEAKERS);
  const pairs = people.flatMap((person) =>
    speakers.filter((one) => one !== person).map((one) => [person, one.name] as const),
  );
  const heardAt = ([person, speaker]: (typeof pairs)[number]) => person.heard.get(speaker) ?? 0;
  const isCalm = () =>
    people.every(({ connected }) => connected) &&
    pairs.every((pair) => performance.now() - heardAt(pair) < NOTICED_MS);
  await until("everybody hears", isCalm);

  /** Kills something, and looks for ten seconds longer than until everybody is back. */
  const measure = async (what: string, part: Part, signal: NodeJS.Signals, downMs: number) => {
    const before = people.reduce((sum, person) => sum + person.seats, 0);
    const [silences, aways] = [pairs.map(() => 0), people.map(() => 0)];
    const awaySince = people.map((): number | undefined => undefined);
    let [refused, refusedSince] = [0, undefined as number | undefined];
    let isOver = false;
    const probe = async (): Promise<void> => {
      while (!isOver) {
        const at = performance.now();
        const { status } = await fetch(`${url}/api/roomSetting/r`, {
          headers: { authorization: `Bearer ${tenant.token}` },
          signal: AbortSignal.timeout(10_000),
        }).catch(() => ({ status: 0 }));
        const now = performance.now();
        if (status !== 0 && status < 500) refusedSince = undefined;
        else refusedSince ??= at;
        if (refusedSince !== undefined) refused = Math.max(refused, now - refusedSince);
        await sleep(100);
      }
    };
    const probing = probe();
    const killedAt = performance.now();
    const killing = part.kill(signal);
    const startAgain = sleep(downMs).then(async () => {
      await killing;
      await part.start();
    });
    let calmSince: number | undefined;
    const look = (): boolean => {
      const now = performance.now();
      pairs.forEach((pair, n) => {
        const silent = now - heardAt(pair);
        if (silent > NOTICED_MS) silences[n] = Math.max(silences[n] ?? 0, silent);
      });
      people.forEach(({ connected }, n) => {
        awaySince[n] = connected ? undefined : (awaySince[n] ?? now);
        aways[n] = Math.max(aways[n] ?? 0, now - (awaySince[n] ?? now));
      });
      calmSince = isCalm() ? (calmSince ?? now) : undefined;
      return calmSince !== undefined && now - Math.max(calmSince, killedAt + downMs) > 10_000;
    };
    await until(`everybody is back: ${what}`, look, BACK_MS);
    await startAgain;
    isOver = true;
    await probing;
    const after = people.reduce((sum, person) => sum + person.seats, 0);
    return {
      what,
      silent: inSeconds(Math.max(...silences)),
      away: inSeconds(Math.max(...aways)),
      refused: inSeconds(refused),
      seats: after - before,
    } satisfies Noticed;
  };

  const { parley, nodes, redis, proxy, postgres } = cluster;
  const found: Noticed[] = [];
  const cases: readonly (readonly [string, Part, NodeJS.Signals, number])[] = [
    ["a Parley process, stopped for an upgrade", parley[0], "SIGTERM", 15_000],
    ["a Parley process", parley[0], "SIGKILL", 15_000],
    ["the other Parley process", parley[1], "SIGKILL", 15_000],
    ["the first LiveKit node", nodes[0], "SIGKILL", 30_000],
    ["the second LiveKit node", nodes[1], "SIGKILL", 30_000],
    ["Redis, for ten seconds", redis, "SIGKILL", 10_000],
    ["PostgreSQL, for ten seconds", postgres, "SIGKILL", 10_000],
    ["HAProxy, for two seconds", proxy, "SIGKILL", 2_000],
  ];
  for (const [what, part, signal, downMs] of cases) {
    await until(`everybody hears before: ${what}`, isCalm, BACK_MS);
    const noticed = await measure(what, part, signal, downMs);
    found.push(noticed);
    assert.equal(noticed.seats, 0, `everybody keeps the seat: ${what}`);
    t.diagnostic(JSON.stringify(noticed));
  }
  assert.equal(found.length, cases.length);
});
