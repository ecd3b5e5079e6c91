// Runs: sqlite, pictures
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { reconcile, type Unrelayed } from "../../server/meetings/engine/reconcile.ts";
import { press } from "../console/visit.ts";
import { noEngine } from "../run/engine.ts";
import { leavesTheEngineAlone } from "../twins/privacy.ts";
import { until } from "../world/process.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { isInside, leaveAll, startMeetings } from "./people.ts";
import { privacyHolds, type Three } from "./settings-rows.ts";
import { waysOf } from "./ways.ts";

const skip = { skip: noEngine };
const engine = noEngine ? undefined : await startEngine({ after });
// Tests need to know who has removed somebody from the engine.
const meetings = engine && (await startMeetings(engine.environment, leavesTheEngineAlone));
const none = { frames: 0, energy: 0 };

/** The engine, and the meetings of a service that has found it. */
const ready = async () => {
  assert.ok(engine);
  return { engine, ...(await withEngine(meetings)) };
};

test(
  "two people see and hear each other through the gate, and a removed person is out",
  skip,
  async () => {
    const { engine, room, enter } = await ready();
    const { path } = await room();
    const ada = await enter(path, "Ada", { asAdministrator: true });
    const ben = await enter(path, "Ben");
    await Promise.all([isInside(ada), isInside(ben)]);
    await Promise.all(
      [ada, ben].map((one) => one.receivesMore(none, { frames: 10, energy: 0.0001 })),
    );
    const carried = [...(await engine.engine.list()).values()].map(({ size }) => size);
    assert.deepEqual(carried, [2], "the engine carries them");

    // After a reload Ben returns by himself, and both receive each other again.
    await ben.page.reload();
    await isInside(ben);
    await ben.receivesMore(none, { frames: 10, energy: 0.0001 });
    await ada.receivesMore(await ada.received(), { frames: 10, energy: 0.0001 });
    await until("the engine has let the former page go", async () => {
      const people = [...(await engine.engine.list()).values()].map(({ size }) => size);
      return people.length === 1 && people[0] === 2;
    });

    // Two other people meet at the same time in a room for two: directly, without the engine.
    const { path: pair } = await room({ roomType: "p2p", noOfModerators: 1, noOfParticipants: 1 });
    const cleo = await enter(pair, "Cleo", { asAdministrator: true });
    const dan = await enter(pair, "Dan");
    await Promise.all([cleo, dan].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
    for (const one of [cleo, dan]) {
      for (const way of await waysOf(one)) assert.match(way, /^(host|prflx) (host|prflx) udp$/);
    }
    assert.deepEqual(
      [...(await engine.engine.list()).values()].map(({ size }) => size),
      [2],
    );
    await leaveAll(cleo, dan);

    // A moderator's mute ends the sound, and the person may unmute.
    await press(ada.page, "p");
    await ada.button("Actions for Ben").click();
    await ada.page.getByRole("menuitem", { name: "Turn the microphone off" }).click();
    await ben.button("Turn the microphone on").click();
    const before = await ada.received();
    await ada.receivesMore(before, { frames: 10, energy: 0.0001 });

    await ada.button("Actions for Ben").click();
    await ada.page.getByRole("menuitem", { name: "Remove" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await ben.button("Leave").waitFor({ state: "detached" });
    await until("the engine has let go", async () => {
      const people = [...(await engine.engine.list()).values()].map(({ size }) => size);
      return people.length === 1 && people[0] === 1;
    });
    await leaveAll(ada, ben);
  },
);

/** A page that closes its signaling learns of no change, but the engine keeps it. */
const withoutSignaling = async (three: Three): Promise<void> => {
  const { ada, ben, cleo, adasPage, bensPage, edit, idOf } = three;
  const { engine, service } = await ready();
  const { database } = service;
  const [adaId, benId, cleoId] = [await idOf("Ada"), await idOf("Ben"), await idOf("Cleo")];
  const hangsUp = async (page: typeof adasPage, id: string): Promise<void> => {
    page.hangUp();
    await until("nobody relays it any more", async () => {
      const seat = database.read.selectFrom("seats").select("media_process").where("id", "=", id);
      return (await seat.executeTakeFirstOrThrow()).media_process === null;
    });
  };
  const carried = async (): Promise<readonly string[]> => {
    const people = [...(await engine.engine.list()).values()].find((one) => one.has(cleoId));
    return [adaId, benId, cleoId].filter((id) => people?.has(id));
  };

  await hangsUp(bensPage, benId);
  await ben.receivesOnly({ video: 1, audio: 2 });
  await edit({ participantPrivacy: true });
  await until("Ben is out", async () => (await carried()).length < 3);
  assert.deepEqual(await carried(), [adaId, cleoId]);
  await Promise.all([ada, cleo].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  const { frames } = await ben.received();
  await cleo.receivesOnly({ video: 1, audio: 1 });
  assert.equal((await ben.received()).frames, frames);

  // Without an edit, only the second check removes her: a person who merely reconnects is back by then.
  await hangsUp(adasPage, adaId);
  const unrelayed: Unrelayed = new Map();
  const looks = () => reconcile(database, engine.engine, engine.engine, unrelayed, 0);
  await looks();
  assert.deepEqual(await carried(), [adaId, cleoId]);
  await looks();
  assert.deepEqual(await carried(), [cleoId]);
};

test(
  "with privacy participants get nothing of each other from the engine, even with a modified page, or one without signaling",
  skip,
  async () => privacyHolds({ meetings: await ready(), isDirect: false }, withoutSignaling),
);
