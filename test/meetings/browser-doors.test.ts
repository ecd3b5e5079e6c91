// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertAccessible, shoot } from "../console/looks.ts";
import { createPerson } from "../console/people.ts";
import { press } from "../console/visit.ts";
import { startWay } from "../world/dead-network.ts";
import { until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, signInAs, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

const heading = ({ page }: Person, name: string) => page.getByRole("heading", { name }).waitFor();
const peersOf = async (roomId: string) =>
  (await service.client.getMeeting({ roomId })).meeting.peers;
const seatOf = async (roomId: string, name: string) =>
  (await peersOf(roomId)).find(({ peerName }) => peerName === name);
/** Why a person's last seat ended. */
const reasonOf = (name: string) =>
  service.change(async ({ tx }) => {
    // Ignores the row that lets the person come back after a reload.
    const left = tx.selectFrom("seats").select("reason").where("state", "=", "left");
    const seats = left.where("peer_name", "=", name);
    return (await seats.orderBy("claimed_at", "desc").executeTakeFirst())?.reason;
  });

test("a changed password keeps out newcomers and nobody inside; a locked meeting tells newcomers so", async () => {
  const { path, room: roomId } = await room({ roomPassword: "tea time" });
  const typed = async (name: string, password: string): Promise<Person> => {
    const one = await open(path);
    await one.page.getByLabel("Your name").fill(name);
    await one.page.getByLabel("Room password").fill(password);
    await one.button("Join").click();
    return one;
  };
  const ben = await typed("Ben", "tea time");
  await isInside(ben);
  await service.client.editRoom({
    room: roomId,
    roomOwnerId: service.adminId,
    roomPassword: "cake time",
  });
  const cleo = await typed("Cleo", "tea time");
  await cleo.page.getByText("The room password is incorrect.").waitFor();
  await cleo.page.getByLabel("Room password").fill("cake time");
  await cleo.button("Join").click();
  await isInside(cleo);
  await ben.receivesOnly({ video: 1, audio: 1 });

  await service.client.lockRoom({ roomId, action: "lock" });
  const dan = await open(path);
  await dan.page
    .getByText(/^A moderator has locked the meeting\. You can join when it is unlocked/)
    .waitFor();
  await dan.button("Try again").waitFor();
  assert.equal(await dan.button("Join").count(), 0);
  await assertAccessible(dan.page, "a locked meeting");
  await shoot(dan.page, "doors-locked");

  // Removed while the connection is lost, which is what the page then shows.
  await cleo.cut();
  const { peerId = "" } = (await seatOf(roomId, "Cleo")) ?? {};
  await service.client.removePeer({ roomId, peerId });
  await cleo.context.setOffline(false);
  await heading(cleo, "You were removed");
  await leaveAll(ben, cleo, dan);
});

test("where every role is full, none is offered; a refused person gets in once the room has more seats, and fewer seats remove nobody", async () => {
  const { path, room: roomId } = await room({ noOfParticipants: 1, noOfViewers: 1 });
  const edit = (noOfParticipants: number) =>
    service.client.editRoom({ room: roomId, roomOwnerId: service.adminId, noOfParticipants });
  const plain = { script: NO_DEVICES };
  const ada = await enter(path, "Ada", plain);
  await isInside(ada);
  const ben = await enter(path, "Ben", plain);
  await ben.button("Join as viewer").click();
  await isInside(ben);
  const full = ({ page }: Person) => page.getByText("All seats of this role are taken.").waitFor();
  const leaves = async (one: Person, others: number): Promise<void> => {
    await one.button("Leave").click();
    await until("the seat is given back", async () => (await peersOf(roomId)).length === others);
  };
  const cleo = await enter(path, "Cleo", plain);
  await full(cleo);
  assert.equal(await cleo.button(/^Join as/).count(), 0);
  await edit(2);
  await cleo.button("Join").click();
  await isInside(cleo);

  await edit(1);
  const dan = await enter(path, "Dan", plain);
  await full(dan);
  await leaves(ada, 2);
  await ada.button("Rejoin").click();
  await full(ada);
  for (const one of [ben, cleo]) assert.equal(await one.button("Leave").count(), 1);
  await leaves(cleo, 1);
  await dan.button("Join").click();
  await isInside(dan);
  await leaveAll(ada, ben, cleo, dan);
});

test("a person of the organization signs in on the page, moderates a room that becomes theirs, has one seat in all tabs and after a crash, and is removed when suspended", async () => {
  const { path, room: roomId } = await room();
  const { id, email, password } = await createPerson(service, "Mia Member");
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const mia = await open(path);
  await signInAs(mia, { email, password });
  const nameField = mia.page.getByLabel("Your name");
  await until("her name is known", async () => (await nameField.inputValue()) === "Mia Member");
  await mia.button("Join").click();
  await Promise.all([isInside(ada), isInside(mia)]);
  const seat = await seatOf(roomId, "Mia Member");
  const owners = `${service.adminId},${id}`;
  await service.client.editRoom({ room: roomId, roomOwnerId: owners });
  await mia.page.getByText("You now own this room.").waitFor();
  await mia.button("More").click();
  await mia.page.getByRole("menuitem", { name: "Become a moderator" }).click();
  await ada.tile("Mia Member").waitFor();
  await until("she moderates", async () => {
    return (await seatOf(roomId, "Mia Member"))?.peerType === "moderator";
  });

  const tab = async (isAsked: boolean): Promise<Person> => {
    const other = await mia.tab();
    await other.page.goto(path);
    await other.button("Join").click();
    if (isAsked) await other.button("Continue here instead").click();
    await isInside(other);
    return other;
  };
  const second = await tab(true);
  await heading(mia, "You are in the meeting elsewhere");
  await second.page.goto("chrome://crash").catch(() => {});
  await until("she is away", async () => (await seatOf(roomId, "Mia Member"))?.state === "away");
  const third = await tab(false);
  await ada.receivesOnly({ video: 1, audio: 1 });
  const all = (await peersOf(roomId)).filter(({ peerName }) => peerName === "Mia Member");
  assert.deepEqual(
    all.map(({ peerId, state }) => [peerId, state]),
    [[seat?.peerId, "inside"]],
  );

  await service.client.suspendRestoreUser({ userId: id, action: "suspend" });
  await heading(third, "Your session has ended");
  await ada.tile("Mia Member").waitFor({ state: "detached" });
  await leaveAll(ada, mia);
});

test("a closed tab gives its seat back at once", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const gus = await enter(path, "Gus Guest");
  await Promise.all([isInside(ada), isInside(gus)]);
  await gus.page.goto("about:blank");
  await ada.tile("Gus Guest").waitFor({ state: "detached" });
  // Not "lost": nobody waited for a lost connection's lease.
  assert.equal(await reasonOf("Gus Guest"), "left");
  await leaveAll(ada, gus);
});

test("a connection that stays lost ends the seat, and the page says so", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.cut();
  // If a busy machine showed the loss late, the lease is over already.
  await until("Ben is away", async () => (await seatOf(roomId, "Ben"))?.state !== "inside");
  // The lease is over.
  await service.change(async ({ tx }) => {
    const longAgo = new Date(Date.now() - 60_000).toISOString();
    const ended = tx.updateTable("seats").set({ lease_until: longAgo });
    await ended.where("peer_name", "=", "Ben").where("state", "=", "away").execute();
  });
  await ada.tile("Ben").waitFor({ state: "detached" });
  await ben.context.setOffline(false);
  await heading(ben, "The connection was lost");
  await ben.page.getByText("Check your network, then rejoin.").waitFor();
  await ben.button("Rejoin").click();
  await isInside(ben);
  await ada.receivesOnly({ video: 1, audio: 1 });
  await leaveAll(ada, ben);
});

test("a person without a network for ten seconds keeps the seat; after a minute the seat is free, the page says so, and the person can enter again", {
  skip: !soaking && "takes minutes: in the long run only",
}, async (t) => {
  const { path, room: roomId } = await room();
  const way = await startWay(t, service.url);
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(`${way.url}${path}`, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  const seat = await seatOf(roomId, "Ben");
  // Real times of a dead network: ten seconds, then a minute.
  way.die();
  await sleep(10_000);
  way.live();
  await ada.receivesOnly({ video: 1, audio: 1 });
  await until("he is inside", async () => (await seatOf(roomId, "Ben"))?.state === "inside");
  assert.equal((await seatOf(roomId, "Ben"))?.peerId, seat?.peerId);

  way.die();
  const minute = sleep(60_000);
  await ada.tile("Ben").waitFor({ state: "detached" });
  assert.equal(await reasonOf("Ben"), "lost");
  await minute;
  way.live();
  await heading(ben, "The connection was lost");
  await ben.button("Rejoin").click();
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  assert.notEqual((await seatOf(roomId, "Ben"))?.peerId, seat?.peerId);
  await leaveAll(ada, ben);
});

test("a room deleted in use goes on for people inside, takes nobody new, and goes with the last one", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await service.client.deleteRoom({ id: roomId });
  const late = await open(path);
  await heading(late, "There is no such room");
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));
  await ada.button("Leave").click();
  await ben.button("Leave").click();
  const rooms = () =>
    service.change(({ tx }) =>
      tx.selectFrom("rooms").select("id").where("room", "=", roomId).execute(),
    );
  await until("the room is gone", async () => (await rooms()).length === 0);
  await leaveAll(ada, ben, late);
});

test("a link ends with a meeting of two people unless the room keeps it, and people inside read the moderator's words", async () => {
  for (const roomPermaLink of [true, false]) {
    const { path, room: roomId } = await room({ roomPermaLink });
    const ben = await enter(path, "Ben");
    const gus = await enter(path, "Gus");
    await Promise.all([ben, gus].map(isInside));
    await service.client.closeRoom({ roomId, message: "See you on Monday." });
    await heading(ben, "The meeting has ended");
    await ben.page.getByText("See you on Monday.").waitFor();
    await ben.page.reload();
    if (roomPermaLink) await ben.button("Join").waitFor();
    else await heading(ben, "This link has ended");
    await leaveAll(ben, gus);
  }
});

test("a person can enter and leave by keyboard alone", async () => {
  const { path } = await room({ roomPermaLink: true });
  const { page, ...ben } = await open(path);
  const label = `document.activeElement.getAttribute("aria-label") ??
    document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent`;
  const focus = async (name: string): Promise<void> => {
    for (let step = 0; step < 40; step += 1) {
      if ((await page.evaluate<string>(label)).trim().startsWith(name)) return;
      await press(page, "Tab");
    }
    assert.fail(`${name} is not reached`);
  };
  await ben.button("Join").waitFor();
  await focus("Your name");
  await page.keyboard.type("Ben");
  await press(page, "Enter");
  await ben.button("Leave").waitFor();
  await focus("Chat");
  await press(page, "Enter");
  await page.getByRole("textbox", { name: "Message to everybody" }).waitFor();
  await page.keyboard.insertText("Hello");
  await press(page, "Escape");
  await page.getByRole("complementary").waitFor({ state: "detached" });
  await until("the focus is back", async () =>
    (await page.evaluate<string>(label)).startsWith("Chat"),
  );
  await focus("More");
  await press(page, "Enter");
  // The menu takes the focus only after it has appeared, and Escape closes it from inside.
  const menu = page.getByRole("menu");
  await until("the focus is in the menu", () =>
    page.evaluate<boolean>(
      "Boolean(document.querySelector('[role=menu]')?.contains(document.activeElement))",
    ),
  );
  await press(page, "Escape");
  await menu.waitFor({ state: "detached" });
  await focus("Leave");
  await press(page, "Enter");
  await page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  await focus("Rejoin");
  await press(page, "Enter");
  await ben.button("Leave").waitFor();
  await ben.leave();
});
