// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, type TestContext, test } from "node:test";
import { createClient } from "../../contract/client.ts";
import type { EmbeddedTurn } from "../../server/config/media.ts";
import { callsFor, signalForCapture } from "../../server/meetings/captures/signal.ts";
import { startConsoleService } from "../console/service.ts";
import { openSocket } from "../meetings/inside.ts";
import { leadsInside } from "../twins/filters.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";

const candidate = (address: string, port = 40_000, transport = "udp"): string =>
  `candidate:1 1 ${transport} 2122260223 ${address} ${port} typ host generation 0`;
const turn: EmbeddedTurn = { address: "10.9.9.9", port: 3478, from: 30_000, to: 30_099 };
const calls = callsFor({ allowedNetworks: ["10.5.0.0/16"], media: { turn } as never });

test("a capture's browser gets only candidates on the Internet, in allowed networks, of the relay, or at their person's own address", () => {
  const rows: readonly [taken: boolean, from: string, address: string, port?: number][] = [
    [true, "127.0.0.1", "8.8.8.8"],
    [true, "127.0.0.1", "2a00:1450:4001:80b::200e"],
    [true, "127.0.0.1", "10.5.1.1"],
    [true, "127.0.0.1", "10.9.9.9", 30_099],
    [true, "192.168.1.7", "192.168.1.7"],
    [true, "::ffff:192.168.1.7", "192.168.1.7"],
    [false, "192.168.1.7", "192.168.1.8"],
    [false, "192.168.1.7", "192.168.1.7", 53],
    [false, "127.0.0.1", "8.8.8.8", 53],
    [false, "127.0.0.1", "127.0.0.1"],
    [false, "::1", "::1"],
    [false, "127.0.0.1", "169.254.169.254"],
    [false, "127.0.0.1", "::ffff:10.0.0.1"],
    [false, "127.0.0.1", "10.9.9.9", 30_100],
    [false, "127.0.0.1", "fd00::1"],
    [false, "127.0.0.1", "printer.local"],
    [false, "127.0.0.1", "localhost"],
  ];
  for (const [taken, from, address, port] of rows) {
    const line = candidate(address, port);
    const trickled = JSON.stringify({ session: "s", to: "t", candidate: { candidate: line } });
    const what = `${address} ${port} from ${from}`;
    assert.equal(signalForCapture(trickled, calls(from)) !== undefined, taken, what);
    const sdp = `v=0\r\na=mid:0\r\na=${line}\r\na=end\r\n`;
    const described = JSON.stringify({ session: "s", description: { type: "offer", sdp } });
    const passed = JSON.parse(signalForCapture(described, calls(from)) ?? "{}");
    const left = taken ? sdp : "v=0\r\na=mid:0\r\na=end\r\n";
    assert.deepEqual(passed, { session: "s", description: { type: "offer", sdp: left } }, what);
  }
});

test("a candidate that is not understood does not pass, however it is written", () => {
  const inside = candidate("10.0.0.1");
  for (const line of [
    `a=${inside}`,
    ` a=${inside}`,
    `A=${inside.toUpperCase()}`,
    `a=${inside.replaceAll(" ", "\t")}`,
    `a=x\ra=${inside}`,
    "a=candidate:1 1 tcp 1 10.0.0.1 8080 typ host tcptype passive",
    "a=candidate:1 1 udp 1 0x0a000001 40000 typ host",
    "a=remote-candidates:1 10.0.0.1 40000",
  ]) {
    const data = JSON.stringify({ description: { type: "offer", sdp: `v=0\n${line}\n` } });
    const passed = signalForCapture(data, calls("127.0.0.1")) ?? "";
    assert.ok(!/10\.0\.0\.1|0x0a/i.test(passed), passed);
  }
  for (const data of ["", "null", "[]", '"x"', '{"description":{"type":"rollback","sdp":""}}'])
    assert.equal(signalForCapture(data, calls("127.0.0.1")), undefined, data);
  const greeting = JSON.stringify({ session: "s", to: "t" });
  assert.equal(signalForCapture(greeting, calls("127.0.0.1")), greeting);
});

/** A UDP port that counts what arrives. */
const listen = async (address: string) => {
  const socket = createSocket("udp4").bind(0, address);
  after(() => socket.close());
  await once(socket, "listening");
  let arrived = 0;
  socket.on("message", () => {
    arrived += 1;
  });
  return { line: candidate(address, socket.address().port), arrived: () => arrived };
};

/**
 * A guest names four addresses to a hidden browser, two in the description and two later.
 *
 * @returns how many packets have come to those that are not allowed, once those that are got some
 */
const lure = async (t: TestContext, twin?: Twin): Promise<readonly number[]> => {
  const service = await startConsoleService({ ALLOWED_NETWORKS: "127.0.0.2" }, twin);
  t.after(() => service.stop());
  const { client } = service;
  const guests = createClient({ baseUrl: service.url });
  const { roomSetting: room } = await client.createRoom({
    name: "Board",
    roomOwnerId: service.adminId,
    noOfParticipants: 3,
  });
  const { code } = await client.getRoomLink({ roomId: room.room });
  const come = async (peerName: string) => {
    const { ticket, peer } = await guests.joinRoom({ roomId: code, peerName });
    const somebody = await openSocket(t, service.url, { ticket, peerId: peer.peerId });
    await somebody.sees("they are inside", () => true);
    return somebody;
  };
  await come("Ada");
  const { meeting } = await client.getMeeting({ roomId: room.room });
  const capture = await service.captures.start({
    organizationId: (await client.getOrganization()).organization.id,
    meetingId: meeting.meetingId ?? "",
    purpose: "transcribe",
    picture: null,
    onSound: () => {},
  });
  t.after(() => capture.stop());

  // A person who comes after the hidden browser makes the offer.
  const mallory = await come("Mallory");
  await mallory.sees("somebody listens", ({ receivers }) => receivers.length > 0);
  const to = mallory.view?.receivers[0]?.peerId ?? "";
  const forbidden = [await listen("127.0.0.1"), await listen("127.0.0.1")];
  const allowed = [await listen("127.0.0.2"), await listen("127.0.0.2")];
  const [described, trickled] = [0, 1].map((at) => [forbidden[at]?.line, allowed[at]?.line]);
  const sdp = [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=audio 9 UDP/TLS/RTP/SAVPF 111",
    "c=IN IP4 0.0.0.0",
    "a=ice-ufrag:abcd",
    `a=ice-pwd:${"p".repeat(24)}`,
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`,
    "a=setup:actpass",
    "a=mid:0",
    "a=sendonly",
    "a=rtcp-mux",
    "a=rtpmap:111 opus/48000/2",
    ...(described ?? []).map((line) => `a=${line}`),
    "",
  ].join("\r\n");
  const send = (signal: object) =>
    mallory.do("signal", { to, data: JSON.stringify({ session: "m", ...signal }) });
  assert.equal(await send({ description: { type: "offer", sdp } }), "ok");
  for (const line of trickled ?? [])
    assert.equal(await send({ candidate: { candidate: line, sdpMid: "0" } }), "ok");
  await until("packets arrive at the allowed addresses", () =>
    allowed.every(({ arrived }) => arrived() >= 3),
  );
  return forbidden.map(({ arrived }) => arrived());
};

test("a guest of a direct meeting makes its hidden browser send packets to allowed addresses only", async (t) => {
  assert.deepEqual(await lure(t), [0, 0]);
});

testTwin(
  `a service that ${leadsInside.name} is detected`,
  async (t) => assert.notDeepEqual(await lure(t, leadsInside), [0, 0]),
  { onSqlite: true },
);
