import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { knowsNobodyAtTheDoor } from "../twins/callers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { enter, openSocket } from "./inside.ts";
import { enterInvited, invite } from "./invited.ts";
import { newPlace } from "./place.ts";

const world = await startWorld(test);
const { url, open } = world;
const place = (settings?: object) => newPlace(world, settings);

test("owners and administrators enter as moderators, others in the room's usual role, by their names", async () => {
  const { tenant, member, code, asMember, asAdmin } = await place();
  const owner = await tenant.addPerson("owner@example.org", { name: "Olga Owner" });
  const owned = { name: "O", room: "o", roomOwnerId: owner.id };
  assert.equal((await tenant.ask("createRoom", owned)).status, 201);
  const entered = async (ask: typeof open, roomId: string, more: object = {}) => {
    const { status, body } = await ask("joinRoom", { roomId, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return [body.peer.peerName, body.peer.peerType, body.waiting];
  };
  assert.deepEqual(await entered(asAdmin, "r"), [tenant.admin.name, "moderator", false]);
  assert.deepEqual(await entered(asMember, "r"), [member.name, "participant", false]);
  const asOwner = askAs(url, await tenant.tokenOf(owner.id));
  assert.deepEqual(await entered(asOwner, "o"), ["Olga Owner", "moderator", false]);
  assert.deepEqual(await entered(tenant.ask, "r", { peerName: "App" }), [
    "App",
    "moderator",
    false,
  ]);
  assert.deepEqual(await entered(open, code, { peerName: "Gus" }), ["Gus", "participant", false]);
  const unnamed = await open("joinRoom", { roomId: code });
  assert.deepEqual(saidIn(unnamed.body.errors), [
    { field: "peerName", message: "peerName is required." },
  ]);
});

test("nobody takes a higher role than their own, and everybody may take a lower one", async () => {
  const { code, asMember, asAdmin, tenant } = await place({ participantType: "viewer" });
  const role = async (ask: typeof open, roomId: string, peerType?: string) => {
    const { body } = await ask("joinRoom", {
      roomId,
      peerName: "X",
      ...(peerType && { peerType }),
    });
    return body.peer?.peerType ?? body.code;
  };
  assert.equal(await role(open, code), "viewer");
  assert.equal(await role(open, code, "participant"), "role_not_allowed");
  assert.equal(await role(asMember, "r", "moderator"), "role_not_allowed");
  assert.equal(await role(asAdmin, "r", "participant"), "participant");
  const sessionToken = await invite(tenant, "r", "Ina", "participant");
  const higher = { roomId: "r", sessionToken, peerType: "moderator" };
  assert.equal((await open("joinRoom", higher)).body.code, "role_not_allowed");
});

test("a guest who returns with the cookie gets the same seat, and others do not", async () => {
  const { code } = await place();
  const first = await open("joinRoom", { roomId: code, peerName: "Gus" });
  const [set = ""] = first.headers.getSetCookie();
  assert.match(set, /^parley_guest=[\w-]{43};/);
  assert.match(set, /HttpOnly/);
  assert.match(set, /SameSite=Strict/);
  const headers = { cookie: cookieOf(first) };
  const again = await open("joinRoom", { roomId: code, peerName: "Gus" }, headers);
  assert.equal(again.body.peer.peerId, first.body.peer.peerId);
  assert.notEqual(again.body.ticket, first.body.ticket);
  const other = await open("joinRoom", { roomId: code, peerName: "Gus" });
  assert.notEqual(other.body.peer.peerId, first.body.peer.peerId);
});

test("the ticket of an earlier join opens nothing after a newer one", async (t) => {
  const { asMember } = await place();
  const first = await asMember("joinRoom", { roomId: "r" });
  const { body } = await asMember("joinRoom", { roomId: "r" });
  const old = await openSocket(t, url, first.body);
  await until("the former ticket is refused", () => old.closed === 4001);
  const current = await openSocket(t, url, body);
  await current.sees("everything", ({ you }) => you.peerId === first.body.peer.peerId);
  const stored = await world.database.read.selectFrom("seats").select("ticket_digest").execute();
  assert.ok(!JSON.stringify(stored).includes(body.ticket), "only a digest is stored");
});

test("guests and members give the password; owners, invited people and those inside do not", async (t) => {
  const { code, asMember, asAdmin, tenant, edit } = await place();
  const inside = await enter(t, { url, ask: asMember }, "r");
  await edit({ roomPassword: "open sesame" });
  const ask = (roomPassword?: string) =>
    open("joinRoom", {
      roomId: code,
      peerName: "G",
      ...(roomPassword && { password: roomPassword }),
    });
  assert.deepEqual((await ask()).body.code, "wrong_room_password");
  assert.deepEqual((await ask("wrong")).body.code, "wrong_room_password");
  assert.equal((await ask("open sesame")).status, 200);
  const again = await asMember("joinRoom", { roomId: "r" });
  assert.equal(
    again.body.peer.peerId,
    inside.peerId,
    "a person who is inside comes back without it",
  );
  assert.equal((await asAdmin("joinRoom", { roomId: "r" })).status, 200);
  await enterInvited(t, url, tenant, "r", "Ina");
  const { body } = await open("fetchInvitation", { roomId: code });
  assert.equal(body.invitation.passwordRequired, true);
});

test("an invited person learns what the link opens for them", async () => {
  const { code, tenant } = await place({
    roomType: "event",
    authenticationRequired: true,
    roomPassword: "open sesame",
  });
  const sessionToken = await invite(tenant, "r", "Ina", "moderator");
  const invitationFor = async (input: object) => {
    const { body } = await open("fetchInvitation", { roomId: code, ...input });
    const { passwordRequired, lobby, peerTypes, peerName } = body.invitation;
    return { passwordRequired, lobby, peerTypes, peerName };
  };
  assert.deepEqual(await invitationFor({}), {
    passwordRequired: true,
    lobby: true,
    peerTypes: ["viewer"],
    peerName: null,
  });
  assert.deepEqual(await invitationFor({ sessionToken }), {
    passwordRequired: false,
    lobby: false,
    peerName: "Ina",
    peerTypes: ["moderator", "participant", "viewer"],
  });
  const ended = await open("fetchInvitation", { roomId: code, sessionToken: "ended" });
  assert.equal(ended.body.code, "link_ended");
});

test("wrong passwords of a room are throttled for their guesser, and a right one resets the count", async () => {
  const { code } = await place({ roomPassword: "open sesame" });
  const ask = (password: string) => open("joinRoom", { roomId: code, peerName: "G", password });
  for (let n = 0; n < 4; n += 1) assert.equal((await ask("wrong")).status, 403);
  assert.equal((await ask("open sesame")).status, 200);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask("wrong")));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0, `${refused.length} of 12 were refused`);
  assert.match(refused[0]?.headers.get("retry-after") ?? "", /^[1-9]/);
});

/** Strangers use up what all of them together may try. */
const strangersGuess = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const { code, edit, asMember } = await newPlace(world, { roomPassword: "open sesame" });
  const enters = async (password: string, ask = world.open, cookie = "") => {
    const asked = { roomId: code, peerName: "G", password };
    const answer = await ask("joinRoom", asked, cookie === "" ? {} : { cookie });
    return { ...answer, result: answer.body.code ?? answer.status };
  };
  const inADay = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const known = cookieOf(await enters("open sesame"));
  assert.equal((await enters("wrong")).result, "wrong_room_password");
  await world.database.change(async (tx) => {
    const used_until = new Date(Date.now() + 3_600_000).toISOString();
    await tx.updateTable("throttles").set({ used_until }).execute();
  });
  assert.equal((await enters("open sesame")).result, "too_many_requests");
  assert.equal((await enters("open sesame", world.open, known)).result, 200);
  const notes = world.database.read.selectFrom("throttles").where("key", "like", "note:%");
  assert.ok(
    (await notes.select("used_until").execute()).some(({ used_until }) => used_until > inADay),
    "from then on it is known again for as long",
  );
  assert.equal((await enters("open sesame", asMember)).result, 200);
  const wrong = await Promise.all(Array.from({ length: 12 }, () => enters("wrong", asMember)));
  assert.ok(
    wrong.some(({ result }) => result === "too_many_requests"),
    "they guess no faster",
  );
  await edit({ roomPassword: "open barley" });
  const { result } = await enters("open barley", world.open, known);
  assert.equal(
    result,
    "too_many_requests",
    "a browser that gave a former password is a stranger's",
  );
};

test("P-PWD-10: strangers who guess a room's password do not keep out the organization's people or browsers that gave it before", (t) =>
  strangersGuess(t));

testTwin("P-PWD-10: a twin that recognizes nobody at the door keeps them out", async (t) => {
  await assert.rejects(strangersGuess(t, knowsNobodyAtTheDoor), {
    actual: "too_many_requests",
    expected: 200,
  });
});

test("a locked meeting keeps newcomers out, but not its people and hosts", async (t) => {
  const { code, asMember, asAdmin, tenant } = await place();
  await enter(t, { url, ask: asMember }, "r");
  await tenant.ask("lockRoom", { roomId: "r", action: "lock" });
  const { status, body } = await open("joinRoom", { roomId: code, peerName: "G" });
  assert.deepEqual([status, body.code], [423, "room_locked"]);
  assert.equal((await asMember("joinRoom", { roomId: "r" })).status, 200);
  assert.equal((await asAdmin("joinRoom", { roomId: "r" })).status, 200);
});

test("a wrong token is refused where anybody may enter, and people without a token are guests", async () => {
  const { code } = await place();
  const wrong = { authorization: "Bearer wrong" };
  const refused = await open("joinRoom", { roomId: code, peerName: "G" }, wrong);
  assert.deepEqual([refused.status, refused.body.code], [401, "unauthorized"]);
  assert.equal((await open("joinRoom", { roomId: code, peerName: "G" })).status, 200);
  assert.equal(
    (await open("joinRoom", { roomId: "r", peerName: "G" })).body.code,
    "room_not_found",
  );
});

test("a seat given back twice and an unknown ticket get the same answer", async () => {
  const { asMember, tenant } = await place();
  const { body } = await asMember("joinRoom", { roomId: "r" });
  const answers = [body.ticket, body.ticket, "unknown"].map((ticket) =>
    open("leaveRoom", { ticket }),
  );
  for (const answer of await Promise.all(answers)) {
    assert.deepEqual([answer.status, answer.body], [200, { success: true }]);
  }
  assert.equal((await tenant.ask("getMeeting", { roomId: "r" })).body.meeting.meetingId, null);
});

test("with simultaneous edits and joins there are never more people inside than seats", async () => {
  const { tenant, edit } = await place({ noOfParticipants: 5 });
  const people = await Promise.all(
    Array.from({ length: 8 }, (_, n) => invite(tenant, "r", `person ${n}`)),
  );
  const join = async (sessionToken: string) =>
    (await open("joinRoom", { roomId: "r", sessionToken })).status;
  const [edited, ...statuses] = await Promise.all([
    edit({ noOfParticipants: 2 }).then(({ status }) => status),
    ...people.map(join),
  ]);
  assert.equal(edited, 200);
  const before = statuses.filter((status) => status === 200).length;
  assert.ok(before >= 2 && before <= 5, `${before} came in`);
  const late = await invite(tenant, "r", "late");
  assert.equal(await join(late), 409, "after the edit there is no seat left");
});
