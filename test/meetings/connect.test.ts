// Runs: sqlite, waits

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { WebSocket as Wire } from "ws";
import {
  type ChatMessage,
  connectMeeting,
  createClient,
  type MeetingMessage,
  type MeetingOptions,
  ParleyError,
} from "../../contract/client.ts";
import { root } from "../../packaging/folder.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { meetIn } from "./place.ts";

/*
 * `connectMeeting` of the typed client with a real service.
 */

const world = await startWorld(test);

/** A guest who is connected by the typed client, and the messages of their program. */
const connect = async (
  t: TestContext,
  { baseUrl, code }: { readonly baseUrl: string; readonly code: string },
  peerName: string,
  more: Partial<MeetingOptions> = {},
) => {
  const seat = await createClient({ baseUrl }).joinRoom({ roomId: code, peerName });
  const messages: MeetingMessage[] = [];
  const read: ChatMessage[] = [];
  const states: string[] = [];
  const wires: Wire[] = [];
  let isDown = false;
  class Counted extends Wire {
    constructor(address: string) {
      super(isDown ? "ws://127.0.0.1:9/" : address);
      wires.push(this);
    }
  }
  const meeting = connectMeeting({
    baseUrl,
    ...seat,
    WebSocket: Counted,
    onMessage: (message) => void messages.push(message),
    onChat: (some) => void read.push(...some),
    onState: (state) => void states.push(state),
    ...more,
  });
  t.after(meeting.disconnect);
  return {
    meeting,
    seat,
    messages,
    states,
    wires,
    read: () => read.map(({ text }) => text),
    inside: () => until(`${peerName} is inside`, () => meeting.view !== undefined),
    /** Cuts the connection, as a network does; until the end of `work` no other one opens. */
    cut: async (work: () => Promise<void>): Promise<void> => {
      isDown = true;
      wires.at(-1)?.terminate();
      await until("it is lost", () => meeting.state === "lost");
      await work();
      isDown = false;
    },
  };
};

const place = async (t: TestContext, settings: object = {}) => {
  const { moderator, guest, code, url } = await meetIn(world)(t, settings);
  return { moderator, guest, where: { baseUrl: url, code } };
};

test("a program sees a meeting as a page does, sends commands, and gets refusals as typed failures", async (t) => {
  const { moderator, where } = await place(t);
  const ann = await connect(t, where, "Ann");
  await assert.rejects(ann.meeting.send("chat", { text: "too early" }), TypeError);
  await ann.inside();
  assert.deepEqual(
    ann.meeting.view?.peers.map(({ peerName }) => peerName),
    ["Mo"],
  );
  assert.equal(ann.meeting.view?.you.peerId, ann.seat.peer.peerId);
  await ann.meeting.send("chat", { text: "Good morning" });
  await until("it is read", () => moderator.chat.at(-1)?.text === "Good morning");
  assert.equal(await moderator.do("chat", { text: "Hello" }), "ok");
  assert.equal(await moderator.do("hand", { up: true }), "ok");
  await until("the answer is read", () => ann.read().length === 2);
  await until("the hand is seen", () => ann.meeting.view?.peers[0]?.hand != null);
  assert.deepEqual(ann.read(), ["Good morning", "Hello"]);
  const refused = await ann.meeting.send("lockRoom", { action: "lock" }).catch((error) => error);
  assert.ok(refused instanceof ParleyError);
  assert.equal(refused.code, "moderators_only");
  const wrong = await ann.meeting.send("chat", { text: "" }).catch((error) => error);
  assert.deepEqual([wrong.code, wrong.errors[0]?.field], ["invalid_input", "text"]);
});

test("a cut connection comes back, and delivers each chat message once, including those sent meanwhile", async (t) => {
  const { moderator, where } = await place(t);
  assert.equal(await moderator.do("chat", { text: "before" }), "ok");
  const ann = await connect(t, where, "Ann");
  await ann.inside();
  assert.equal(await moderator.do("chat", { text: "one" }), "ok");
  await until("she reads", () => ann.read().length === 1);
  for (const text of ["two", "three"]) {
    await ann.cut(async () => {
      assert.equal(await moderator.do("chat", { text }), "ok");
    });
    await until("she is back", () => ann.meeting.state === "connected");
    await until("she reads what she missed", () => ann.read().at(-1) === text);
  }
  // Messages from before the program arrived are in `chat` only.
  assert.deepEqual(ann.read(), ["one", "two", "three"]);
  assert.deepEqual(
    ann.meeting.chat.map(({ text }) => text),
    ["before", "one", "two", "three"],
  );
  assert.deepEqual(ann.states, ["connected", "lost", "connected", "lost", "connected"]);
});

test("a connection ends with the service's reason: removed, moved, left, and a ticket that has ended", async (t) => {
  const { moderator, where } = await place(t);
  const ann = await connect(t, where, "Ann");
  await ann.inside();
  assert.equal(await moderator.do("removePeer", { peerId: ann.seat.peer.peerId }), "ok");
  const removed = await ann.meeting.ended;
  assert.equal(removed.reason, "removed");
  assert.deepEqual([ann.meeting.state, ann.messages.at(-1)?.type], ["ended", "ended"]);
  await assert.rejects(ann.meeting.send("beat", {}), TypeError);

  const ben = await connect(t, where, "Ben");
  await ben.inside();
  await ben.meeting.leave();
  assert.equal((await ben.meeting.ended).reason, "left");
  await moderator.sees("Ben is gone", ({ peers }) => peers.length === 0);
  const late = connectMeeting({ ...where, ...ben.seat, WebSocket: Wire });
  const ended = await late.ended;
  assert.deepEqual([ended.reason, "code" in ended && ended.code], ["left", "left"]);

  // While the connection is lost, a request gives the seat back.
  const cleo = await connect(t, where, "Cleo");
  await cleo.inside();
  await moderator.sees("Cleo", ({ peers }) => peers.length === 1);
  await cleo.cut(cleo.meeting.leave);
  await moderator.sees("Cleo is gone", ({ peers }) => peers.length === 0);

  const dan = await connect(t, where, "Dan");
  await dan.inside();
  dan.meeting.disconnect();
  assert.equal((await dan.meeting.ended).reason, "disconnected");
  await moderator.sees("Dan's seat is kept", ({ peers }) => peers[0]?.away === true);
});

test("a program waits before the door, and comes in when a moderator admits it", async (t) => {
  const { moderator, where } = await place(t, { authenticationRequired: true });
  const ann = await connect(t, where, "Ann");
  await until("she waits", () => ann.messages[0]?.type === "lobby");
  assert.deepEqual([ann.meeting.view, ann.meeting.state], [undefined, "connected"]);
  assert.equal(await moderator.do("allowRoomJoin", { all: true }), "ok");
  await ann.inside();
});

test("the manual's program greets newcomers, answers in the chat, and says why it is over", async (t) => {
  const { moderator, where, guest } = await place(t);
  const [, source = ""] =
    /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/integrating.md"), "utf8")) ?? [];
  assert.match(source, /connectMeeting/);
  const folder = mkdtempSync(join(tmpdir(), "parley-greeter-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const client = new URL("../../contract/client.ts", import.meta.url).href;
  writeFileSync(join(folder, "greeter.mjs"), source.replace('"parley-client"', `"${client}"`));
  const env = { ...process.env, PARLEY_URL: where.baseUrl, ROOM_CODE: where.code };
  const greeter = spawn(process.execPath, ["greeter.mjs"], { cwd: folder, env });
  t.after(() => greeter.kill());
  let said = "";
  for (const stream of [greeter.stdout, greeter.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  await moderator.sees("the greeter", ({ peers }) => peers[0]?.peerName === "Greeter");
  const ann = await guest("Ann");
  await until("Ann is greeted", () => ann.chat.at(-1)?.text === "Welcome, Ann!");
  assert.equal(await ann.do("chat", { text: "!people" }), "ok");
  await until("it answers", () => ann.chat.at(-1)?.text === "2 others have been here.");
  assert.equal(await moderator.do("closeRoom", { message: "Bye" }), "ok");
  await once(greeter, "close");
  assert.equal(said, "It is over (closed): Bye\n");
});

test("after a restart of the service the program returns to the same seat", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((beside) => beside.tenant());
  const before = await startProcess(t, house.environment);
  const { port } = new URL(before.url);
  const ask = tenant.askAt(before.url);
  const room = { name: "Board", room: "r", roomOwnerId: tenant.admin.id };
  assert.equal((await ask("createRoom", room)).status, 201);
  const { code } = (await ask("getRoomLink", { roomId: "r" })).body;
  const ann = await connect(t, { baseUrl: before.url, code }, "Ann");
  await ann.inside();
  await ann.meeting.send("chat", { text: "before" });
  await before.end("SIGTERM");
  await until("it is lost", () => ann.meeting.state === "lost");
  await startProcess(t, { ...house.environment, PORT: port });
  await until("she is back", () => ann.meeting.state === "connected");
  assert.equal(ann.meeting.view?.you.peerId, ann.seat.peer.peerId);
  await ann.meeting.send("chat", { text: "after" });
  await until("she reads on", () => ann.read().at(-1) === "after");
  assert.deepEqual(ann.read(), ["before", "after"]);
});
