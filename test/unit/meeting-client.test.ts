import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  connectMeeting,
  type MeetingEnd,
  type MeetingOptions,
} from "../../contract/meeting-client.ts";

/** Lets everything that waits for nothing but its turn happen. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A connection whose network and clock the test decides. */
const start = (t: TestContext, more: Partial<MeetingOptions> = {}) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const wires: FakeWire[] = [];
  class FakeWire {
    onopen: ((event: never) => void) | null = null;
    onmessage: ((event: never) => void) | null = null;
    onclose: ((event: never) => void) | null = null;
    onerror: ((event: never) => void) | null = null;
    readonly sent: { readonly id?: number; readonly do?: string }[] = [];
    readonly at = now;
    isClosed = false;
    constructor() {
      wires.push(this);
    }
    send(data: string): void {
      this.sent.push(JSON.parse(data));
    }
    close(): void {
      this.isClosed = true;
    }
    say(message: object): void {
      this.onmessage?.({ data: JSON.stringify(message) } as never);
    }
    open(): void {
      this.onopen?.({} as never);
      this.say({ type: "lobby" });
    }
    lose(): void {
      this.onclose?.({} as never);
    }
  }
  let end: MeetingEnd | undefined;
  const meeting = connectMeeting({
    baseUrl: "https://meet.example.org/video",
    socket: "/video/api/meeting/socket",
    ticket: "ticket",
    WebSocket: FakeWire,
    fetch: () => Promise.reject(new TypeError("no network")),
    ...more,
  });
  void meeting.ended.then((reason) => {
    end = reason;
  });
  return {
    meeting,
    wires,
    last: () => wires.at(-1) ?? assert.fail(),
    end: () => end,
    /** Lets time pass; each connection that is tried meanwhile is refused if `refuses`. */
    pass: async (ms: number, refuses = false): Promise<void> => {
      for (let left = ms; left > 0; left -= 100) {
        now += 100;
        t.mock.timers.tick(100);
        await settle();
        const wire = wires.at(-1);
        if (refuses && wire && !wire.isClosed) {
          wire.isClosed = true;
          wire.lose();
        }
      }
    },
  };
};

test("a lost connection is retried at once, then with growing pauses, for 44 seconds", async (t) => {
  const { meeting, wires, last, end, pass } = start(t);
  last().open();
  assert.equal(meeting.state, "connected");
  assert.deepEqual(last().sent, [{ ticket: "ticket" }]);
  await pass(20_000);
  for (const { id } of last().sent.filter((one) => one.do === "beat"))
    last().say({ type: "reply", id, ok: true });
  last().lose();
  assert.equal(meeting.state, "lost");
  await pass(60_000, true);
  const tries = wires.slice(1).map(({ at }) => at - 20_000);
  const pauses = tries.map((time, n) => time - (tries[n - 1] ?? 0));
  for (const [n, pause] of [100, 300, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000].entries())
    assert.ok(Math.abs((pauses[n] ?? 0) - pause) <= 200, `${pauses}`);
  assert.equal(pauses.length, 9);
  assert.equal(end()?.reason, "unreachable");
  assert.equal(meeting.state, "ended");
});

test("a program that hears of a loss may end the connection, or reopen it at once", async (t) => {
  const { meeting, wires, last, end, pass } = start(t, {
    onState: (state) => state === "lost" && act(),
  });
  let act = () => meeting.wake();
  last().open();
  last().lose();
  assert.equal(wires.length, 2, "opened at once");
  await pass(5_000);
  assert.equal(wires.length, 2, "and once only");
  last().open();
  act = () => meeting.disconnect();
  last().lose();
  await pass(60_000);
  assert.deepEqual([meeting.state, end()?.reason, wires.length], ["ended", "disconnected", 2]);
});

test("a dead network is noticed: a beat without an answer ends the connection and fails the command", async (t) => {
  const { meeting, wires, last, pass } = start(t);
  last().open();
  await pass(15_100);
  assert.equal(last().sent.at(-1)?.do, "beat");
  const [first] = wires;
  const asked = assert.rejects(meeting.send("hand", { up: true }), TypeError);
  await pass(10_100);
  await asked;
  assert.equal(first?.isClosed, true);
  assert.equal(wires.length, 2);
  // A late message of the former connection changes nothing.
  first?.say({ type: "ended", reason: "removed", message: "" });
  assert.equal(meeting.state, "lost");
  last().open();
  assert.equal(meeting.state, "connected");
});

test("where requests pass and WebSockets do not, the reason says so; where nothing passes, retries go on", async (t) => {
  const reached = start(t, { fetch: async () => new Response(null, { status: 426 }) });
  await reached.pass(5_100, true);
  assert.equal(reached.end()?.reason, "blocked");
  t.mock.timers.reset();
  t.mock.restoreAll();
  const away = start(t);
  await away.pass(30_000, true);
  assert.equal(away.end(), undefined);
  assert.equal(away.meeting.state, "connecting");
});

test("where there is no WebSocket, the client says so at once", (t) => {
  const before = globalThis.WebSocket;
  t.after(() => Object.assign(globalThis, { WebSocket: before }));
  Object.assign(globalThis, { WebSocket: undefined });
  const options = { baseUrl: "https://meet.example.org", socket: "/s", ticket: "ticket" };
  assert.throws(() => connectMeeting(options), /no WebSocket/);
});

test("the client can be woken up, and ends once", async (t) => {
  const { meeting, wires, last, end, pass } = start(t);
  last().open();
  last().lose();
  await pass(10_000, true);
  const before = wires.length;
  meeting.wake();
  assert.equal(wires.length, before + 1);
  last().open();
  last().say({ type: "ended", reason: "moved", code: "moved", message: "Elsewhere." });
  await settle();
  assert.deepEqual(end(), { reason: "moved", code: "moved", message: "Elsewhere." });
  meeting.disconnect();
  meeting.wake();
  await pass(60_000);
  assert.equal(wires.length, before + 1);
  assert.equal(last().isClosed, true);
});
