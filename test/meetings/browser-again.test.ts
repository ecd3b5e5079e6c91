// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPerson } from "../console/people.ts";
import { startWay } from "../world/dead-network.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, signInAs, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

const meetingOf = async (roomId: string) => (await service.client.getMeeting({ roomId })).meeting;
const seatOf = async (roomId: string, name: string) =>
  (await meetingOf(roomId)).peers.find(({ peerName }) => peerName === name);

/** Holds back the first message of a socket: the ticket. */
const KEEP_TICKET = `const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    globalThis.hello ??= data;
    return send.call(this, data);
  };`;

test("a page whose abandoned socket arrives late stays inside, and does not report a move elsewhere", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  const ben = await enter(path, "Ben", { script: `${NO_DEVICES};${KEEP_TICKET}` });
  await Promise.all([isInside(ada), isInside(ben)]);
  const seat = await seatOf(roomId, "Ben");
  await ben.page.evaluate(`new Promise((resolve) => {
    const late = new WebSocket(globalThis.sockets[0].url);
    late.onopen = () => late.send(globalThis.hello);
    late.onmessage = () => late.close();
    late.onclose = resolve;
  })`);
  await until("the page has connected again", () =>
    ben.page.evaluate<boolean>(
      "globalThis.sockets.length > 2 && globalThis.sockets.at(-1).readyState === 1",
    ),
  );
  await ben.button("Raise your hand").click();
  await until("the hand is up", async () => (await seatOf(roomId, "Ben"))?.hand != null);
  assert.equal((await seatOf(roomId, "Ben"))?.peerId, seat?.peerId);
  assert.equal(await ben.page.getByRole("heading", { name: "elsewhere" }).count(), 0);
  await leaveAll(ada, ben);
});

test("a person who leaves the only seat and enters again, or reloads, is inside at once", async () => {
  const { path } = await room({ noOfParticipants: 1, noOfViewers: 0 });
  const ada = await enter(path, "Ada", { asAdministrator: true, script: NO_DEVICES });
  const ben = await enter(path, "Ben", { script: NO_DEVICES });
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.button("Leave").click();
  await ben.button("Rejoin").click();
  await isInside(ben);
  await ben.page.reload();
  await isInside(ben);
  await leaveAll(ada, ben);
});

test("entering again shows what has changed since, and asks for it", async () => {
  const { path, room: roomId } = await room();
  const edit = (settings: object) =>
    service.client.editRoom({ room: roomId, roomOwnerId: service.adminId, ...settings });
  const plain = { script: NO_DEVICES };
  const ada = await enter(path, "Ada", { ...plain, asAdministrator: true });
  const ben = await enter(path, "Ben", plain);
  await Promise.all([isInside(ada), isInside(ben)]);
  const comesBack = async (one: Person, meanwhile: () => Promise<unknown>, reads: string) => {
    await one.button("Leave").click();
    await one.button("Rejoin").waitFor();
    await meanwhile();
    await one.button("Rejoin").click();
    await one.page.getByText(reads).waitFor();
  };

  // A name does not identify anybody.
  const other = await enter(path, "Ben", plain);
  await isInside(other);

  await comesBack(
    ben,
    () => service.client.lockRoom({ roomId, action: "lock" }),
    "A moderator has locked this meeting.",
  );
  assert.equal(await ben.page.getByText("locked").count(), 1, "said once");
  await ben.button("Try again").waitFor();
  await service.client.lockRoom({ roomId, action: "unlock" });
  // The page looks by itself.
  await ben.button("Join").click();
  await isInside(ben);

  // The field comes as soon as the page has asked for the room's current rules.
  const asked = Promise.withResolvers<void>();
  await ben.page.route("**/api/meeting/invitation*", async (route) => {
    await asked.promise;
    await route.continue();
  });
  await comesBack(ben, () => edit({ roomPassword: "tea time" }), "password is incorrect.");
  asked.resolve();
  await ben.page.getByText("Enter the room password.").waitFor();
  await ben.page.locator("input[name=room-password]:focus").fill("tea time");
  await ben.button("Join").click();
  await isInside(ben);

  const { id, email, password } = await createPerson(service, "Mia Member");
  await edit({ roomOwnerId: `${service.adminId},${id}` });
  const mia = await open(path, plain);
  await signInAs(mia, { email, password });
  await mia.button("Join").click();
  await isInside(mia);
  assert.equal((await seatOf(roomId, "Mia Member"))?.peerType, "moderator");
  const takesBack = () => edit({ roomPassword: "" });
  await comesBack(mia, takesBack, "You cannot enter this room in this role.");
  await mia.page.getByRole("radio", { name: "Moderator" }).waitFor({ state: "detached" });
  await mia.button("Join").click();
  await isInside(mia);
  assert.equal((await seatOf(roomId, "Mia Member"))?.peerType, "participant");
  await leaveAll(ada, ben, other, mia);
});

test("a person who waits comes back before the door after the network has died without a word; a moderator's arrival lets in nobody who waits, and the page says that a moderator refused, or that the place went to somebody else; owners never wait", async (t) => {
  const { path, room: roomId } = await room({ authenticationRequired: true });
  const way = await startWay(t, service.url);
  const gus = await open(`${way.url}${path}`, { script: NO_DEVICES });
  await gus.page.clock.install();
  await gus.page.getByLabel("Your name").fill("Gus");
  await gus.button("Ask to join").click();
  await gus.page.getByText("No moderator has joined yet.").waitFor();
  way.die();
  // First to the next sign of life, then as long as its answer may take.
  for (const seconds of [15, 10]) await gus.page.clock.fastForward(seconds * 1_000);
  way.live();
  await until("the page has connected again", () =>
    gus.page.evaluate<boolean>("sockets.length > 1 && sockets.at(-1).readyState === 1"),
  );
  await gus.page.getByText("No moderator has joined yet.").waitFor();
  await gus.button("Stop waiting").click();
  await gus.page.getByRole("heading", { name: "You have stopped waiting" }).waitFor();
  await gus.button("Ask to join").click();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  await gus.page.getByText("You join as soon as a moderator lets you in.").waitFor();
  assert.deepEqual(
    (await meetingOf(roomId)).peers.map(({ peerName }) => peerName),
    ["Ada"],
  );
  await service.change(async ({ tx }) => {
    const ended = {
      state: "left",
      reason: "lobby_full",
      left_at: new Date().toISOString(),
    } as const;
    await tx.updateTable("seats").set(ended).where("state", "=", "waiting").execute();
  });
  await gus.page.getByRole("heading", { name: "Too many people are waiting" }).waitFor();
  await gus.button("Ask to join").click();
  await gus.page.getByText("You join as soon as a moderator lets you in.").waitFor();
  // A notice that disappears leaves the focus of a person who has already clicked beside it.
  await ada.button("See all").focus();
  await ada.page.getByRole("region", { name: "People and shared screens" }).click();
  await gus.button("Stop waiting").click();
  await ada.button("See all").waitFor({ state: "detached" });
  assert.equal(await ada.page.evaluate("document.activeElement.tagName"), "BODY");
  await gus.button("Ask to join").click();
  await ada.button(/^People/).click();
  await ada.button("Refuse Gus").click();
  await gus.page.getByRole("heading", { name: "You were not let in" }).waitFor();
  assert.equal(await gus.button("Rejoin").count(), 0);
  await leaveAll(ada, gus);
});

test("a waiting person is asked for a password that replaces the moderator, and keeps waiting after a wrong one", async () => {
  const { path, room: roomId } = await room({ authenticationRequired: true });
  const gus = await enter(path, "Gus", { script: NO_DEVICES });
  await gus.page.getByText("No moderator has joined yet.").waitFor();
  const password = "tea time";
  const door = { authenticationRequired: false, roomPassword: password };
  await service.client.editRoom({ room: roomId, roomOwnerId: service.adminId, ...door });
  const [place] = (await meetingOf(roomId)).waiting;
  await gus.page.getByLabel("Room password").fill("cake time");
  await gus.button("Join").click();
  await gus.page.getByText("The room password is incorrect.").waitFor();
  assert.deepEqual((await meetingOf(roomId)).waiting, [place]);
  await gus.page.getByRole("heading", { name: "Waiting for a moderator" }).waitFor();
  await gus.page.getByLabel("Room password").fill(password);
  await gus.button("Join").click();
  await isInside(gus);
  assert.equal((await seatOf(roomId, "Gus"))?.peerId, place?.peerId);
  await leaveAll(gus);
});
