// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { openSocket } from "./inside.ts";
import { choose, isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";
import { runElsewhere } from "./run-elsewhere.ts";
import { opener } from "./settings-rows.ts";

const meetings = await startMeetings();
const { service, enter, open } = meetings;
const place = opener(meetings);
/** For people whose pictures do not matter: no devices. */
const plain = { script: NO_DEVICES };
/** Somebody with the link who needs no browser. */
const guest = createClient({ baseUrl: service.url });

/** A live stream of the running meeting, as if another process carried it out. */
const stream = (room: string): Promise<unknown> =>
  service.change(async (change) => {
    const { id } = await change.tx
      .selectFrom("meetings")
      .innerJoin("rooms", "rooms.id", "meetings.room_id")
      .select("meetings.id")
      .where("rooms.room", "=", room)
      .where("meetings.ended_at", "is", null)
      .executeTakeFirstOrThrow();
    await runElsewhere(change, id, { id: "run", topic: "stream", kind: "hls" });
  });

const heading = ({ page }: Person, name: string) => page.getByRole("heading", { name }).waitFor();

test("the next meeting has the chat of the one before if the room keeps it; a person who was excluded from one meeting comes to the next, and one who was excluded for good does not", async () => {
  const [ben, gus] = [await open("/m/nothing-here", plain), await open("/m/nothing-here", plain)];
  const excluded = gus.page.getByRole("alert").getByText("You are excluded from this room.");
  for (const isStatic of [true, false]) {
    const { room: roomId, path, idOf } = await place({ isStatic, roomPermaLink: true });
    const comes = async (one: Person): Promise<void> => {
      await one.page.goto(path);
      await one.page.getByLabel("Your name").fill(one === ben ? "Ben" : "Gus");
      await one.button("Join").click();
    };
    const exclude = async (ban: "meeting" | "always"): Promise<void> => {
      await service.client.removePeer({ roomId, peerId: await idOf("Gus"), ban });
      await heading(gus, "You were excluded");
      await comes(gus);
      await excluded.waitFor();
    };
    const close = async (): Promise<void> => {
      await service.client.closeRoom({ roomId });
      await heading(ben, "The meeting has ended");
    };
    const chat = ben.page.getByRole("complementary");
    const writes = async (text: string): Promise<void> => {
      await ben.button(/^Chat/).click();
      await ben.page.getByRole("textbox", { name: "Message to everybody" }).fill(text);
      await press(ben.page, "Enter");
      await chat.getByText(text).waitFor();
    };

    for (const one of [ben, gus]) await comes(one);
    await Promise.all([ben, gus].map(isInside));
    await writes("In the first meeting");
    await exclude("meeting");
    await close();

    for (const one of [ben, gus]) await comes(one);
    await Promise.all([ben, gus].map(isInside));
    await writes("In the second meeting");
    assert.equal(await chat.getByText("In the first meeting").count(), isStatic ? 1 : 0);
    await exclude("always");
    await close();

    for (const one of [gus, ben]) await comes(one);
    await excluded.waitFor();
    await isInside(ben);
  }
  await leaveAll(ben, gus);
});

test("an edit of the usual role or of the lobby counts for the next person; a new name and plan reach everybody, a new type waits for the next meeting; waiting people are let in together, or by the edit; a person who enters again first learns that the meeting is now streamed", async (t) => {
  const {
    room: roomId,
    path,
    edit,
  } = await place({
    participantType: "viewer",
    enableLiveStreaming: true,
  });
  const ada = await enter(path, "Ada", { asAdministrator: true, ...plain });
  const vic = await open(path, plain);
  await vic.page.getByText("You join as a viewer").waitFor();
  await vic.page.getByLabel("Your name").fill("Vic");
  await vic.button("Join").click();
  await Promise.all([ada, vic].map(isInside));
  await edit({ participantType: "speaker", name: "Renamed" });
  await heading(vic, "Renamed");
  const pia = await enter(path, "Pia", plain);
  await isInside(pia);

  // Gus has the page open when the meeting gets a lobby. The type takes effect with the next meeting.
  const gus = await open(path, plain);
  await gus.page.getByLabel("Your name").fill("Gus");
  await edit({ authenticationRequired: true, roomType: "event" });
  const linked = path.split("/").at(-1) ?? roomId;
  await openSocket(t, service.url, await guest.joinRoom({ roomId: linked, peerName: "Ivy" }));
  await gus.button("Join").click();
  const hal = await enter(path, "Hal", plain);
  for (const one of [gus, hal]) await heading(one, "Waiting for a moderator");
  await ada.page.getByText("3 people are waiting").waitFor();
  // The second click of a double click, as late as the next row is at the place of the first one.
  await ada.button(/^People/).click();
  await ada.button("Admit Ivy").click();
  await ada.button("Admit Ivy").waitFor({ state: "detached" });
  await ada.page.mouse.down({ clickCount: 2 });
  await ada.page.mouse.up({ clickCount: 2 });
  await ada.button("Raise your hand").click();
  await ada.button("Lower your hand").waitFor();
  await ada.button("Close the list of people").click();
  await ada.page.getByText("2 people are waiting").waitFor();
  // The plan reaches waiting people and people inside, too.
  await edit({
    name: "Tea",
    roomAgenda: "Numbers, then cake",
    scheduledDateTime: "2030-01-02T09:00:00Z",
  });
  await vic.button("About this meeting").click();
  for (const one of [gus, vic]) {
    await one.page.getByText("Tea", { exact: true }).waitFor();
    await one.page.getByText("Numbers, then cake").waitFor();
    await one.page.getByText(/^Scheduled for /).waitFor();
  }
  await press(vic.page, "Escape");
  for (const one of [vic, pia]) assert.equal(await one.button("Leave").count(), 1);
  await ada.button("Admit all").click();
  await Promise.all([gus, hal].map(isInside));
  const { peers } = (await service.client.getMeeting({ roomId })).meeting;
  assert.deepEqual(peers.map(({ peerName, peerType }) => `${peerName} ${peerType}`).toSorted(), [
    "Ada moderator",
    "Gus participant",
    "Hal participant",
    "Ivy participant",
    "Pia participant",
    "Vic viewer",
  ]);

  await hal.button("Leave").click();
  await ada.tile("Hal").waitFor({ state: "detached" });
  await hal.button("Rejoin").click();
  await heading(hal, "Waiting for a moderator");
  await ada.page.getByText("Hal is waiting", { exact: true }).waitFor();
  await edit({ authenticationRequired: false });
  await isInside(hal);

  const early = await pia.tab();
  await early.page.goto(path);
  await early.button("Join").waitFor();
  await hal.button("Leave").click();
  await hal.button("Rejoin").waitFor();
  await stream(roomId);
  await hal.button("Rejoin").click();
  await hal.page.getByRole("status").getByText("This meeting is being streamed live.").waitFor();
  assert.equal(await hal.button("Leave").count(), 0);
  await hal.button("Join").click();
  await isInside(hal);
  const said = hal.page.getByRole("log").getByText("The meeting is being streamed live.");
  await said.first().waitFor({ state: "attached" });

  // Another tab does not put Pia out of a locked meeting, and what she has seen inside she knows.
  await service.client.lockRoom({ roomId, action: "lock" });
  await pia.page.getByText("Locked", { exact: true }).waitFor();
  await early.button("Join").click();
  await early.page.getByRole("status").getByText("This meeting is being streamed live.").waitFor();
  await early.button("Continue here instead").click();
  await isInside(early);
  await pia.button(/^(Rejoin|Continue here)$/).click();
  await isInside(pia);
  await early.button("Continue here").click();
  await isInside(early);
  await service.client.lockRoom({ roomId, action: "unlock" });

  // The stream of nobody breaks off again and again; its viewer waits for the network, and for no camera.
  const wim = await open(path);
  await wim.page.getByLabel("Your name").fill("Wim");
  const given = () => wim.page.evaluate<number>("opened.length");
  await until("the browser has given both", async () => (await given()) === 2);
  // A person who is about to enter cannot watch as well.
  const watch = wim.button("Watch the live stream");
  const joining = Promise.withResolvers<{ abort(): Promise<void> }>();
  await wim.page.route("**/api/meeting/joinRoom", joining.resolve);
  const [request] = await Promise.all([joining.promise, wim.button("Join").click()]);
  assert.equal(await watch.isDisabled(), true);
  await request.abort();
  await watch.click();
  const asks = "**/api/meeting/watchStream";
  await wim.page.waitForResponse(asks);
  await wim.page.route(asks, (route) => route.abort());
  await wim.page.waitForEvent("requestfailed", (request) => request.url().endsWith("/watchStream"));
  await wim.page.unroute(asks);
  // A proxy answers for a service that restarts.
  await wim.page.route(asks, (route) => route.fulfill({ status: 502 }), { times: 1 });
  await wim.page.waitForResponse((answer) => answer.status() === 502);
  await wim.page.getByText("The stream was interrupted. Trying to reconnect").waitFor();
  await wim.page.waitForResponse((answer) => answer.url().endsWith("/watchStream") && answer.ok());
  await service.change(({ tx, now }) =>
    tx.updateTable("runs").set({ ended_at: now }).where("id", "=", "run").execute(),
  );
  await heading(wim, "The stream is over");
  await wim.button("Go to the meeting's page").click();
  await watch.waitFor({ state: "detached" });
  await wim.button("Turn the camera on").waitFor();
  assert.equal(await given(), 2);
  await leaveAll(ada, vic, pia, gus, hal, wim);
});

test("a viewer withdraws a request to take part, and declines an invitation; an edit of the limit takes effect at once, and revokes nothing", async (t) => {
  const { room, path, edit } = await place({ roomType: "event", noOfUpgradeRequests: 1 });
  const ada = await enter(path, "Ada", { asAdministrator: true, ...plain });
  const ben = await enter(path, "Ben", plain);
  await Promise.all([ada, ben].map(isInside));
  const roomId = path.split("/").at(-1) ?? room;
  const val = await openSocket(t, service.url, await guest.joinRoom({ roomId, peerName: "Val" }));
  const valAsks = () => val.do("upgrade", { action: "ask" });
  const benAsks = () => choose(ben, "More", "Ask to take part");
  const asked = ben.page.getByText("You have asked to take part.");
  const request = ada.page.getByText("Ben asks to take part", { exact: true });

  await benAsks();
  await Promise.all([asked, request].map((shown) => shown.waitFor()));
  assert.equal(await valAsks(), "upgrade_limit");
  await ben.button("Withdraw the request").click();
  await Promise.all([asked, request].map((shown) => shown.waitFor({ state: "detached" })));
  assert.equal(await valAsks(), "ok");
  await benAsks();
  await ben.page.getByText("No more upgrades are possible").first().waitFor();
  await edit({ noOfUpgradeRequests: 2 });
  await benAsks();
  await asked.waitFor();

  // A key that is held down answers one of them.
  await ada.button("Refuse").focus();
  await ada.page.keyboard.down("Enter");
  await ada.page.getByText("Val asks to take part", { exact: true }).waitFor();
  await ada.page.keyboard.down("Enter");
  await ada.page.keyboard.up("Enter");
  await asked.waitFor({ state: "detached" });
  await benAsks();
  await asked.waitFor();
  assert.equal(val.view?.upgrades.length, 1);

  // Both requests remain, and count.
  await edit({ noOfUpgradeRequests: 1 });
  await ada.button(/^People/).click();
  await ada.button("Refuse the request of Val").click();
  await val.sees("is refused", ({ upgrades }) => upgrades.length === 0);
  assert.equal(await valAsks(), "upgrade_limit");
  await ada.button("Accept Ben").click();
  const noCamera = ben.button("You cannot use a camera in this room");
  await noCamera.waitFor({ state: "detached" });

  // The limit is now zero: Ben keeps taking part, but may not ask again once he is a viewer.
  await edit({ noOfUpgradeRequests: 0 });
  await val.sees("may not ask", ({ allowed }) => !allowed.upgrade);
  assert.equal(await noCamera.count(), 0);
  await choose(ada, "Actions for Ben", "Make a viewer");
  await noCamera.waitFor();
  await ben.button("More").click();
  const item = (name: string) => ben.page.getByRole("menuitem", { name });
  await item("Copy the link").waitFor();
  assert.equal(await item("Ask to take part").count(), 0);
  await edit({ noOfUpgradeRequests: 1 });
  await item("Ask to take part").waitFor();
  await press(ben.page, "Escape");

  await choose(ada, "Actions for Ben", "Invite to take part");
  const invited = ada.page.getByText("invited to take part");
  await invited.waitFor();
  assert.equal(await valAsks(), "upgrade_limit");
  await ben.button("Not now").waitFor();
  await ben.button("More").click();
  await item("Copy the link").waitFor();
  assert.equal(await item("Ask to take part").count(), 0);
  await press(ben.page, "Escape");
  await ben.button("Not now").click();
  await invited.waitFor({ state: "detached" });
  assert.equal(await valAsks(), "ok");
  await leaveAll(ada, ben);
});
