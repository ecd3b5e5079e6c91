// Runs: postgres
// Needs: media-engine

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loseProcess } from "../../server/meetings/doors/lost-processes.ts";
import { noEngine } from "../run/engine.ts";
import { freesAtOnce } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import { begin, connectMedia, meetingOf, startEngine } from "./engine.ts";
import { openSocket, type Somebody } from "./inside.ts";
import { keepSeats, keptAway } from "./place.ts";

const seatOf = ({ database }: World, { peerId }: Pick<Somebody, "peerId">) =>
  database.read.selectFrom("seats").selectAll().where("id", "=", peerId).executeTakeFirstOrThrow();

/** Waits until expired leases have been handled. */
const sweepPasses = async (world: World, id: string): Promise<void> => {
  await world.database.change(async (tx) => {
    const lease_until = "2020-01-01T00:00:00.000Z";
    await tx.updateTable("seats").set({ lease_until }).where("id", "=", id).execute();
  });
  await until(
    "a sweep has passed",
    async () => (await seatOf(world, { peerId: id })).state === "left",
  );
};

/**
 * Waits until a process has told a person to reconnect to another one; a client that does not read that
 * within two seconds is cut.
 */
const isSentAway = async (socket: Somebody): Promise<void> => {
  await until("the socket is closed", () => socket.closed !== undefined);
  assert.ok([1012, 1006].includes(socket.closed ?? 0), `closed with ${socket.closed}`);
  assert.equal(socket.ended, undefined, "the seat has not ended");
};

/** A process closes all its people's connections, twice: they come back through another one. */
const handOver = async (t: TestContext, twin?: Twin): Promise<void> => {
  const engine = await startEngine(t);
  const world = await startWorld(t, { environment: engine.environment, twin });
  const { code, guest, url, moderator } = await begin(world);
  const other = await world.second();
  await moderator(t);
  const ann = await guest(t, "Ann");
  const meetingId = meetingOf(ann);
  const { joined_at, process } = await seatOf(world, ann);

  const comesBack = async (at: string) => {
    const socket = await openSocket(t, at, ann);
    await until("Ann is inside", () => socket.view !== undefined || socket.closed !== undefined);
    assert.equal(socket.view?.you.peerId, ann.peerId, "Ann has her seat again");
    const media = await connectMedia(at, ann.ticket);
    assert.equal((await media.next("join")).participant?.identity, ann.peerId);
    return { socket, media };
  };
  const atFirst = await comesBack(url);

  // The other processes considered the first one dead, for example because it hung.
  await loseProcess(world.database, process ?? "");
  await keepSeats(world, "away");
  assert.equal(await atFirst.media.closed, 1001, "whether the gate or the engine was first");
  await isSentAway(atFirst.socket);
  const again = await comesBack(url);

  // The first process is stopped.
  const stopped = world.parley.stop();
  await isSentAway(again.socket);
  await keptAway(world, ann.peerId);
  await assert.rejects(openSocket(t, url, ann), "it takes no more of them");
  const last = await again.media.closed;
  assert.ok(last === 1001 || last === 1012, `the gate sends its people away: ${last}`);
  await stopped;
  const asked = { roomId: code, peerName: "Vic", peerType: "viewer" };
  const { body } = await askAs(other, undefined)("joinRoom", asked);
  await sweepPasses(world, body.peer.peerId);
  await comesBack(other);
  const seat = await seatOf(world, ann);
  assert.deepEqual([seat.state, seat.joined_at], ["inside", joined_at]);
  assert.ok((await engine.inside(meetingId)).has(ann.peerId));
};

test(
  "people whose process is drained, or counted as dead, return with their media and keep their seats",
  {
    skip: noEngine,
  },
  (t) => handOver(t),
);

testTwin("a twin that frees seats before their leases end loses theirs", async (t) => {
  if (noEngine) return t.skip(noEngine);
  await assert.rejects(handOver(t, freesAtOnce), assert.AssertionError);
});
