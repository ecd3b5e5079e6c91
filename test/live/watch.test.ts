import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startRemoving } from "../../server/change/removals.ts";
import { digestOf } from "../../server/lib/digest.ts";
import { streamFolder } from "../../server/live/files.ts";
import { oldInvitations, WATCH_SECONDS } from "../../server/meetings/doors/invitations.ts";
import { enter, openSocket } from "../meetings/inside.ts";
import { invite } from "../meetings/invited.ts";
import { newPlace } from "../meetings/place.ts";
import { runElsewhere } from "../meetings/run-elsewhere.ts";
import { deleteForGood } from "../races/former.ts";
import { type Ask, askAs, cookieOf } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

/*
 * Rights to watch a live stream. The stream itself is a prepared folder: tests with a browser cover what fills
 * it.
 */

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });
const { url, open } = world;

const part = (n: number) => `#EXTINF:4.000000,\n${n}.m4s`;
const WHOLE = [
  "#EXTM3U",
  "#EXT-X-VERSION:7",
  "#EXT-X-TARGETDURATION:4",
  "#EXT-X-MEDIA-SEQUENCE:0",
  "#EXT-X-PLAYLIST-TYPE:EVENT",
  '#EXT-X-MAP:URI="init.mp4"',
  ...Array.from({ length: 9 }, (_, n) => part(n)),
  "",
].join("\n");

/** A room whose meeting is streamed, with a moderator inside. */
const streamed = async (t: Parameters<typeof enter>[0], settings: object = {}) => {
  const place = await newPlace(world, { enableLiveStreaming: true, ...settings });
  const moderator = await enter(t, { url, ask: place.asAdmin }, "r");
  const meetingId = moderator.view?.meeting.meetingId ?? "";
  const id = `run-${place.tenant.id}`;
  await place.tenant.change((change) =>
    runElsewhere(change, meetingId, { id, topic: "stream", kind: "hls" }),
  );
  const folder = streamFolder(world.config.dataDir, id);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.m3u8"), WHOLE);
  await writeFile(join(folder, "8.m4s"), "eight");
  return { ...place, moderator, id };
};

const watch = async (ask: Ask, input: object, headers: Record<string, string> = {}) => {
  const { status, body, headers: answered } = await ask("watchStream", input as never, headers);
  const cookies = answered.getSetCookie();
  const cookie = (name: string) =>
    cookies.find((one) => one.startsWith(`${name}=`))?.split(";")[0] ?? "";
  return { status, body, cookies, pass: cookie("parley_watch"), guest: cookie("parley_guest") };
};

const load = (path: string, cookie: string) =>
  fetch(`${url}${path}`, { headers: cookie === "" ? {} : { cookie } });

/** The status of a playlist, and the code where it is refused. */
const loaded = async ({ body, pass }: Awaited<ReturnType<typeof watch>>) => {
  const answer = await load(body.playlist, pass);
  return [answer.status, /"code":"(\w+)"/.exec(await answer.text())?.[1]];
};

test("the cookie alone loads a stream, and only its newest parts", async (t) => {
  const { code, id, moderator } = await streamed(t);
  assert.equal(moderator.view?.allowed.stream, true);
  const { status, body, cookies, pass } = await watch(open, { roomId: code, peerName: "Gus" });
  assert.deepEqual([status, body.roomName], [200, "R"]);
  assert.equal(body.playlist, `/api/liveStream/media/${id}/index.m3u8`);
  const set = cookies.find((one) => one.startsWith("parley_watch="));
  assert.match(
    set ?? "",
    new RegExp(`Path=/api/liveStream/media/${id};.*HttpOnly; SameSite=Strict`),
  );

  const playlist = await load(body.playlist, pass);
  assert.equal(playlist.status, 200);
  const text = await playlist.text();
  assert.match(text, /#EXT-X-MEDIA-SEQUENCE:3\n#EXTINF:4\.000000,\n3\.m4s/);
  assert.doesNotMatch(text, /EVENT|\n2\.m4s/);
  const eight = await load(body.playlist.replace("index.m3u8", "8.m4s"), pass);
  assert.deepEqual([eight.status, await eight.text()], [200, "eight"]);

  for (const foreign of ["x", "v1.a.b", pass.slice("parley_watch=".length, -6)]) {
    for (const both of [`parley_watch=${foreign}; ${pass}`, `${pass}; parley_watch=${foreign}`]) {
      assert.equal((await load(body.playlist, both)).status, 200, both);
    }
  }

  const other = await streamed(t);
  const foreign = `/api/liveStream/media/${other.id}/index.m3u8`;
  for (const [path, cookie] of [
    [body.playlist, ""],
    [body.playlist, `${pass.slice(0, -6)}AAAAAA`],
    [body.playlist, "parley_watch=v1.a.b"],
    [foreign, pass],
    [body.playlist.replace("index.m3u8", "7.m4s"), pass],
    [body.playlist.replace("index.m3u8", "..%2F..%2Fparley.db"), pass],
  ] as const) {
    assert.equal((await load(path, cookie)).status, 404, path);
  }
});

test("a growing playlist is served in its current state, and read once for any number of viewers", async (t) => {
  const { code, id } = await streamed(t);
  const { body, pass } = await watch(open, { roomId: code, peerName: "Gus" });
  const path = join(streamFolder(world.config.dataDir, id), "index.m3u8");
  const write = async (text: string, seconds: number): Promise<string> => {
    await writeFile(path, text);
    await utimes(path, seconds, seconds);
    return (await load(body.playlist, pass)).text();
  };
  const first = await write(WHOLE, 1000);
  // Another playlist with the same size and time: it would appear only if the file were read again.
  assert.equal(await write(WHOLE.replace("8.m4s", "X.m4s"), 1000), first);
  assert.match(await write(`${WHOLE}${part(9)}\n`, 1004), /\n9\.m4s\n$/);
  await rm(path);
  assert.equal((await load(body.playlist, pass)).status, 404);
  assert.equal(await write(WHOLE, 1004), first);
});

test("the cookie of a deleted account loads nothing for an account that gets its ID", async (t) => {
  const { tenant } = await streamed(t);
  const add = () => tenant.addPerson("again@example.org", { id: "again" });
  await add();
  const watched = await watch(askAs(url, await tenant.tokenOf("again")), { roomId: "r" });
  assert.deepEqual(await loaded(watched), [200, undefined]);
  await deleteForGood({ database: world.database, ask: tenant.ask }, "again");
  await add();
  assert.deepEqual(await loaded(watched), [401, "unauthorized"]);
});

test("the rules for entering apply to people who watch", async (t) => {
  const empty = await newPlace(world, { enableLiveStreaming: true });
  const none = await watch(open, { roomId: empty.code });
  assert.deepEqual([none.status, none.body.code], [404, "no_live_stream"]);

  const secret = await streamed(t, { roomPassword: "tea time" });
  const refused = await watch(open, { roomId: secret.code, password: "coffee time" });
  assert.deepEqual([refused.status, refused.body.code], [403, "wrong_room_password"]);
  const { body, pass, guest } = await watch(open, { roomId: secret.code, password: "tea time" });
  assert.equal((await load(body.playlist, pass)).status, 200);
  await secret.edit({ roomPassword: "another" });
  assert.equal((await load(body.playlist, pass)).status, 403);
  const again = await watch(open, { roomId: secret.code, password: "another" }, { cookie: guest });
  assert.equal((await load(body.playlist, again.pass)).status, 200);

  // A person excluded from the room is excluded from the stream too, even while watching.
  const gus = await open(
    "joinRoom",
    { roomId: secret.code, peerName: "Gus", password: "another" },
    { cookie: guest },
  );
  const { peerId } = gus.body.peer;
  assert.equal(await secret.moderator.do("removePeer", { peerId, ban: "meeting" }), "ok");
  assert.deepEqual(await loaded(again), [403, "banned"]);
  const back = await watch(open, { roomId: secret.code, password: "another" }, { cookie: guest });
  assert.equal(back.body.code, "banned");

  await secret.moderator.do("lockRoom", { action: "lock" });
  const late = await watch(open, { roomId: secret.code, password: "another" });
  assert.deepEqual([late.status, late.body.code], [423, "room_locked"]);

  const closed = await streamed(t, { authenticationRequired: true });
  const outside = await watch(open, { roomId: closed.code });
  assert.deepEqual([outside.status, outside.body.code], [403, "must_be_admitted"]);
  const joined = await open("joinRoom", { roomId: closed.code, peerName: "Hal" });
  const cookie = cookieOf(joined);
  const hal = await openSocket(t, url, { ...joined.body, peerId: joined.body.peer.peerId });
  await until("Hal knows of the stream", () =>
    hal.messages.some((message) => message.type === "lobby" && message.streaming),
  );
  assert.equal((await watch(closed.asMember, { roomId: closed.code })).status, 200);

  // An admitted person watches as long as nobody would have to admit them again.
  const { peerId: waits } = hal;
  assert.equal(await closed.moderator.do("allowRoomJoin", { requesterPeerId: waits }), "ok");
  const admitted = await watch(open, { roomId: closed.code }, { cookie });
  assert.deepEqual(await loaded(admitted), [200, undefined]);
  assert.equal(await closed.moderator.do("removePeer", { peerId: waits }), "ok");
  assert.deepEqual(await loaded(admitted), [403, "must_be_admitted"]);
});

test("a lock and a new link stop the stream for people without a seat, an exclusion for people inside, and nothing for hosts", async (t) => {
  const { code, tenant, asMember, asAdmin, moderator } = await streamed(t);
  const ann = await open("joinRoom", { roomId: code, peerName: "Ann" });
  const inside = await openSocket(t, url, { ...ann.body, peerId: ann.body.peer.peerId });
  await inside.sees("everything", () => true);
  const passes = {
    guest: await watch(open, { roomId: code }),
    member: await watch(asMember, { roomId: "r" }),
    host: await watch(asAdmin, { roomId: code }),
    inside: await watch(open, { roomId: code }, { cookie: cookieOf(ann) }),
  };
  const watching = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(passes).map(async ([who, pass]) => [who, (await loaded(pass))[1] ?? "ok"]),
      ),
    );
  const all = { guest: "ok", member: "ok", host: "ok", inside: "ok" };
  assert.deepEqual(await watching(), all);
  await moderator.do("lockRoom", { action: "lock" });
  assert.deepEqual(await watching(), { ...all, guest: "room_locked", member: "room_locked" });
  await moderator.do("lockRoom", { action: "unlock" });
  assert.deepEqual(await watching(), all);
  await tenant.ask("getRoomLink", { roomId: "r", renew: true });
  assert.deepEqual(await watching(), { ...all, guest: "link_ended" });
  assert.equal((await open("leaveRoom", { ticket: ann.body.ticket })).status, 200);
  assert.deepEqual(await watching(), { ...all, guest: "link_ended", inside: "link_ended" });
  const banned = { peerId: inside.peerId, ban: "always" } as const;
  assert.equal(await moderator.do("removePeer", banned), "ok");
  assert.deepEqual(await watching(), { ...all, guest: "link_ended", inside: "banned" });
});

test("a former owner, administrator or access key watches by the rules for everybody", async (t) => {
  const { tenant, member, asMember, asAdmin, code, edit, moderator } = await streamed(t);
  const ruled = `${tenant.admin.id},${member.id}`;
  await edit({ roomOwnerId: ruled });
  const owner = await enter(t, { url, ask: asMember }, "r");
  const passes = {
    owner: await watch(asMember, { roomId: code }),
    key: await watch(tenant.ask, { roomId: code }),
    admin: await watch(asAdmin, { roomId: code }),
  };
  const out = { peerId: owner.peerId, ban: "always" } as const;
  assert.equal(await moderator.do("removePeer", out), "ok");
  for (const pass of Object.values(passes)) assert.deepEqual(await loaded(pass), [200, undefined]);
  await edit({ roomOwnerId: tenant.admin.id });
  assert.deepEqual(await loaded(passes.owner), [403, "banned"]);
  const { accessKey } = tenant.accessKey;
  assert.equal((await asAdmin("removeAccessKey", { id: accessKey })).status, 200);
  assert.deepEqual(await loaded(passes.key), [401, "unauthorized"]);
  assert.deepEqual(await loaded(passes.admin), [200, undefined]);
});

test("an invited person can watch until the invitation is revoked, even after it no longer admits anybody", async (t) => {
  const { tenant, id } = await streamed(t);
  const [ina, bob] = [await invite(tenant, "r", "Ina"), await invite(tenant, "r", "Bob")];
  const passOf = async (sessionToken: string) =>
    (await watch(open, { roomId: "r", sessionToken })).pass;
  const passes = { ina: await passOf(ina), bob: await passOf(bob) };
  const path = `/api/liveStream/media/${id}/index.m3u8`;
  await tenant.change(async ({ tx }) => {
    const expires_at = new Date(Date.now() - 1000).toISOString();
    await tx.updateTable("invitations").set({ expires_at }).execute();
  });
  const old = digestOf(await invite(tenant, "r", "Cy"));
  await tenant.change(async ({ tx }) => {
    const expires_at = new Date(Date.now() - (WATCH_SECONDS + 3600) * 1000).toISOString();
    await tx.updateTable("invitations").set({ expires_at }).where("digest", "=", old).execute();
  });
  await startRemoving(world.database, [oldInvitations], assert.ifError).stop();
  const kept = await world.database.read.selectFrom("invitations").select("digest").execute();
  assert.ok(!kept.some(({ digest }) => digest === old), "nobody can watch with it any more");
  assert.equal((await watch(open, { roomId: "r", sessionToken: ina })).body.code, "link_ended");
  for (const pass of Object.values(passes)) assert.equal((await load(path, pass)).status, 200);
  const { accessKey, secretAccessKey } = tenant.accessKey;
  const revoked = { accessKey, secretAccessKey, roomId: "r", peerId: "Ina" };
  assert.equal((await open("revokeSessionToken", revoked)).status, 200);
  assert.equal((await load(path, passes.ina)).status, 410);
  assert.equal((await load(path, passes.bob)).status, 200);
  const key = { id: accessKey };
  const asAdmin = askAs(url, await tenant.tokenOf(tenant.admin.id));
  assert.equal((await asAdmin("removeAccessKey", key)).status, 200);
  assert.equal((await load(path, passes.bob)).status, 410);
});

test("watching ends when the account has a new password, is suspended, or the stream ends", async (t) => {
  const { asMember, member, tenant, code, id } = await streamed(t);
  const former = await watch(asMember, { roomId: code });
  assert.deepEqual(await loaded(former), [200, undefined]);
  assert.equal((await tenant.ask("resetPassword", { userId: member.id })).status, 200);
  assert.deepEqual(await loaded(former), [401, "unauthorized"]);
  const again = askAs(url, await tenant.tokenOf(member.id));
  const { body, pass } = await watch(again, { roomId: code });
  assert.equal((await load(body.playlist, pass)).status, 200);
  await tenant.ask("suspendRestoreUser", { userId: member.id, action: "suspend" });
  assert.equal((await load(body.playlist, pass)).status, 401);
  // Restored people enter again.
  await tenant.ask("suspendRestoreUser", { userId: member.id, action: "restore" });
  assert.equal((await load(body.playlist, pass)).status, 401);
  const other = await watch(open, { roomId: code });
  assert.equal((await load(body.playlist, other.pass)).status, 200);
  await tenant.change(async ({ tx, now }) => {
    await tx.updateTable("runs").set({ ended_at: now }).where("id", "=", id).execute();
  });
  assert.equal((await load(body.playlist, other.pass)).status, 404);
});
