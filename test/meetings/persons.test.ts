import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { allowsAddressesLittle, countsBySeat, countsEachCookie } from "../twins/claims.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { newPlace } from "./place.ts";
import { close, openBrowser } from "./visits.ts";

/*
 * A moderator's decision applies to the person: each return gives a new seat, and so a new
 * peerId.
 */

const world = await startWorld(test);
const { url, open } = world;

const guestIn = (t: TestContext, roomId: string, peerName = "Gus", here = world) =>
  openBrowser(t, here, { roomId, peerName });

const meeting = async (t: TestContext, settings: object = {}, here = world) => {
  const place = await newPlace(here, settings);
  const asked = { url: here.url, ask: place.asAdmin };
  const moderator = await enter(t, asked, "r", { peerName: "Mo" });
  return { ...place, moderator, gus: guestIn(t, place.code, "Gus", here) };
};

test("a person who keeps coming back is excluded by the peerId of any seat they have had", async (t) => {
  const { moderator, gus, tenant } = await meeting(t);
  const first = await gus.enter();
  await close(world, first);
  const second = await gus.enter();
  assert.notEqual(second.peerId, first.peerId);
  await close(world, second);
  const third = await gus.enter();
  const removed = { peerId: first.peerId, ban: "always" } as const;
  assert.equal(await moderator.do("removePeer", removed), "ok");
  await until("the current page gets the end", () => third.ended?.reason === "banned");
  assert.equal(await gus.tries(), "banned");
  const { bans } = (await tenant.ask("listBans", { roomId: "r" })).body;
  assert.deepEqual([bans.length, bans[0].peerName, bans[0].lasts], [1, "Gus", "always"]);
  const lift = { roomId: "r", peerId: second.peerId };
  assert.equal((await tenant.ask("liftBan", lift)).status, 200);
  assert.equal(await gus.tries(), 200);
});

test("a person who is about to return, or has just left, is removed and excluded too", async (t) => {
  const { moderator, gus, tenant } = await meeting(t);
  const returning = await gus.enter();
  await close(world, returning);
  await tenant.ask("lockRoom", { roomId: "r", action: "lock" });
  assert.equal(await moderator.do("removePeer", { peerId: returning.peerId }), "ok");
  assert.equal(await gus.tries(), "room_locked", "what a page may after a reload is over");
  assert.equal(await moderator.do("removePeer", { peerId: returning.peerId }), "peer_not_found");
  await tenant.ask("lockRoom", { roomId: "r", action: "unlock" });
  const gone = await gus.enter();
  await close(world, gone, false);
  assert.equal(await moderator.do("removePeer", { peerId: gone.peerId, ban: "meeting" }), "ok");
  assert.equal(await gus.tries(), "banned");
  const other = await newPlace(world);
  assert.equal(
    (
      await other.tenant.ask("createRoom", {
        name: "O",
        room: "o",
        roomOwnerId: other.tenant.admin.id,
      })
    ).status,
    201,
  );
  const foreign = { roomId: "o", peerId: gone.peerId, ban: "always" };
  assert.equal((await other.tenant.ask("removePeer", foreign)).body.code, "peer_not_found");
});

test("the last person to leave is excluded for later meetings", async (t) => {
  const { code, tenant } = await newPlace(world, { roomPermaLink: true });
  const gus = guestIn(t, code);
  const { peerId, ticket } = await gus.enter();
  await close(world, { ticket }, false);
  const ban = async (lasts: unknown) =>
    (await tenant.ask("removePeer", { roomId: "r", peerId, ban: lasts })).body.code;
  assert.equal(await ban("meeting"), "peer_not_found", "there is none");
  assert.equal(await ban("no"), "peer_not_found");
  assert.equal(await ban(60), undefined);
  assert.equal(await gus.tries(), "banned");
  assert.equal(await ban("always"), undefined);
  const { bans } = (await tenant.ask("listBans", { roomId: "r" })).body;
  assert.deepEqual(
    bans.map(({ lasts }: { readonly lasts: string }) => lasts),
    ["always"],
    "the longer exclusion counts",
  );
  assert.equal((await tenant.ask("liftBan", { roomId: "r", peerId })).status, 200);
  assert.equal(await gus.tries(), 200);
});

test("a person who is muted or made a viewer during a reload returns muted, or as a viewer", async (t) => {
  const { moderator, gus } = await meeting(t);
  const first = await gus.enter();
  await close(world, first);
  assert.equal(await moderator.do("mutePeer", { peerId: first.peerId }), "ok");
  assert.equal(
    await moderator.do("changePeer", { peerId: first.peerId, peerType: "viewer" }),
    "ok",
  );
  const second = await gus.enter();
  await until("the page learns that it is muted", () =>
    second.messages.some((m) => m.type === "muted" && m.media[0] === "audio" && m.by === "Mo"),
  );
  await second.sees("the role", ({ you }) => you.peerType === "viewer");
  const offered = { peerId: first.peerId, action: "offer" } as const;
  assert.equal(await moderator.do("upgradeRequest", offered), "ok");
  assert.equal(await second.do("upgrade", { action: "take" }), "ok");
  await second.sees("the role", ({ you }) => you.peerType === "participant");
  await close(world, second);
  assert.equal(await moderator.do("mutePeer", { all: true, type: "video" }), "ok");
  const third = await gus.enter();
  await until("everybody is muted, also who was about to return", () =>
    third.messages.some((m) => m.type === "muted" && m.media[0] === "video"),
  );
});

test("a guest at the door is refused under any peerId, and admitted only under the name that was asked about", async (t) => {
  const { code, moderator, gus } = await meeting(t, { authenticationRequired: true });
  const first = await gus.enter();
  await close(world, first, false);
  const second = await gus.enter();
  assert.equal(await moderator.do("denyRoomJoin", { requesterPeerId: first.peerId }), "ok");
  await until("the current page gets the refusal", () => second.ended?.reason === "refused");
  const again = await moderator.do("denyRoomJoin", { requesterPeerId: second.peerId });
  assert.equal(again, "peer_not_found", "a refusal that everybody has seen counts once");
  const third = await gus.enter();
  await close(world, third, false);
  assert.equal(await moderator.do("denyRoomJoin", { requesterPeerId: third.peerId }), "ok");
  assert.equal(await gus.tries(), "too_many_requests", "who leaves first was refused twice too");

  const ann = guestIn(t, code, "Ann");
  const asked = await ann.enter();
  await close(world, asked, false);
  const renamed = await ann.enter({ peerName: "Mo" });
  const admit = ({ peerId }: Somebody) =>
    moderator.do("allowRoomJoin", { requesterPeerId: peerId });
  assert.equal(await admit(asked), "peer_not_found");
  await close(world, renamed, false);
  const last = await ann.enter();
  assert.equal(await admit(asked), "ok");
  await last.sees("everything", ({ you }) => you.peerName === "Ann");
});

test("a person who is excluded or suspended does not stay as a guest in the same browser", async (t) => {
  const { code, moderator, tenant, member, asMember } = await meeting(t);
  const both = async () => {
    const asked = await asMember("joinRoom", { roomId: "r" });
    const mia = await openSocket(t, url, { ...asked.body, peerId: asked.body.peer.peerId });
    const guest = { ask: open, url };
    const cookie = cookieOf(asked);
    const secret = await enter(t, guest, code, { peerName: "Secret", cookie });
    return { mia, secret };
  };
  const one = await both();
  assert.equal(await moderator.do("removePeer", { peerId: one.mia.peerId, ban: "meeting" }), "ok");
  await until("both get the end", () =>
    [one.mia, one.secret].every(({ ended }) => ended?.reason === "banned"),
  );
  assert.equal((await tenant.ask("liftBan", { roomId: "r", peerId: one.mia.peerId })).status, 200);
  const other = await both();
  const suspend = { userId: member.id, action: "suspend" };
  assert.equal((await tenant.ask("suspendRestoreUser", suspend)).status, 200);
  await until("both get the end", () => other.secret.ended?.reason === "banned");
  await until("both get the end", () => other.mia.ended?.reason === "signed_out");
});

/** Somebody floods the chat, leaves and comes back, and goes on. */
const floodsFromSeats = async (t: TestContext, here = world): Promise<void> => {
  const { moderator, gus } = await meeting(t, {}, here);
  const begun = performance.now();
  const answers: string[] = [];
  for (const mayReturn of [true, false, true]) {
    const one = await gus.enter();
    const flood = Array.from({ length: 50 }, () => one.do("chat", { text: "x" }));
    answers.push(...(await Promise.all(flood)));
    await close(here, one, mayReturn);
  }
  const seconds = (performance.now() - begun) / 1_000;
  assert.deepEqual(new Set(answers), new Set(["ok", "too_many_requests"]));
  const taken = answers.filter((answer) => answer === "ok").length;
  assert.ok(taken >= 30 && taken <= 31 + 3 * seconds, `${taken} in ${seconds} s`);
  assert.equal(await moderator.do("chat", { text: "Quiet, please." }), "ok");
};

test("a person who floods the chat is slowed down, from whichever of their seats", (t) =>
  floodsFromSeats(t));

testTwin("a twin that counts by seats lets a returning person flood the chat", async (t) => {
  const here = await startWorld(t, { twin: countsBySeat });
  await assert.rejects(floodsFromSeats(t, here), /deepEqual|deep-equal|in \d/);
});

/** Two guests from one address raise and lower their hands. */
const sharesAnAddress = async (t: TestContext, twin: Twin): Promise<void> => {
  const here = await startWorld(t, { twin });
  const { code, moderator } = await meeting(t, {}, here);
  const guests = await Promise.all(
    ["Ann", "Ben"].map(async (name) => guestIn(t, code, name, here).enter()),
  );
  const answers = guests.flatMap((guest) =>
    Array.from({ length: 10 }, () => guest.do("hand", { up: false })),
  );
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(["ok", "too_many_requests"]));
  const others = Array.from({ length: 10 }, () => moderator.do("hand", { up: false }));
  assert.deepEqual(new Set(await Promise.all(others)), new Set(["ok"]));
};

test("guests with many cookies share their address's allowance; people with an account do not", (t) =>
  sharesAnAddress(t, allowsAddressesLittle));

testTwin("a twin that counts each cookie lets an address send any number", async (t) => {
  await assert.rejects(sharesAnAddress(t, countsEachCookie), /deepEqual|deep-equal/);
});
