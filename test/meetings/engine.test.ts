// Runs: postgres-first, waits, first
// Needs: media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { AddTrackRequest, TrackSource, TrackType } from "@livekit/protocol";
import { WebSocket } from "ws";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { deleteOrganization } from "../../server/organizations/delete.ts";
import { assertLimited } from "../access/tries.ts";
import type { Client } from "../media/gate.ts";
import { joinRequest, request } from "../media/messages.ts";
import { noEngine } from "../run/engine.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";
import {
  begin,
  connectMedia,
  meetingOf,
  sourcesOf,
  startEngineOfFile,
  tryMedia,
  validate,
} from "./engine.ts";
import type { Somebody } from "./inside.ts";
import { newPlace } from "./place.ts";
import { connectSdk } from "./sdk.ts";

const { skip, engine, shared } = await startEngineOfFile();
const world = noEngine
  ? undefined
  : await startWorld(test, { environment: engine?.environment ?? {} });

const mayMicrophone = (client: Client, { peerId }: Somebody): boolean =>
  sourcesOf(client, peerId)?.includes(TrackSource.MICROPHONE) === true;

test("joining returns the way to the engine, and the ticket admits the seat", skip, async (t) => {
  const { url, code, guest } = await begin(world);
  const { body } = await (world as World).open("joinRoom", { roomId: code, peerName: "Ann" });
  assert.deepEqual(body.media, { type: "livekit", url: `${url}/api/meeting`, iceServers: [] });
  const ben = await guest(t, "Ben");
  const client = await connectMedia(url, ben.ticket);
  const { participant } = await client.next("join");
  assert.equal(participant?.identity, ben.peerId);
  assert.deepEqual([...(await shared().inside(meetingOf(ben)))], [ben.peerId]);
  client.socket.close();
});

test(
  "a ticket opens media on a process without other connections, and a removal closes them",
  skip,
  async (t) => {
    const { guest, moderator } = await begin(world);
    const other = await (world as World).second();
    const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
    const client = await connectMedia(other, ann.ticket);
    await client.next("join");
    assert.equal(await mod.do("removePeer", { peerId: ann.peerId }), "ok");
    await client.closed;
  },
);

test("a person inside without a connection to the engine is listed as such", skip, async (t) => {
  const { url, guest, moderator, tenant } = await begin(world);
  const mod = await moderator(t);
  const ann = await guest(t, "Ann");
  const states = async () => {
    const { peers } = (await tenant.ask("getMeeting", { roomId: "r" })).body.meeting;
    return Object.fromEntries(
      peers.map((one: { readonly peerId: string; readonly mediaConnected: boolean }) => [
        one.peerId === ann.peerId ? "Ann" : "moderator",
        one.mediaConnected,
      ]),
    );
  };
  assert.deepEqual(await states(), { moderator: false, Ann: false });
  // She signals, and never answers for her media, as behind a firewall that lets no media through.
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const there = await shared().inside(meetingOf(ann));
  assert.ok(there.has(ann.peerId), "the engine knows her");
  assert.deepEqual(await states(), { moderator: false, Ann: false });
  client.socket.close();
  await client.closed;

  const whole = await connectSdk(t, url, ann.ticket);
  await until("she is listed with it", async () => (await states()).Ann === true);
  assert.equal((await states()).moderator, false);
  await whole.disconnect();
  await until("she is listed without it", async () => (await states()).Ann === false);
  assert.equal(mod.closed, undefined, "the meeting goes on");
});

test("unknown tickets and those of waiting people are refused", skip, async (t) => {
  const { url, guest, moderator } = await begin(world, { authenticationRequired: true });
  const mod = await moderator(t);
  const waiting = await guest(t, "Ann");
  for (const ticket of ["nobody's", waiting.ticket]) {
    assert.equal(await tryMedia(url, ticket), 403);
    assert.equal(await validate(url, ticket), 403);
  }
  assert.equal(await validate(url, mod.ticket), 200);
  assert.equal(await mod.do("allowRoomJoin", { requesterPeerId: waiting.peerId }), "ok");
  await until("the ticket is good", async () => (await validate(url, waiting.ticket)) === 200);
});

test("checks of a ticket count for their address", skip, async (t) => {
  const { environment } = shared();
  const limited = await startWorld(t, { environment: { ...environment, RATE_LIMIT: "10" } });
  await assertLimited(403, async () => ({ status: await validate(limited.url, "nobody's") }));
});

test("a removed person is out of the engine, and their ticket opens nothing", skip, async (t) => {
  const { url, guest, moderator } = await begin(world);
  const mod = await moderator(t);
  const ann = await guest(t, "Ann");
  const [seen, client] = [await connectMedia(url, mod.ticket), await connectMedia(url, ann.ticket)];
  await client.next("join");
  assert.equal(await mod.do("removePeer", { peerId: ann.peerId }), "ok");
  await client.closed;
  assert.equal(await tryMedia(url, ann.ticket), 403);
  assert.equal(await validate(url, ann.ticket), 403);
  const meetingId = meetingOf(mod);
  await until("only the moderator is there", async () => {
    const inside = await shared().inside(meetingId);
    return inside.size === 1 && inside.has(mod.peerId);
  });
  assert.equal(seen.socket.readyState, WebSocket.OPEN);
});

test("an edit of the room takes a source away from people inside", skip, async (t) => {
  const { url, guest, edit } = await begin(world);
  const ann = await guest(t, "Ann");
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const add = (cid: string) =>
    client.socket.send(
      request({
        case: "addTrack",
        value: new AddTrackRequest({
          cid,
          source: TrackSource.MICROPHONE,
          type: TrackType.AUDIO,
        }),
      }),
    );
  add("before");
  assert.equal((await client.next("trackPublished")).cid, "before");
  assert.equal((await edit({ audioStatus: false })).status, 200);
  await until("the grant is gone", () => !mayMicrophone(client, ann));
  add("after");
  const { request: refused } = await client.next("requestResponse");
  assert.equal(refused.case === "addTrack" && refused.value.cid, "after");
  assert.equal((await edit({ audioStatus: true })).status, 200);
  await until("the grant is back", () => mayMicrophone(client, ann));
});

test("a person muted by a moderator loses the source, and can get it back", skip, async (t) => {
  const { url, guest, moderator } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  assert.ok(mayMicrophone(client, ann));
  const told = client.messages.length;
  assert.equal(await mod.do("mutePeer", { peerId: ann.peerId, type: "audio" }), "ok");
  const sinceThen = () => ({ ...client, messages: client.messages.slice(told) });
  await until("the source was taken", () =>
    sinceThen().messages.some(
      (message) =>
        message.case === "update" &&
        message.value.participants.some(
          ({ permission }) =>
            permission?.canPublishSources.includes(TrackSource.MICROPHONE) === false,
        ),
    ),
  );
  await until("the source is back", () => mayMicrophone(sinceThen(), ann));
});

/** The IDs of all people in the messages to a client. */
const told = ({ messages }: Client): string =>
  JSON.stringify(messages, (_, value) => (typeof value === "bigint" ? String(value) : value));

test("with participantPrivacy a client gets no ID of another participant", skip, async (t) => {
  const { url, guest, moderator, edit } = await begin(world, { participantPrivacy: true });
  const [mod, ann, bob] = [await moderator(t), await guest(t, "Ann"), await guest(t, "Bob")];
  const [modsMedia, annsMedia, bobsMedia] = [
    await connectMedia(url, mod.ticket),
    await connectMedia(url, ann.ticket),
    await connectMedia(url, bob.ticket),
  ];
  await until("the moderator's client knows both", () =>
    [ann, bob].every(({ peerId }) => told(modsMedia).includes(peerId)),
  );
  await until("both clients know the moderator", () =>
    [annsMedia, bobsMedia].every((client) => told(client).includes(mod.peerId)),
  );
  // Nothing goes from page to page, where the engine carries what a room allows.
  assert.equal(await ann.do("signal", { to: mod.peerId, data: "offer" }), "not_in_this_room");
  assert.ok(!told(annsMedia).includes(bob.peerId));
  assert.ok(!told(bobsMedia).includes(ann.peerId));
  assert.equal((await edit({ participantPrivacy: false })).status, 200);
  // Only the engine knows who is there: both are cut, and come back with their tickets.
  await annsMedia.closed;
  await bobsMedia.closed;
  const again = await connectMedia(url, ann.ticket);
  await connectMedia(url, bob.ticket);
  await until("it is told", () => told(again).includes(bob.peerId));
});

test("while the engine is unavailable joins are refused, except in p2p rooms", skip, async (t) => {
  const away = await startWorld(t, {
    environment: {
      ...shared().environment,
      LIVEKIT_URL: `http://127.0.0.1:${await freePort()}`,
    },
  });
  const { asAdmin, tenant } = await newPlace(away);
  const { status, body } = await asAdmin("joinRoom", { roomId: "r" });
  assert.deepEqual([status, body.code], [503, "media_unavailable"]);
  const two = { name: "Two", room: "two", roomType: "p2p", noOfModerators: 1, noOfParticipants: 1 };
  const made = await tenant.ask("createRoom", { ...two, roomOwnerId: tenant.admin.id });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal((await asAdmin("joinRoom", { roomId: "two" })).status, 200);
});

test("a person in the engine without a seat is removed", skip, async (t) => {
  const { url, guest } = await begin(world);
  const ann = await guest(t, "Ann");
  const client = await connectMedia(url, ann.ticket);
  await client.next("join");
  const grant = { publish: [], subscribe: true, hidden: false, recorder: false };
  const meetingId = meetingOf(ann);
  const stray = writeJoinRequest(joinRequest());
  for (const meeting of [meetingId, "a meeting of nobody"]) {
    const socket = await shared().engine.connect(meeting, "stray", grant, stray);
    t.after(() => socket.terminate());
    socket.resume();
  }
  await until("the stray is out", async () => {
    const listed = await shared().engine.list();
    return !listed.has("a meeting of nobody") && listed.get(meetingId)?.has("stray") === false;
  });
  assert.ok((await shared().inside(meetingId)).has(ann.peerId));
});

test(
  "the meetings of a deleted organization end, and the engine lets their people go",
  skip,
  async (t) => {
    const { url, guest, tenant } = await begin(world);
    const ann = await guest(t, "Ann");
    const client = await connectMedia(url, ann.ticket);
    await client.next("join");
    const { database } = world as World;
    await deleteOrganization(openOrganization(database, tenant.id, operator));
    await until("her meeting has ended", () => ann.ended !== undefined);
    // The process may notice the end of the meeting or the missing room first.
    assert.match(ann.ended?.reason ?? "", /^(closed|room_deleted)$/);
    await client.closed;
    assert.equal(await tryMedia(url, ann.ticket), 403);
    await until("the engine is empty", async () => {
      return (await shared().inside(meetingOf(ann))).size === 0;
    });
  },
);
