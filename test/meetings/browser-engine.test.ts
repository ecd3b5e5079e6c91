import assert from "node:assert/strict";
import { after, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { until } from "../world/process.ts";
import { startEngine } from "./engine.ts";
import { isInside, startMeetings } from "./people.ts";
import { privacyHolds, switchesHold, viewersWatch, type Way } from "./settings-rows.ts";

const skip = { skip: noEngine };
const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));
const none = { frames: 0, energy: 0 };

/** The meetings, once their service has found the engine. */
const ready = async () => {
  assert.ok(engine && meetings);
  const { house, room } = meetings;
  const { room: roomId } = await room();
  await until("the engine is found", () =>
    house.client.joinRoom({ roomId, peerName: "Early" }).then(
      () => true,
      () => false,
    ),
  );
  return { engine, ...meetings };
};
const byEngine = async (): Promise<Way> => ({ meetings: await ready(), isDirect: false });

test(
  "two people see and hear each other through the gate, and a removed one is out",
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

    // A reload brings Ben back by itself, and both receive each other again.
    await ben.page.reload();
    await isInside(ben);
    await ben.receivesMore(none, { frames: 10, energy: 0.0001 });
    await ada.receivesMore(await ada.received(), { frames: 10, energy: 0.0001 });
    await until("the engine has let the former page go", async () => {
      const people = [...(await engine.engine.list()).values()].map(({ size }) => size);
      return people.length === 1 && people[0] === 2;
    });

    // Two others meet beside them in a room of two: directly, and the engine knows nothing of it.
    const { path: pair } = await room({ roomType: "p2p", noOfModerators: 1, noOfParticipants: 1 });
    const cleo = await enter(pair, "Cleo", { asAdministrator: true });
    const dan = await enter(pair, "Dan");
    await Promise.all([cleo, dan].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
    assert.deepEqual(
      [...(await engine.engine.list()).values()].map(({ size }) => size),
      [2],
    );
    await Promise.all([cleo, dan].map(({ context }) => context.close()));

    // A moderator's mute ends the sound, and the person may speak again.
    await ada.page.keyboard.press("p");
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
    await Promise.all([ada, ben].map(({ context }) => context.close()));
  },
);

test(
  "a page that cannot load the engine's client says so inside, and a reload brings pictures and sound",
  skip,
  async () => {
    const { room, enter, open } = await ready();
    const { path } = await room();
    const ada = await enter(path, "Ada", { asAdministrator: true });
    // As after an upgrade: the file that this page asks for is gone.
    const ben = await open("/m/nothing-here");
    await ben.page.route("**/assets/livekit-*", (route) => route.abort());
    await ben.page.goto(path);
    await ben.page.getByLabel("Your name").fill("Ben");
    await ben.button(/^Join$/).click();
    await Promise.all([ada, ben].map(isInside));
    const alert = ben.page.getByRole("alert").getByText("Pictures and sound could not be loaded");
    await alert.waitFor();
    await ben.page.unroute("**/assets/livekit-*");
    await ben.button("Reload").click();
    await alert.waitFor({ state: "detached" });
    await isInside(ben);
    await Promise.all(
      [ada, ben].map((one) => one.receivesMore(none, { frames: 10, energy: 0.0001 })),
    );
    await Promise.all([ada, ben].map(({ context }) => context.close()));
  },
);

test(
  "what a room does not allow never passes the engine, also from a changed page",
  skip,
  async () => switchesHold(await byEngine()),
);

test(
  "with privacy participants get nothing of each other from the engine, also by a changed page",
  skip,
  async () => privacyHolds(await byEngine()),
);

test(
  "viewers of an event publish nothing until they take part, and no more than may",
  skip,
  async () => viewersWatch(await byEngine()),
);
