import assert from "node:assert/strict";
import { test } from "node:test";
import { loseProcess } from "../../server/meetings/doors/lost-processes.ts";
import { reconcile } from "../../server/meetings/engine/reconcile.ts";
import type { SeatSet } from "../../server/meetings/state/end-seats.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { newPlace, seatOf } from "./place.ts";

const world = await startWorld(test);
const { database } = world;

/** A seat in an organization of its own, which can be broken: its room cannot be read then. */
const claim = async () => {
  const { tenant, code } = await newPlace(world);
  const { body } = await world.open("joinRoom", { roomId: code, peerName: "Ann" });
  const rooms = () => database.read.selectFrom("rooms").where("organization_id", "=", tenant.id);
  const { record } = await rooms().select("record").executeTakeFirstOrThrow();
  const store = (text: string) =>
    database.change(async (tx) => {
      const here = tx.updateTable("rooms").where("organization_id", "=", tenant.id);
      await here.set({ record: text }).execute();
    });
  return {
    seat: () => seatOf(world, body.peer.peerId),
    set: (facts: SeatSet) =>
      database.change(async (tx) => {
        await tx.updateTable("seats").set(facts).where("id", "=", body.peer.peerId).execute();
      }),
    breaks: () => store("damaged"),
    works: () => store(record),
  };
};

test("an organization whose seats cannot be ended delays no other", async () => {
  const [broken, other] = [await claim(), await claim()];
  await broken.breaks();
  await broken.set({ lease_until: "2020-01-01T00:00:00.000Z" });
  await other.set({ lease_until: "2020-01-02T00:00:00.000Z" });
  await until("the other seat has ended", async () => (await other.seat()).state === "left");
  assert.equal((await broken.seat()).state, "claimed");
  await broken.works();
  await until("the first one ends too", async () => (await broken.seat()).state === "left");
});

test("when a process dies, an organization whose seats cannot be given up does not block another", async () => {
  const both = [await claim(), await claim()];
  // The organizations have their turns in any order.
  for (const [broken, other] of [both, both.toReversed()]) {
    assert.ok(broken && other);
    for (const one of both) await one.set({ process: "dead", lease_until: null });
    await broken.breaks();
    await assert.rejects(loseProcess(database, "dead"), SyntaxError);
    assert.equal((await broken.seat()).process, "dead");
    assert.equal((await other.seat()).process, null);
    await broken.works();
  }
});

test("a meeting that the media engine does not end holds up no other meeting", async () => {
  const { meeting_id } = await (await claim()).seat();
  const failure = new Error("The room is listed, but cannot be deleted.");
  const asked: string[] = [];
  const engine = {
    list: async () =>
      new Map([
        ["stuck", new Set<string>()],
        ["over", new Set<string>()],
        [meeting_id, new Set(["stranger"])],
      ]),
    close: async (id: string) => {
      asked.push(`close ${id}`);
      if (id === "stuck") throw failure;
    },
    remove: async (_meeting: string, id: string) => void asked.push(`remove ${id}`),
  };
  assert.equal(await reconcile(database, engine, engine, new Map()), failure);
  assert.deepEqual(asked, ["close stuck", "close over", "remove stranger"]);
});
