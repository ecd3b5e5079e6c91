import assert from "node:assert/strict";
import { after, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { until } from "../world/process.ts";
import { startEngine } from "./engine.ts";
import { type Person, startMeetings } from "./people.ts";

const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));

const inside = (person: Person) => person.button("Leave").waitFor();
const none = { frames: 0, energy: 0 };

test("two people see and hear each other through the gate, and a removed one is out", {
  skip: noEngine,
}, async () => {
  assert.ok(engine && meetings);
  const { house, room, enter } = meetings;
  const { path, room: roomId } = await room();
  await until("the engine is found", () =>
    house.client.joinRoom({ roomId, peerName: "Early" }).then(
      () => true,
      () => false,
    ),
  );
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([inside(ada), inside(ben)]);
  await Promise.all(
    [ada, ben].map((one) => one.receivesMore(none, { frames: 40, energy: 0.0001 })),
  );
  const carried = [...(await engine.engine.list()).values()].map(({ size }) => size);
  assert.deepEqual(carried, [2], "the engine carries them");

  // A moderator's mute ends the sound, and the person may speak again.
  await ada.page.keyboard.press("p");
  await ada.button("Actions for Ben").click();
  await ada.page.getByRole("menuitem", { name: "Turn the microphone off" }).click();
  await ben.button("Turn the microphone on").click();
  const before = await ada.received();
  await ada.receivesMore(before, { frames: 20, energy: 0.0001 });

  await ada.button("Actions for Ben").click();
  await ada.page.getByRole("menuitem", { name: "Remove" }).click();
  await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await ben.button("Leave").waitFor({ state: "detached" });
  await until("the engine has let go", async () => {
    const people = [...(await engine.engine.list()).values()].map(({ size }) => size);
    return people.length === 1 && people[0] === 1;
  });
  await Promise.all([ada, ben].map(({ context }) => context.close()));
});
