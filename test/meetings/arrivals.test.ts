// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import type { SeatRow } from "../../server/db/meeting-tables.ts";
import type { Database } from "../../server/db/open.ts";
import { leaveMessages } from "../../server/meetings/seats/messages.ts";
import { Watch } from "../../server/socket/watch.ts";
import { testTwin } from "../twins/test-twin.ts";
import { hurriesAlways, watchOf, welcomesEarly } from "../twins/watches.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import type { Somebody } from "./inside.ts";
import { meetIn, seatOf } from "./place.ts";

const world = await startWorld(test);

/** How many looks people cause who come one after the other, before a pause is over. */
const looksAt = async (t: Scope, Made: typeof Watch): Promise<number> => {
  const timers: (() => void)[] = [];
  let pauses = 0;
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = ((work: () => void) => {
    pauses += 1;
    return timers.push(work);
  }) as never;
  t.after(() => {
    globalThis.setTimeout = real;
  });
  const { database } = world;
  const parts = {
    database,
    processId: "p",
    mediaOf: () => assert.fail(),
    onError: (error: unknown) => assert.fail(String(error)),
  };
  const watch = new Made("no-meeting", parts, () => {});
  let looks = 0;
  t.after(watch.follow(() => (looks += 1)));
  const looked = async (many: number) => {
    while (looks < many || pauses < many) await nextTurn();
  };
  /** Comes in; the look may be over before the next one comes. */
  const comesIn = async (): Promise<void> => {
    t.after(watch.follow(() => {}));
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  };
  await looked(1);
  await comesIn();
  await looked(2);
  for (let n = 0; n < 5; n += 1) await comesIn();
  for (const end of timers.splice(0)) end();
  await looked(3);
  return looks;
};

test("many people who come in one after the other share their looks, and the first one waits for none", async (t) => {
  assert.equal(await looksAt(t, Watch), 3);
});

testTwin(
  "a twin that looks at once for everybody who comes in is detected",
  async (t) => {
    assert.notEqual(await looksAt(t, await watchOf(hurriesAlways)), 3);
  },
  { onSqlite: true },
);

/** The process that the watch below stands for: the seats' sockets are with it. */
const PROCESS = "another process";

/** A database that calls back before each of its reads. */
const readWith = (onRead: () => void): Database => ({
  ...world.database,
  get read() {
    onRead();
    return world.database.read;
  },
});

/** Somebody's seat as it is when they come in at the other process: inside, with a message that waits. */
const comingIn = async ({ peerId }: Somebody) => {
  await until("the seat is inside", async () => (await seatOf(world, peerId)).state === "inside");
  const { meeting_id: meetingId } = await seatOf(world, peerId);
  await world.database.change(async (tx) => {
    await tx.updateTable("seats").set({ process: PROCESS }).where("id", "=", peerId).execute();
    const message = { type: "muted", media: ["audio"], by: "A moderator", entering: true } as const;
    await leaveMessages(tx, [{ meetingId, seatId: peerId, message }]);
  });
  return await seatOf(world, peerId);
};

const memberOf = ({ id, connection, ticket_digest }: SeatRow, messages: ServerMessage[]) => ({
  seatId: id,
  connection,
  ticketDigest: ticket_digest,
  send: (message: ServerMessage) => void messages.push(message),
  forCapture: () => undefined,
  close: () => assert.fail("nobody leaves"),
  drop: () => assert.fail("nobody leaves"),
});

/** What a person gets first who comes in at each read of a look at the meeting. */
const firstMessages = async (t: Scope, Made: typeof Watch): Promise<readonly string[]> => {
  const { moderator, guest } = await meetIn(world)(t);
  const gus = await guest("Gus");
  const mo = await seatOf(world, moderator.peerId);
  /** Looks at the meeting with the moderator there. @returns how often it read from the database */
  const look = async (onRead: (watch: Watch, reads: number) => void): Promise<number> => {
    let reads = 0;
    const parts = {
      database: readWith(() => {
        reads += 1;
        onRead(watch, reads);
      }),
      processId: PROCESS,
      mediaOf: () => ({ type: "direct" as const, url: null, iceServers: [] }),
      onError: (error: unknown) => assert.fail(String(error)),
    };
    const watch = new Made(mo.meeting_id, parts, () => {});
    watch.add(memberOf(mo, []));
    await watch.settled();
    return reads;
  };
  await comingIn(gus);
  const places = await look(() => {});
  const first: string[] = [];
  for (let place = 1; place <= places; place += 1) {
    const seat = await comingIn(gus);
    const got: ServerMessage[] = [];
    await look((watch, reads) => {
      if (reads === place) watch.add(memberOf(seat, got));
    });
    first.push(got[0]?.type ?? "nothing");
  }
  return first;
};

test("a person who comes in during a look is welcomed after the messages that wait for them", async (t) => {
  const first = await firstMessages(t, Watch);
  assert.ok(first.length > 3, "a look reads several times");
  assert.deepEqual(new Set(first), new Set(["muted"]));
});

testTwin(
  "a twin that welcomes people before their messages is detected",
  async (t) => {
    const first = await firstMessages(t, await watchOf(welcomesEarly));
    assert.ok(first.includes("welcome"), first.join());
  },
  { onSqlite: true },
);
