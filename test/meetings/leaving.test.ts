// Runs: waits

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { digestOf } from "../../server/lib/digest.ts";
import * as cluster from "../../server/media/cluster.ts";
import { claimSeat } from "../../server/meetings/doors/claim-seat.ts";
import { connectMedia, disconnectMedia } from "../../server/meetings/doors/presence.ts";
import * as product from "../../server/meetings/doors/sweep.ts";
import { codeOf, roomOfCode } from "../../server/meetings/state/links.ts";
import { findOpenMeeting, findSeat } from "../../server/meetings/state/open-meeting.ts";
import { finishLeaving, releaseSeat } from "../../server/meetings/state/release.ts";
import { findRoom } from "../../server/records/room-queries.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import * as moderate from "../../server/socket/moderator-commands.ts";
import { actInRoom } from "../../server/socket/outside.ts";
import { presentStay } from "../../server/takeout/present.ts";
import { closesLate, removesOnce } from "../twins/gates.ts";
import { waitsForTheEngine } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom } from "../twins/twin.ts";
import { emptyDatabase } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { makers, numbered } from "../world/world.ts";
import { seatOf } from "./place.ts";

/** A room with one participant's seat, whose meetings are in the media engine. */
const roomOfOne = async (t: TestContext) => {
  const database = await emptyDatabase(t);
  const tenant = await makers(database, "", numbered()).tenant();
  const settings = {
    name: "R",
    roomOwnerId: [tenant.admin.id],
    noOfParticipants: 1,
    noOfModerators: 2,
  };
  await tenant.change((change) => createRoom(change, { ...settings, room: "r" } as never));
  const claim = (name: string, role: "participant" | "moderator" = "participant") =>
    tenant.change(async (change) => {
      const row = await findRoom(change.tx, tenant.id, "r");
      assert.ok(row);
      const who = { person: `guest:${name}`, userId: null, peerName: name };
      const outside = { waits: undefined, waitsForSeat: false };
      const comer = {
        ...who,
        ...outside,
        claimedFrom: null,
        metadata: null,
        held: false,
        second: false,
        device: null,
        role,
        ticketDigest: digestOf(name),
      };
      const meeting = await findOpenMeeting(change.tx, row.id);
      const seat = meeting && (await findSeat(change.tx, meeting.id, comer.person));
      return claimSeat(change, row, { meeting, seat }, comer, "livekit");
    });
  const stateOf = async (id: string) => (await seatOf({ database }, id)).state;
  /** Lets a person inside leave, whom the engine must still let go. */
  const leave = async () => {
    const seat = await claim("Ann");
    const connected = await connectMedia(database, "Ann", "q");
    assert.ok(connected);
    assert.equal(await stateOf(seat.id), "inside", "the connection to the engine is enough");
    const inside = await seatOf({ database }, seat.id);
    await tenant.change((change) => releaseSeat(change, inside, "removed"));
    assert.equal(await stateOf(seat.id), "leaving");
    return connected;
  };
  return { database, tenant, claim, stateOf, leave };
};

/** A meeting is ended for everybody, and somebody comes before the engine has let the others go. */
const closeAndCome = async (t: TestContext, { closeRoom }: Pick<typeof moderate, "closeRoom">) => {
  const { database, tenant, claim, stateOf } = await roomOfOne(t);
  const code = await tenant.change(async (change) => {
    const row = await findRoom(change.tx, tenant.id, "r");
    assert.ok(row);
    return codeOf(change, row, false);
  });
  const { id, meeting_id } = await claim("Ann");
  const connected = await connectMedia(database, "Ann", "q");
  assert.ok(connected);
  await claim("Mo", "moderator");
  assert.ok(await connectMedia(database, "Mo", "q"));
  const close = { message: "" };
  await tenant.change((change) =>
    actInRoom(
      change,
      "r",
      (inside) => closeRoom(inside, close),
      () => assert.fail("there is no meeting"),
    ),
  );
  assert.equal(await stateOf(id), "leaving");
  const bob = await claim("Bob", "moderator");
  assert.notEqual(bob.meeting_id, meeting_id, "Bob is in the same meeting");
  assert.equal((await roomOfCode(database.find, code))?.hasEnded, true);
  const rows = database.read.selectFrom("meetings").selectAll().where("id", "=", meeting_id);
  const ended = await rows.executeTakeFirstOrThrow();
  assert.ok(ended.ended_at !== null && ended.seconds !== null);
  await tenant.change((change) => finishLeaving(change, connected.seat));
  assert.equal(await stateOf(id), "left");
  assert.deepEqual(await rows.executeTakeFirstOrThrow(), ended);
};

test("a meeting ended for everybody ends at once with its link, even if somebody joins before the engine has let people go", (t) =>
  closeAndCome(t, moderate));

testTwin("a twin that waits for the engine goes on with a newcomer", async (t) => {
  const twin = await importFrom<typeof moderate>(closesLate, "socket/moderator-commands.ts");
  await assert.rejects(closeAndCome(t, twin), /Bob is in the same meeting/);
});

test("a seat counts until the media engine has let its person go, however often it fails", async (t) => {
  const { database, claim, stateOf, leave } = await roomOfOne(t);
  const connected = await leave();
  const { seat } = connected;
  assert.equal(await connectMedia(database, "Ann", "q"), undefined, "the ticket is over");
  await disconnectMedia(database, connected);
  assert.equal(await stateOf(seat.id), "leaving");
  const leaving = await seatOf({ database }, seat.id);
  assert.ok(leaving.last_seen !== null);
  assert.equal(presentStay(leaving).leftAt, leaving.last_seen, "an export says when they left");

  let asked = 0;
  let isAway = true;
  const engine = {
    remove: async (meetingId: string, seatId: string) => {
      asked += 1;
      assert.deepEqual([meetingId, seatId], [seat.meeting_id, seat.id]);
      if (isAway) throw new Error("The engine is away.");
    },
  };
  const warned: unknown[] = [];
  const log = { warn: (what: unknown) => void warned.push(what) };
  const sweep = await product.startSweep(database, { processId: "q", engine, log: log as never });
  try {
    await until("the engine was asked again", () => asked >= 2);
    await assert.rejects(claim("Bob"), { code: "seats_full" });
    assert.ok(warned.length >= 1);
    isAway = false;
    await until("the seat is free", async () => (await stateOf(seat.id)) === "left");
    await claim("Bob");
  } finally {
    await sweep.stop();
  }
});

const key = { key: "key", secret: "0123456789abcdef".repeat(2) };

/**
 * LiveKit as a person leaves: the first request to remove them gets no answer, and the next does not find
 * them.
 */
const removeWhoLeaves = async (
  t: TestContext,
  { openCluster: open }: Pick<typeof cluster, "openCluster">,
) => {
  let asked = 0;
  const server = createHttpServer((request, response) => {
    request.resume();
    asked += 1;
    if (asked > 1) response.writeHead(404).end(JSON.stringify({ code: "not_found" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { readonly port: number };
  await open(() => ({ url: `http://127.0.0.1:${port}`, ...key })).remove("meeting", "seat");
};

test("a leaving person is removed without waiting for the engine to find them", (t) =>
  removeWhoLeaves(t, cluster));

testTwin("a twin that asks only once does not know whether the person is out", async (t) => {
  const twin = await importFrom<typeof cluster>(removesOnce, "media/cluster.ts");
  await assert.rejects(removeWhoLeaves(t, twin), /does not answer/);
});

/** An engine that accepts connections and never answers, until the test ends. */
const blackHole = async (t: TestContext) => {
  const removals: { isOver: boolean }[] = [];
  const dials: Socket[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
    socket.once("data", (text) => {
      if (text.includes("/rtc/v1")) dials.push(socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  t.after(close);
  const engine = cluster.openCluster(() => ({ url: `http://127.0.0.1:${port}`, ...key }));
  const remove = async (meeting: string, seat: string) => {
    const removal = { isOver: false };
    removals.push(removal);
    await engine.remove(meeting, seat).finally(() => {
      removal.isOver = true;
    });
  };
  const asked = () => removals.find(({ isOver }) => !isOver);
  return { engine: { ...engine, remove }, dials, close, asked };
};

test("people who gave up waiting for a slow engine delay nobody behind them", async (t) => {
  const { engine, dials } = await blackHole(t);
  const grant = { publish: [], subscribe: true, hidden: false, recorder: false };
  const dial = (isWanted?: () => boolean) =>
    engine.connect("meeting", "seat", grant, "", isWanted).then(
      () => "connected",
      (error: Error) => error.message,
    );
  for (let n = 0; n < 16; n += 1) void dial();
  await until("sixteen are being made", () => dials.length === 16);
  const gone = Array.from({ length: 3 }, () => dial(() => false));
  void dial();
  dials[0]?.destroy();
  await until("the one behind has its turn", () => dials.length >= 17);
  assert.deepEqual(
    new Set(await Promise.all(gone)),
    new Set(["Nobody waits for the connection any more."]),
  );
});

/** How many removals the engine may leave unanswered before a busy machine has swept and renewed. */
const TRIES = 3;

/** A person is removed from an engine that does not answer: does the process keep working meanwhile? */
const goesOn = async (t: TestContext, { startSweep }: Pick<typeof product, "startSweep">) => {
  const { database, claim, stateOf, leave } = await roomOfOne(t);
  const hole = await blackHole(t);
  const log = { warn: () => {} };
  const sweep = await startSweep(database, { processId: "q", engine: hole.engine, log });
  const aliveAt = async () =>
    (await database.read.selectFrom("processes").select("alive_at").executeTakeFirst())?.alive_at;
  try {
    await leave();
    for (let n = 0; n < TRIES; n += 1) {
      await until("the engine is asked", () => hole.asked() !== undefined);
      const removal = hole.asked();
      const before = await aliveAt();
      const { id } = await claim(`Mo ${n}`, "moderator");
      await database.change(async (tx) => {
        const past = { lease_until: "2020-01-01T00:00:00.000Z" };
        await tx.updateTable("seats").set(past).where("id", "=", id).execute();
      });
      await until("the lease is swept", async () => (await stateOf(id)) === "left");
      await until("the process is alive", async () => (await aliveAt()) !== before);
      if (removal?.isOver === false) return;
    }
    assert.fail("leases and the row of the process waited for the engine");
  } finally {
    hole.close();
    await sweep.stop();
  }
};

test("an engine that does not answer delays neither the process's sign of life nor other leases", (t) =>
  goesOn(t, product));

testTwin("a twin that waits for the engine hangs meanwhile", async (t) => {
  const twin = await importFrom<typeof product>(waitsForTheEngine, "meetings/doors/sweep.ts");
  await assert.rejects(goesOn(t, twin), /waited for the engine/);
});
