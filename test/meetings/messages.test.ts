// Runs: sqlite, waits

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { type CommandName, type Commands, commands } from "../../contract/meetings/commands.ts";
import { serverMessages } from "../../contract/meetings/socket.ts";
import { leaveMessages } from "../../server/meetings/seats/messages.ts";
import { writeDown } from "../../server/transcription/write-down.ts";
import { at, type Json, resolved } from "../http/served-document.ts";
import { transcribed } from "../transcription/listen.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { nameOf } from "./as-promised.ts";
import { enter, type Somebody } from "./inside.ts";
import { meetIn } from "./place.ts";

/*
 * Every message of the meeting socket occurs, and fits the AsyncAPI document.
 */

const world = await startWorld(test, { environment: { SPEECH_COMMAND: "true" } });
const document = (await (await fetch(`${world.url}/asyncapi.json`)).json()) as Json;
const payloadOf = (name: string): Json =>
  resolved(document, at(document, `#/components/messages/${name}/payload`)) as Json;
const ajv = new Ajv({ strict: false, validateFormats: false });

test("P-OPS-20: every message of the service occurs and fits the AsyncAPI document, and no others occur", async (t) => {
  const { moderator, guest, tenant, ask, code, url, edit } = await meetIn(world)(t);
  const meetingId = moderator.view?.meeting.meetingId ?? "";
  const ann = await guest("Ann");
  const ben = await guest("Ben");
  const everybody: Somebody[] = [moderator, ann, ben];
  await ann.sees("Ben", ({ peers }) => peers.length === 2);
  assert.equal(await ben.do("media", { audio: true, video: false, share: false }), "ok");
  assert.equal(await ann.do("chat", { text: "Good morning" }), "ok");
  assert.equal(await ann.do("lockRoom", { action: "lock" }), "moderators_only");
  assert.equal(await ann.do("chat", {} as Commands["chat"]), "invalid_input");
  assert.equal(await ben.do("signal", { to: ann.peerId, data: "{}" }), "ok");
  assert.equal(await moderator.do("mutePeer", { peerId: ben.peerId }), "ok");
  assert.equal(await moderator.do("lockRoom", { action: "lock" }), "ok");
  await ann.sees("the lock", ({ meeting }) => meeting.locked);
  assert.equal(await moderator.do("lockRoom", { action: "unlock" }), "ok");
  assert.equal((await edit({ authenticationRequired: true })).status, 200);
  const cleo = await enter(t, { url, ask: world.open }, code, { peerName: "Cleo" });
  everybody.push(cleo);
  await moderator.sees("Cleo waits", ({ waiting }) => waiting.length === 1);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "ok");
  await cleo.sees("the meeting", ({ meeting }) => meeting.meetingId === meetingId);
  assert.equal(await moderator.do("removePeer", { peerId: ben.peerId }), "ok");
  // Messages about recognized speech, and about signals that another process drops.
  await transcribed({ tenant }, meetingId);
  await ann.sees("that it is transcribed", ({ meeting }) => meeting.transcribing);
  const spoken = { seatId: ann.peerId, kept: true, startMs: Date.now(), endMs: Date.now() + 1000 };
  const meeting = { meeting_id: meetingId, organization_id: tenant.id, room_id: "r" };
  const { room_id } = await world.database.read
    .selectFrom("meetings")
    .select("room_id")
    .where("id", "=", meetingId)
    .executeTakeFirstOrThrow();
  await writeDown(world.database, { ...meeting, room_id }, spoken, {
    text: "Let us begin.",
    language: "en",
  });
  const lost = { meetingId, seatId: ann.peerId, message: { type: "signalsLost" } as const };
  await world.database.change((tx) => leaveMessages(tx, [lost]));
  world.database.announcements.announce([meetingId]);
  for (const type of ["captions", "signalsLost"])
    await until(`${type} comes`, () => ann.messages.some((one) => one.type === type));
  await until("Ben is out", () => ben.ended !== undefined);
  assert.equal((await ask("closeRoom", { roomId: "r", message: "Bye" })).status, 200);
  await until("everybody is out", () => everybody.every(({ ended }) => ended !== undefined));

  const isValid = new Map(
    Object.keys(serverMessages).map((name) => [name, ajv.compile(payloadOf(name))]),
  );
  const met = new Set<string>();
  for (const message of everybody.flatMap(({ messages }) => messages)) {
    const name = nameOf(message);
    const fits = isValid.get(name) ?? assert.fail(name);
    assert.ok(fits(message), `${JSON.stringify(fits.errors)} in ${JSON.stringify(message)}`);
    met.add(name);
  }
  assert.deepEqual([...met].sort(), Object.keys(serverMessages).sort());
});

test("P-OPS-20: the service accepts of each command what the document says", () => {
  for (const name of Object.keys(commands) as CommandName[]) {
    const fits = ajv.compile(payloadOf(`do.${name}`));
    const { properties = {}, required = [] } = payloadOf(`do.${name}`) as {
      readonly properties?: Readonly<Record<string, unknown>>;
      readonly required?: readonly string[];
    };
    const own = required.filter((field) => field !== "id" && field !== "do");
    const isBare = own.length === 0;
    assert.equal(fits({ id: 1, do: name }), isBare, name);
    assert.equal(commands[name].safeParse({}).success, isBare, name);
    assert.deepEqual(
      Object.keys(properties).filter((field) => field !== "id" && field !== "do"),
      Object.keys(commands[name].shape),
    );
  }
});
