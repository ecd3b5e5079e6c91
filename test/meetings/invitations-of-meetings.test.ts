// Runs: postgres-first

import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetsHeld, keepsInvitations } from "../twins/invitations.ts";
import { testTwin } from "../twins/test-twin.ts";
import { make } from "../webhooks/made.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { askAs } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { unzip } from "../world/unzip.ts";
import { startWorld, type World } from "../world/world.ts";
import { enter, type Somebody } from "./inside.ts";
import { leave } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

/** A room, invitations into it, and people who enter by them. */
const placeIn = async (here: World, settings: object = {}) => {
  const place = await newPlace(here, settings);
  const { tenant } = place;
  const { open, url } = here;
  const { accessKey, secretAccessKey } = tenant.accessKey;
  const asking = (peerName: string, terms: object = {}) =>
    open("createSessionToken", {
      accessKey,
      secretAccessKey,
      roomId: "r",
      peerName,
      peerId: peerName,
      ...terms,
    });
  const invite = async (peerName: string, terms: object = {}): Promise<string> => {
    const { status, body, text } = await asking(peerName, terms);
    assert.equal(status, 201, text);
    return body.sessionToken;
  };
  const opens = async (sessionToken: string) =>
    (await open("fetchInvitation", { roomId: "r", sessionToken })).body.code ?? "opens";
  const comeIn = (t: Scope, sessionToken: string) =>
    enter(t, { url, ask: open }, "r", { sessionToken });
  /** Two people meet and leave. */
  const meet = async (t: Scope) => {
    const people: Somebody[] = [];
    for (const name of ["One", "Two"]) people.push(await comeIn(t, await invite(name)));
    return async () => {
      for (const one of people) await leave(tenant, one);
    };
  };
  return { ...place, asking, invite, opens, comeIn, meet };
};

test("an invitation until a meeting's end lasts through lone visits and until the date", async (t) => {
  const { tenant, invite, opens, comeIn, meet, edit } = await placeIn(world);
  const early = await invite("Ina", { until: "meeting" });
  await leave(tenant, await comeIn(t, early));
  assert.equal(await opens(early), "opens", "she was alone");
  const end = await meet(t);
  const during = await invite("Ivo", { until: "meeting", expiresIn: 60 });
  const timed = await invite("Tom");
  await end();
  assert.deepEqual(
    [await opens(early), await opens(during), await opens(timed)],
    ["link_ended", "link_ended", "opens"],
  );
  await edit({ scheduledDateTime: "2100-01-01T10:00:00.000Z" });
  const dated = await invite("Dan", { until: "meeting" });
  const endEarly = await meet(t);
  const rehearsal = await invite("Rae", { until: "meeting" });
  await endEarly();
  assert.deepEqual([await opens(dated), await opens(rehearsal)], ["opens", "link_ended"]);
});

test("an invitation without a link opens the room by its own address, and makes no link", async (t) => {
  const { asking, tenant, comeIn } = await placeIn(world);
  const room = { name: "Quiet", room: "quiet", roomOwnerId: tenant.admin.id };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  const { body } = await asking("Ina", { roomId: "quiet", withLink: false });
  const address = new URL(body.joinUrl);
  assert.deepEqual([address.pathname, address.hash], ["/m/quiet", `#${body.sessionToken}`]);
  const links = await world.database.read
    .selectFrom("room_links")
    .innerJoin("rooms", "rooms.id", "room_links.room_id")
    .select("code")
    .where("rooms.room", "=", "quiet")
    .where("rooms.organization_id", "=", tenant.id)
    .execute();
  assert.deepEqual(links, []);
  const { open } = world;
  const bare = await open("joinRoom", { roomId: "quiet", peerName: "Gus" });
  assert.equal(bare.body.code, "room_not_found");
  const joined = await open("joinRoom", { roomId: "quiet", sessionToken: body.sessionToken });
  assert.equal(joined.status, 200);
  const inside = await comeIn(t, (await asking("Ben", { withLink: false })).body.sessionToken);
  assert.equal(inside.view?.you.peerName, "Ben");
});

test("metadata reaches moderators and the organization, and nobody else inside", async (t) => {
  const { asking, invite, comeIn, asAdmin, tenant } = await placeIn(world);
  const receiver = await startReceiver(t);
  await make(asAdmin, receiver.url, ["newPeer"]);
  const metadata = { student: "s-4711", é: [1, { deep: null }] };
  const mo = await comeIn(t, await invite("Mo", { peerType: "moderator" }));
  const ben = await comeIn(t, await invite("Ben"));
  const ina = await comeIn(t, await invite("Ina", { metadata }));
  await mo.sees("Ina", ({ peers }) => peers.length === 2);
  await ben.sees("Ina", ({ peers }) => peers.length === 2);
  const seen = ({ view }: Somebody) =>
    view?.peers.find(({ peerName }) => peerName === "Ina")?.metadata;
  assert.deepEqual([seen(mo), seen(ben)], [metadata, undefined]);
  assert.ok(
    ![...ben.messages, ...ina.messages].some((one) => JSON.stringify(one).includes("4711")),
  );
  const { meeting } = (await asAdmin("getMeeting", { roomId: "r" })).body;
  const given = (list: { peerName: string; metadata?: object }[]) =>
    list.map(({ peerName, metadata: one }) => [peerName, one]).toSorted();
  const expected = [
    ["Ben", undefined],
    ["Ina", metadata],
    ["Mo", undefined],
  ];
  assert.deepEqual(given(meeting.peers), expected);
  const events = await receiver.waitFor(3);
  assert.deepEqual(given(events.map(({ event }) => event.data.peer)), expected);
  for (const one of [ina, ben, mo]) await leave(tenant, one);
  const { meetingId } = meeting;
  const { attendance } = (await asAdmin("getAttendance", { meetingId })).body;
  assert.deepEqual(given(attendance), expected);
  const archive = await fetch(`${world.url}/api/organization/export`, {
    headers: { authorization: `Bearer ${await tenant.tokenOf(tenant.admin.id)}` },
  });
  const files = unzip(Buffer.from(await archive.arrayBuffer()));
  assert.ok([...files.values()].some((file) => file.includes("s-4711")));
  const big = { text: "é".repeat(507) };
  assert.equal(JSON.stringify(big).length, 518);
  assert.equal((await asking("Big", { metadata: big })).body.errors[0].code, "too_many_bytes");
  const fits = { text: "é".repeat(506) };
  assert.equal((await asking("Big", { metadata: fits })).status, 201, "1,023 bytes");
  assert.equal((await asking("Big", { metadata: [1] })).body.errors[0].code, "not_object");
});

/** Of joins at once after the end of the meeting, none is let in. */
const lateJoins = async (t: Scope, here: World): Promise<void> => {
  const { invite, meet } = await placeIn(here);
  const ask = askAs(here.url, undefined);
  const end = await meet(t);
  const late = await Promise.all(["A", "B", "C"].map((name) => invite(name, { until: "meeting" })));
  await end();
  const answers = await Promise.all(
    late.map(async (sessionToken) => (await ask("joinRoom", { roomId: "r", sessionToken })).body),
  );
  assert.deepEqual(
    answers.map(({ code }) => code),
    late.map(() => "link_ended"),
  );
};

test("a join with an invitation whose meeting has ended is refused", (t) => lateJoins(t, world));

testTwin("a twin that keeps invitations after their meeting is detected", async (t) => {
  const twin = await startWorld(t, { twin: keepsInvitations });
  await assert.rejects(lateJoins(t, twin), /link_ended/);
});

/** A person whom an invitation holds before the door waits until a moderator decides, whatever is edited. */
const holds = async (t: Scope, here: World): Promise<void> => {
  const { invite, comeIn, edit, tenant } = await placeIn(here);
  const mo = await comeIn(t, await invite("Mo", { peerType: "moderator" }));
  const held = await invite("Hal", { lobby: true });
  const opened = await here.open("fetchInvitation", { roomId: "r", sessionToken: held });
  assert.equal(opened.body.invitation.lobby, true);
  const hal = await comeIn(t, held);
  await mo.sees("Hal waits", ({ waiting }) => waiting?.length === 1);
  await edit({ name: "Edited" });
  assert.equal(await mo.do("lockRoom", { action: "lock" }), "ok");
  assert.equal(await mo.do("lockRoom", { action: "unlock" }), "ok");
  assert.equal((await here.open("joinRoom", { roomId: "r", sessionToken: held })).status, 202);
  const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
  assert.deepEqual(
    [meeting.peers.length, meeting.waiting.map((one: { peerName: string }) => one.peerName)],
    [1, ["Hal"]],
  );
  const again = await comeIn(t, held);
  assert.equal(await mo.do("allowRoomJoin", { requesterPeerId: hal.peerId }), "ok");
  await again.sees("inside", () => true);
  again.cut();
  // An admitted person returns without asking again.
  const { status } = await here.open("joinRoom", { roomId: "r", sessionToken: held });
  assert.equal(status, 200);
};

test("an invitation may hold its person before the door, which no edit opens", (t) =>
  holds(t, world));

testTwin("a twin that lets in people whom an invitation makes wait is detected", async (t) => {
  const twin = await startWorld(t, { twin: forgetsHeld });
  await assert.rejects(holds(t, twin));
});

test("an invitation may let its person in before a host, also where guests wait for moderators", async () => {
  const { invite, tenant } = await placeIn(world, { authenticationRequired: true });
  assert.equal((await tenant.ask("roomDoor", { roomId: "r", waitsForHost: true })).status, 200);
  const statusOf = async (terms: object) => {
    const sessionToken = await invite(JSON.stringify(terms), terms);
    const { status, body } = await world.open("joinRoom", { roomId: "r", sessionToken });
    assert.equal((await world.open("leaveRoom", { ticket: body.ticket })).status, 200);
    return status;
  };
  assert.deepEqual([await statusOf({}), await statusOf({ lobby: false })], [202, 200]);
});

test("an invitation names where its person goes on, by an address that nobody can read on the way", async () => {
  const { asking, invite } = await placeIn(world);
  const given = async (returnUrl: string) => {
    const { status, body } = await asking("Ann", { returnUrl });
    if (status !== 201) return body.errors[0].code;
    const opened = await world.open("fetchInvitation", {
      roomId: "r",
      sessionToken: body.sessionToken,
    });
    return opened.body.invitation.returnUrl;
  };
  const taken = ["https://school.example.org/done?x=1", "http://127.0.0.1:8080/", "http://[::1]/"];
  for (const address of taken) assert.equal(await given(address), address);
  for (const address of ["http://school.example.org/", "http://127.0.0.1.example.org/"]) {
    assert.equal(await given(address), "not_https_address");
  }
  for (const address of ["javascript:alert(1)", "/done", "https://a:b@school.example.org/"]) {
    assert.equal(await given(address), "not_web_address");
  }
  const plain = await world.open("fetchInvitation", {
    roomId: "r",
    sessionToken: await invite("Ben"),
  });
  assert.ok(!("returnUrl" in plain.body.invitation));
});
