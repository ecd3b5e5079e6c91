// Runs: postgres, complete, waits
// Needs: media-engine, redis

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { withoutRedis } from "../run/programs.ts";
import { judgesAtOnce, waitsForTheDead } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { startTwoNodes } from "./cluster.ts";
import { begin, connectMedia, meetingOf } from "./engine.ts";
import { seatOf } from "./place.ts";

const skip = noEngine || withoutRedis();

interface Loss {
  /** The largest number of attempts to remove a person from the dead node. */
  readonly most: number;
  readonly twin?: Twin;
  readonly listsFromNodes?: boolean;
}

/** A meeting on the node that Parley does not know, and the death of that node. */
const loseNode = async (
  t: TestContext,
  { most, twin, listsFromNodes = false }: Loss,
): Promise<void> => {
  const nodes = await startTwoNodes(t, listsFromNodes);
  const world = await startWorld(t, { twin, environment: nodes.environment });
  const { asAdmin, code, guest, moderator, url } = await begin(world, { noOfParticipants: 1 });
  const mod = await moderator(t);
  const meetingId = meetingOf(mod);
  await nodes.give(meetingId);
  await (await connectMedia(url, mod.ticket)).next("join");
  const inside = async () => [...(await nodes.inside(meetingId))].sort();
  const enter = async (peerName: string) => {
    const person = await guest(t, peerName);
    const media = await connectMedia(url, person.ticket);
    const both = [mod.peerId, person.peerId].sort().join();
    await until("the first node lists both", async () => (await inside()).join() === both);
    return { ...person, media };
  };
  const ann = await enter("Ann");
  assert.equal(await mod.do("removePeer", { peerId: ann.peerId }), "ok");
  await ann.media.closed;
  await until("her seat is free", async () => (await seatOf(world, ann.peerId)).state === "left");
  const bob = await enter("Bob");

  await nodes.kill();
  assert.equal(await bob.do("leave"), "ok");
  const tries = new Set<string>();
  await until("his seat is free", async () => {
    const { state, lease_until } = await seatOf(world, bob.peerId);
    if (state === "leaving") tries.add(lease_until ?? "");
    assert.ok(tries.size <= most, `not free after ${most} tries`);
    return state === "left";
  });
  // Redis still lists him.
  assert.equal((await inside()).includes(bob.peerId), !listsFromNodes);
  const { status } = await world.open("joinRoom", { roomId: code, peerName: "Cleo" });
  assert.equal(status, 200);

  assert.equal((await asAdmin("closeRoom", { roomId: "r" })).status, 200);
  await until("the meeting has ended", async () => {
    const open = world.database.read.selectFrom("meetings").select("id");
    const found = open.where("id", "=", meetingId).where("ended_at", "is", null);
    return (await found.executeTakeFirst()) === undefined;
  });
  await until("LiveKit has forgotten it", async () => !(await nodes.engine.list()).has(meetingId));
};

test("a meeting works on any node of a cluster, and ends when its node dies", { skip }, (t) =>
  loseNode(t, { most: 3, twin: judgesAtOnce }),
);

test("a seat whose node died is free half a minute later", {
  skip: skip || (!soaking && "takes minutes: in the long run only"),
}, async (t) => {
  for (const listsFromNodes of [false, true]) {
    await t.test(`lists from ${listsFromNodes ? "the nodes" : "Redis"}`, (t) =>
      loseNode(t, { most: 20, listsFromNodes }),
    );
  }
});

testTwin(
  "a twin that waits for a dead node is detected",
  async (t) => {
    const lost = loseNode(t, { most: 3, twin: waitsForTheDead });
    await assert.rejects(lost, /not free after 3 tries/);
  },
  { skip },
);
