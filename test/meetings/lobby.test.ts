import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { KyselyPlugin } from "kysely";
import { admitAll } from "../../server/meetings/doors/lobby.ts";
import { countsWaitingOnce } from "../twins/seats.ts";
import { testTwin } from "../twins/test-twin.ts";
import { cookieOf, insist } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { url, open } = world;
const place = (settings?: object) => newPlace(world, settings);

test("with authenticationRequired guests wait until a moderator admits them, and members do not", async (t) => {
  const { code, asMember, asAdmin, tenant } = await place({ authenticationRequired: true });
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const { status, body } = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.deepEqual([status, body.waiting, body.media], [202, true, null]);
  const gus = await openSocket(t, url, { ticket: body.ticket, peerId: body.peer.peerId });
  await until("the lobby", () => gus.messages.some(({ type }) => type === "lobby"));
  assert.equal(await gus.do("chat", { text: "let me in" }), "ticket_ended");
  assert.equal(await gus.do("beat"), "ok", "the connection lives");
  const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
  assert.deepEqual(
    [meeting.seats.participant.taken, meeting.waiting[0].peerName],
    [0, "Gus"],
    "who waits takes no seat",
  );
  assert.equal((await asMember("joinRoom", { roomId: "r" })).status, 200);
  await moderator.sees("Gus waits", ({ waiting }) => waiting[0]?.peerId === gus.peerId);
  assert.equal(await moderator.do("allowRoomJoin", { requesterPeerId: gus.peerId }), "ok");
  await gus.sees("everything", ({ you }) => you.peerId === gus.peerId);
});

const lobbyHolds = async (t: TestContext, here = world): Promise<void> => {
  const { code, asAdmin, tenant } = await newPlace(here, { authenticationRequired: true });
  const moderator = await enter(t, { url: here.url, ask: asAdmin }, "r");
  const guest = insist(here.open);
  const join = (peerName: string) => guest("joinRoom", { roomId: code, peerName });
  const answers = await Promise.all(Array.from({ length: 58 }, (_, n) => join(`Guest ${n}`)));
  const waiting = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status !== 202);
  // A request answered 503 may have taken a place before it was sent again: the moderator counts all.
  assert.ok(waiting.length <= 50, `${waiting.length} wait`);
  assert.deepEqual(
    new Set(refused.map(({ status, body }) => `${status} ${body.code}`)),
    new Set(["409 lobby_full"]),
  );
  await moderator.sees("all who wait", (view) => view.waiting.length === 50);
  assert.equal((await tenant.ask("joinRoom", { roomId: "r", peerName: "App" })).status, 200);
  const [first] = waiting;
  assert.ok(first);
  await here.open("leaveRoom", { ticket: first.body.ticket });
  assert.equal((await join("Late")).status, 202, "a place before the door is free again");
};

test("as many guests may wait as the room has seats, at least fifty, however many come at once", (t) =>
  lobbyHolds(t));

testTwin("a twin that counts waiting guests too early lets all of them wait", async (t) => {
  const here = await startWorld(t, { twin: countsWaitingOnce });
  await assert.rejects(lobbyHolds(t, here), assert.AssertionError);
});

/** A guest who waits before a door, and comes back in the same browser. */
const waitAt = async (t: TestContext, code: string, peerName: string) => {
  const asked = { roomId: code, peerName };
  const first = await open("joinRoom", asked);
  assert.equal(first.status, 202);
  const guest = await openSocket(t, url, { ...first.body, peerId: first.body.peer.peerId });
  await until("the lobby", () => guest.messages.length > 0);
  const again = async (more: object = {}): Promise<string> => {
    const headers = { cookie: cookieOf(first) };
    const { status, body } = await open("joinRoom", { ...asked, ...more }, headers);
    return body.code ?? `${status} ${body.peer.peerId === guest.peerId}`;
  };
  const isAsked = (): boolean =>
    guest.messages.some((message) => message.type === "lobby" && message.passwordRequired);
  return { guest, again, isAsked, isIn: () => guest.view !== undefined };
};

/** The waiting people in an administrator's view. */
const waitingIn = async ({ ask }: Awaited<ReturnType<typeof place>>["tenant"]) => {
  const { meeting } = (await ask("getMeeting", { roomId: "r" })).body;
  return meeting.waiting.map(({ peerName }: { readonly peerName: string }) => peerName);
};

test("an edit that replaces authenticationRequired with a password admits no waiting guest, who enters with the password", async (t) => {
  const { code, edit, tenant } = await place({ authenticationRequired: true });
  const [gus, hal] = [await waitAt(t, code, "Gus"), await waitAt(t, code, "Hal")];
  await edit({ authenticationRequired: false, roomPassword: "open sesame" });
  for (const { isAsked } of [gus, hal]) await until("the password is asked for", isAsked);
  await edit({ roomAgenda: "New" });
  assert.deepEqual(await waitingIn(tenant), ["Gus", "Hal"]);
  assert.equal(await gus.again(), "wrong_room_password");
  assert.deepEqual([await waitingIn(tenant), gus.isIn()], [["Gus", "Hal"], false]);
  assert.equal(await gus.again({ password: "open sesame" }), "200 true");
  await edit({ roomPassword: "" });
  await until("Hal is inside", hal.isIn);
});

test("switching authenticationRequired off lets no waiting guest into a locked meeting before it is unlocked", async (t) => {
  const { code, edit, tenant } = await place({ authenticationRequired: true });
  const gus = await waitAt(t, code, "Gus");
  const lock = (action: string) => tenant.ask("lockRoom", { roomId: "r", action });
  await lock("lock");
  await edit({ authenticationRequired: false });
  assert.equal(await gus.again(), "room_locked");
  assert.deepEqual([await waitingIn(tenant), gus.isIn()], [["Gus"], false]);
  await edit({ roomPassword: "open sesame" });
  assert.equal(await gus.again({ password: "open sesame" }), "room_locked");
  assert.equal(gus.isAsked(), false, "the password would not help");
  await lock("unlock");
  await until("the password is asked for", gus.isAsked);
  await edit({ roomPassword: "" });
  await until("Gus is inside", gus.isIn);
});

test("a waiting guest keeps a meeting open only until it has begun", async (t) => {
  const { code, asAdmin, tenant } = await place({ authenticationRequired: true });
  const { guest } = await waitAt(t, code, "Gus");
  const host = await enter(t, { url, ask: asAdmin }, "r");
  await open("leaveRoom", { ticket: host.ticket, mayReturn: true });
  assert.deepEqual(await waitingIn(tenant), ["Gus"], "the host may return");
  const back = await enter(t, { url, ask: asAdmin }, "r");
  await back.sees("who waits", ({ waiting }) => waiting.length === 1);
  assert.equal(await back.do("leave"), "ok");
  await until("Gus gets the end", () => guest.ended !== undefined);
  const { ended } = guest;
  assert.deepEqual(
    [ended?.reason, ended?.code, ended?.message],
    ["closed", "everybody_left", "Everybody has left the meeting."],
  );
  const { meetings } = (await tenant.ask("listMeetings", { roomId: "r" })).body;
  assert.deepEqual([meetings.length, meetings[0].endedAt === null], [1, false]);
  const later = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.equal(later.status, 202, "the host was alone inside, so the link lives");
});

test("switching authenticationRequired off admits waiting guests while seats last, and answers the room as it is then", async (t) => {
  const { code, edit, tenant } = await place({ authenticationRequired: true, noOfParticipants: 1 });
  const waiting = await Promise.all(
    ["A", "B"].map((peerName) => enter(t, { url, ask: open }, code, { peerName })),
  );
  const edited = await edit({ authenticationRequired: false });
  assert.equal(edited.body.roomSetting.roomStatus, "busy");
  const ifMatch = { "if-match": edited.headers.get("etag") ?? "" };
  const changes = { room: "r", roomOwnerId: tenant.admin.id, roomAgenda: "New" };
  assert.equal((await tenant.ask("editRoom", changes, ifMatch)).status, 200);
  await until("one is inside", () => waiting.filter(({ view }) => view !== undefined).length === 1);
});

test("a moderator who admits everybody admits as many as there are seats, and reads where there are none", async (t) => {
  const { code, asAdmin } = await place({ authenticationRequired: true, noOfParticipants: 2 });
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const waiting = await Promise.all(
    ["A", "B", "C"].map((peerName) => enter(t, { url, ask: open }, code, { peerName })),
  );
  await moderator.sees("all who wait", (view) => view.waiting.length === 3);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "ok");
  await until(
    "two are inside",
    () => waiting.filter(({ view }) => view !== undefined).length === 2,
  );
  await moderator.sees("one waits on", (view) => view.waiting.length === 1);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "seats_full");
});

/** Admits everybody who waits in a room with five places. @returns the admitted people, and the number of queries */
const admitMany = async (waiting: number) => {
  const { code, tenant } = await place({ authenticationRequired: true, noOfParticipants: 5 });
  const { body } = await open("joinRoom", { roomId: code, peerName: "0" });
  const { database } = world;
  const seats = () => database.read.selectFrom("seats").where("organization_id", "=", tenant.id);
  const first = await seats().selectAll().executeTakeFirstOrThrow();
  const others = Array.from({ length: waiting - 1 }, (_, n) => {
    const [id, peer_name] = [`${body.peer.peerId}-${100 + n}`, String(n + 1)];
    return { ...first, id, person: `guest:${id}`, peer_name, ticket_digest: id };
  });
  await database.change((tx) => tx.insertInto("seats").values(others).execute());
  let queries = 0;
  const counts: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await tenant.change((change) =>
    admitAll({ ...change, tx: change.tx.withPlugin(counts) }, first.meeting_id),
  );
  const entering = await seats().select("peer_name").where("state", "=", "claimed").execute();
  return { queries, names: entering.map(({ peer_name }) => Number(peer_name)).toSorted() };
};

test("all waiting guests are admitted at once, longest wait first, up to the limit, in as many queries as a few", async () => {
  const few = await admitMany(6);
  assert.deepEqual(few.names, [0, 1, 2, 3, 4]);
  assert.deepEqual(await admitMany(60), few);
});
