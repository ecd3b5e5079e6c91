// Runs: sqlite-first, waits, first
// Needs: media-engine

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { freesLongBefore } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { isReady, type Process, startProcess, until } from "../world/process.ts";
import { complete, rollDice, soaking } from "../world/seed.ts";
import { startMortalEngine } from "./engine.ts";
import { type Crowd, startRush } from "./rush.ts";

const crowd = (participants: number, people: number): Crowd => ({
  roomId: `r${participants}`,
  participants,
  people,
  viewers: Math.ceil(participants / 10),
});

const small = { rounds: 4, crowds: [crowd(5, 14), ...(complete ? [crowd(20, 26)] : [])] };
const large = { rounds: 60, crowds: [crowd(5, 50), crowd(20, 150), crowd(100, 200)] };

interface Shape {
  readonly rounds: number;
  readonly crowds: readonly Crowd[];
  /** True to kill the engine and a process meanwhile. */
  readonly kills: boolean;
}

/**
 * People join, leave, crash, return and are removed, over two processes if the database allows two, while the
 * engine and a process are killed.
 */
const rush = async (t: TestContext, { rounds, crowds, kills }: Shape, twin?: Twin) => {
  const begun = performance.now();
  const dice = rollDice(t);
  const engine = await startMortalEngine(t);
  const house = await openHouse(t, { environment: engine.environment });
  const host = await house.beside((world) => world.tenant());
  const start = () => startProcess(t, house.environment, { twin });
  const up: Process[] = [await start(), ...(onPostgres && kills ? [await start()] : [])];
  const urls = (): readonly string[] => up.map(({ url }) => url);
  const ask: typeof host.ask = (...asked) => host.askAt(urls()[0] ?? "")(...asked);
  for (const { roomId, participants, viewers } of crowds) {
    const seats = { noOfModerators: 1, noOfParticipants: participants, noOfViewers: viewers };
    const room = { name: roomId, room: roomId, roomOwnerId: host.admin.id, ...seats };
    assert.equal((await ask("createRoom", room)).status, 201);
  }
  /** The services have found the engine. */
  const found = () =>
    until("the engine is found", async () => {
      const answers = await Promise.all(
        urls().map((url) => host.askAt(url)("joinRoom", { roomId: "r5", peerName: "Mo" })),
      );
      return answers.every(({ status }) => status !== 503);
    });
  await found();
  const people = await startRush(host, crowds, engine.engine, urls);

  /** Kills the last process: on SQLite the only one. */
  const killProcess = async (): Promise<void> => {
    const last = up.at(-1);
    await last?.end("SIGKILL");
    const again = await start();
    assert.ok(await isReady(again.url));
    up[up.length - 1] = again;
  };
  for (let round = 0; round < rounds; round += 1) {
    const killed = kills && round % 6 === 2 ? killProcess() : undefined;
    const other = kills && round % 6 === 3 ? engine.kill() : undefined;
    await Promise.all([people.round(dice.roll), killed, other]);
    if (killed || other) await found();
  }
  await people.end();
  people.crashAll();
  const got = await people.joinAll();
  assert.equal(await people.inside(), 0, "nobody is in the engine without a seat");
  const seconds = Math.round((performance.now() - begun) / 1000);
  t.diagnostic(JSON.stringify({ seconds, ...people.tally, ...Object.fromEntries(people.most) }));
  for (const { participants, viewers } of crowds) {
    assert.equal(got.get(`${participants} seats, participants`), participants);
    assert.equal(got.get(`${participants} seats, viewers`), viewers);
  }
  const { connected, looks } = people.tally;
  assert.ok(connected >= participantsOf(crowds) && looks > rounds, JSON.stringify(people.tally));
};

const participantsOf = (crowds: readonly Crowd[]): number =>
  crowds.reduce((sum, { participants }) => sum + participants, 0);

test(
  "in a rush with kills the engine never has more people than seats, and afterwards every seat is free",
  {
    skip: noEngine,
  },
  (t) => rush(t, { ...(soaking ? large : small), kills: true }),
);

testTwin("a twin that frees a seat long before the engine lets go is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  const shape = { rounds: 6, crowds: [crowd(5, 14)], kills: false };
  await assert.rejects(rush(t, shape, freesLongBefore), {
    message: /people were inside of 5 seats, participants/,
  });
});
