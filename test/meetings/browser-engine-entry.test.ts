// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import { after, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { isInside, leaveAll, startMeetings } from "./people.ts";

const skip = { skip: noEngine };
const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));
const none = { frames: 0, energy: 0 };

test(
  "a person who leaves the only seat in the engine and enters again at once is inside, and so is one who reloads",
  skip,
  async () => {
    const { room, enter } = await withEngine(meetings);
    const { path } = await room({ noOfParticipants: 1, noOfViewers: 0 });
    const ada = await enter(path, "Ada", { asAdministrator: true });
    const ben = await enter(path, "Ben");
    await Promise.all([isInside(ada), isInside(ben)]);
    await ben.receivesMore(none, { frames: 1 });
    await ben.button("Leave").click();
    await ben.button("Rejoin").click();
    await isInside(ben);
    await ada.receivesMore(await ada.received(), { frames: 1 });
    await ben.page.reload();
    await isInside(ben);
    await ben.receivesMore(none, { frames: 1 });
    await leaveAll(ada, ben);
  },
);

test(
  "a page that cannot load the engine's client says so inside, and a reload brings pictures and sound",
  skip,
  async () => {
    const { room, enter, open } = await withEngine(meetings);
    const { path } = await room();
    const ada = await enter(path, "Ada", { asAdministrator: true });
    // As after an upgrade: the file that this page requests no longer exists.
    const ben = await open("/m/nothing-here");
    await ben.page.route("**/assets/livekit-*", (route) => route.abort());
    await ben.page.goto(path);
    await ben.page.getByLabel("Your name").fill("Ben");
    await ben.button(/^Join$/).click();
    await Promise.all([ada, ben].map(isInside));
    const alert = ben.page.getByRole("alert").getByText("Video and sound could not be loaded");
    await alert.waitFor();
    await ben.page.unroute("**/assets/livekit-*");
    await ben.button("Reload").click();
    await alert.waitFor({ state: "detached" });
    await isInside(ben);
    await Promise.all(
      [ada, ben].map((one) => one.receivesMore(none, { frames: 10, energy: 0.0001 })),
    );
    await leaveAll(ada, ben);
  },
);
