// Runs: sqlite

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { Room } from "../../contract/rooms/record.ts";
import type { MeetingRow } from "../../server/db/meeting-tables.ts";
import { toPermission, toVideoGrant } from "../../server/media/grants.ts";
import { iceServers } from "../../server/media/turn.ts";
import { grantOf, without } from "../../server/meetings/engine/rights.ts";

const room = {
  roomType: "conferencing",
  audioStatus: true,
  videoStatus: true,
  enableScreenSharing: true,
  enablePresenters: true,
} as Room;
const participant = { id: "p", role: "participant" } as const;
const viewer = { id: "v", role: "viewer" } as const;
const of = (
  changed: Partial<Room>,
  seat: { readonly id: string; readonly role: "participant" | "viewer" } = participant,
  presenter: string | null = null,
) => grantOf({ room: { ...room, ...changed }, meeting: { presenter } as MeetingRow }, seat);

test("a room without audio, video or screens gives nobody the source", () => {
  assert.deepEqual(of({}).publish, ["microphone", "camera", "screen_share", "screen_share_audio"]);
  assert.ok(!of({ audioStatus: false }).publish.includes("microphone"));
  assert.ok(!of({ videoStatus: false }).publish.includes("camera"));
  assert.deepEqual(of({ enableScreenSharing: false }).publish, ["microphone", "camera"]);
});

test("without presenters only the current presenter may share a screen", () => {
  const one = { enablePresenters: false };
  assert.ok(!of(one).publish.includes("screen_share"));
  assert.ok(!of(one, participant, "somebody else").publish.includes("screen_share"));
  assert.ok(of(one, participant, "p").publish.includes("screen_share"));
});

test("viewers publish nothing, and those of an event are in no list", () => {
  assert.deepEqual(of({}, viewer).publish, []);
  assert.equal(of({}, viewer).hidden, false);
  assert.equal(of({ roomType: "event" }, viewer).hidden, true);
});

test("nobody without a source may publish: LiveKit reads an empty list as all sources", () => {
  const grant = of({}, viewer);
  assert.equal(toVideoGrant("meeting", grant).canPublish, false);
  assert.equal(toPermission(grant).can_publish, false);
});

test("a person muted by a moderator keeps all other sources", () => {
  assert.deepEqual(without(of({}), ["audio"]).publish, [
    "camera",
    "screen_share",
    "screen_share_audio",
  ]);
});

test("an update is as complete as a token, because it replaces all of it", () => {
  const grant = of({});
  const { room: _, roomJoin: __, ...token } = toVideoGrant("meeting", grant);
  assert.equal(Object.keys(toPermission(grant)).length, Object.keys(token).length);
  for (const open of [token.canPublishData, toPermission(grant).can_publish_data]) {
    assert.equal(open, false);
  }
});

test("only configured STUN and TURN servers are used", () => {
  assert.deepEqual(iceServers({ stunUrls: [], turnUrls: [], turnSecret: undefined }, "s1"), []);
});

test("TURN credentials are those that coturn computes from the shared secret", () => {
  const turnUrls = ["turn:turn.example.org:3478"];
  const [server] = iceServers({ stunUrls: [], turnUrls, turnSecret: "shared secret" }, "s1", 0);
  assert.equal(server?.username, "86400:s1");
  const password = createHmac("sha1", "shared secret").update("86400:s1").digest("base64");
  assert.equal(server?.credential, password);
});
