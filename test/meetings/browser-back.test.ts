// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

const meetingOf = async (roomId: string) => (await service.client.getMeeting({ roomId })).meeting;
const heading = ({ page }: Person, name: string): Promise<void> =>
  page.getByRole("heading", { name }).waitFor();

/** Ends the time for which seats in this state are kept. */
const endKept = (state: "away" | "waiting") =>
  service.change(async ({ tx }) => {
    const lease_until = new Date(0).toISOString();
    await tx.updateTable("seats").set({ lease_until }).where("state", "=", state).execute();
  });

test("a page whose WebSocket a proxy blocks says so, and is inside once it passes", async () => {
  const { path } = await room();
  const ben = await enter(path, "Ben", { script: `${NO_DEVICES}; globalThis.isCut = true;` });
  await heading(ben, "The meeting cannot be reached from here");
  await ben.page.evaluate("globalThis.isCut = false");
  await ben.button("Try again").click();
  await isInside(ben);
  await leaveAll(ben);
});

test("a page whose seat was lost, or whose service was away, comes back by itself, with the devices as they were", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.button("Turn the camera off").click();
  await ben.cut();
  const isAway = async () =>
    (await meetingOf(roomId)).peers.some((one) => one.peerName === "Ben" && one.state === "away");
  await until("Ben is away", isAway);
  await endKept("away");
  await ada.tile("Ben").waitFor({ state: "detached" });
  await ben.context.setOffline(false);
  await heading(ben, "The connection was lost");
  await isInside(ben);
  await ben.button("Turn the microphone off").waitFor();
  await ben.button("Turn the camera on").waitFor();
  await ada.receivesOnly({ video: 0, audio: 1 });

  // The first request of a reloaded page, and of its seat, find no service.
  for (const operation of ["invitation", "joinRoom"]) {
    const address = `**/api/meeting/${operation}`;
    await ben.page.route(address, (route) => route.abort());
    await ben.page.reload();
    const [lost, failed] = ["The connection was lost", "This meeting cannot be opened"];
    await heading(ben, operation === "joinRoom" ? lost : failed);
    await ben.page.unroute(address);
    await isInside(ben);
    await ben.button("Turn the microphone off").waitFor();
  }
  await leaveAll(ada, ben);
});

test("a waiting person keeps the place while the network is away, after the page gave up, and through a reload; one whom nobody refused asks again", async () => {
  const { path, room: roomId } = await room({ authenticationRequired: true });
  const gus = await open(path, { script: NO_DEVICES });
  await gus.page.clock.install();
  await gus.page.getByLabel("Your name").fill("Gus");
  await gus.button("Ask to join").click();
  const waits = () => gus.page.getByText("No moderator has joined yet.").waitFor();
  await waits();
  const [place] = (await meetingOf(roomId)).waiting;
  const isPlace = async (): Promise<void> =>
    assert.deepEqual((await meetingOf(roomId)).waiting, [place]);

  await gus.context.setOffline(true);
  await gus.page.evaluate("globalThis.sockets.forEach((socket) => socket.close())");
  await gus.page.getByText("The connection is lost. Reconnecting: your place is kept.").waitFor();
  // The page gives up, and goes on trying.
  await until("it has given up", async () => {
    await gus.page.clock.runFor(10_000);
    return gus.page.getByRole("heading", { name: "The connection was lost" }).isVisible();
  });
  await isPlace();
  await gus.context.setOffline(false);
  await waits();
  await isPlace();
  await gus.page.reload();
  await waits();
  await isPlace();

  await gus.context.setOffline(true);
  await gus.page.evaluate("globalThis.sockets.forEach((socket) => socket.close())");
  await until("nobody is connected", async () => {
    await endKept("waiting");
    return (await meetingOf(roomId)).waiting.length === 0;
  });
  await gus.context.setOffline(false);
  await waits();
  await until("Gus waits again", async () => (await meetingOf(roomId)).waiting.length === 1);
  await leaveAll(gus);
});
