// Runs: postgres, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { closesUnfenced } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { openSocket } from "./inside.ts";
import { enterInvited } from "./invited.ts";

interface Listed {
  readonly peerName: string;
  readonly state: string;
}

/**
 * One of two processes stands still, with two people connected to it. One of them comes back by the other
 * process, and later the first one goes on.
 *
 * @returns how the meeting is listed once the first process has noticed what it has missed
 */
const standStill = async (t: TestContext, twin?: Twin): Promise<readonly Listed[]> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const a = await startProcess(t, house.environment, { twin });
  const b = await startProcess(t, house.environment, { twin });
  const ask = tenant.askAt(b.url);
  const room = { name: "Board", room: "r", roomOwnerId: tenant.admin.id, noOfParticipants: 5 };
  assert.equal((await ask("createRoom", room)).status, 201);
  const [ann, cid] = [
    await enterInvited(t, a.url, { ...tenant, ask }, "r", "Ann"),
    await enterInvited(t, a.url, { ...tenant, ask }, "r", "Cid"),
  ];
  const bob = await enterInvited(t, b.url, { ...tenant, ask }, "r", "Bob");
  const listed = async (): Promise<Listed[]> => {
    const { body } = await ask("getMeeting", { roomId: "r" });
    return body.meeting.peers
      .map(({ peerName, state }: Listed) => ({ peerName, state }))
      .toSorted((one: Listed, other: Listed) => (one.peerName < other.peerName ? -1 : 1));
  };
  const isAway = (name: string) => async () =>
    (await listed()).every(({ peerName, state }) => peerName !== name || state !== "inside");
  await until("all are inside", async () => (await listed()).length === 3);

  a.child.kill("SIGSTOP");
  // Nothing waits for it: neither changes of the organization nor the people of the other process.
  assert.equal((await ask("createRoom", { ...room, room: "s" })).status, 201);
  assert.equal(await bob.do("hand", { up: true }), "ok");
  await until("others see that Ann is away", isAway("Ann"));
  const back = await openSocket(t, b.url, ann);
  await back.sees("she is back in her seat", ({ you }) => you.peerId === ann.peerId);
  await until("Cid's seat is free", async () => (await listed()).length === 2);
  await bob.sees("Cid is gone", () => bob.names().join() === "Ann");

  a.child.kill("SIGCONT");
  // It lets go of connections whose people are elsewhere, or whose seats have ended.
  await until("it has noticed", () => ann.closed !== undefined && cid.closed !== undefined);
  assert.equal(await bob.do("hand", { up: false }), "ok");
  await until("it serves again", async () => (await tenant.askAt(a.url)("whoAmI")).status === 200);
  const now = await listed();
  assert.equal(back.closed, undefined);
  return now;
};

test("when one of two processes hangs, its people return by the other and keep their seats", async (t) => {
  assert.deepEqual(await standStill(t), [
    { peerName: "Ann", state: "inside" },
    { peerName: "Bob", state: "inside" },
  ]);
});

testTwin("a twin whose late process ends a newer connection is detected", async (t) => {
  await assert.rejects(async () => {
    const now = await standStill(t, closesUnfenced);
    assert.deepEqual(
      now.map(({ state }) => state),
      ["inside", "inside"],
    );
  });
});
