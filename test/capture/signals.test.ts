// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";
import { createClient } from "../../contract/client.ts";
import { startConsoleService } from "../console/service.ts";
import { openSocket } from "../meetings/inside.ts";
import { testTwin } from "../twins/test-twin.ts";
import { jsonTexts } from "../world/corpora.ts";
import { until } from "../world/process.ts";
import { recordingIn } from "./look.ts";

const media = ["m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=rtpmap:111 opus/48000/2"];
const secured = [
  "a=ice-ufrag:abcd",
  `a=ice-pwd:${"p".repeat(24)}`,
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`,
  "a=setup:actpass",
];
const opened = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0"];
const sdp = (...lines: readonly string[]): string => [...opened, ...lines, ""].join("\r\n");
const part = (mid: string): string[] => [
  ...media,
  ...secured,
  `a=mid:${mid}`,
  "a=sendonly",
  "a=rtcp-mux",
];
const good = sdp("a=group:BUNDLE 0", ...part("0"));
const address = "candidate:1 1 udp 1 8.8.8.8 40000 typ host";

/** Descriptions of a connection that none is, or that a browser refuses at some step. */
const descriptions = [
  "",
  "v=0",
  sdp(),
  sdp("m=audio"),
  sdp(...media),
  sdp("a=group:BUNDLE 0 0 7", ...part("0"), ...part("0")),
  sdp("a=group:BUNDLE 0", ...part("0").map((line) => line.replace("AB:AB", "ZZ:ZZ"))),
  sdp("a=group:BUNDLE 0", ...part("0").map((line) => line.replace("opus", "x".repeat(5_000)))),
  sdp(...Array.from({ length: 40 }, (_, mid) => part(String(mid))).flat()),
  sdp("a=group:BUNDLE 0", ...part("0").map((line) => line.replace("audio", "application"))),
  sdp("a=group:BUNDLE 0", ...part("0").map((line) => line.replace("9 UDP", "0 UDP"))),
  good.replaceAll("\r\n", "\n"),
  good,
];

/** Signals that no page sends, or not now. */
const oddSignals = (): string[] => [
  ...jsonTexts()
    .filter(({ bytes }) => bytes.length < 1_000)
    .map(({ bytes }) => String(bytes)),
  ...descriptions.flatMap((text, at) =>
    ["offer", "answer", "pranswer", "rollback"].flatMap((type) => [
      JSON.stringify({ session: "one", description: { type, sdp: text } }),
      JSON.stringify({ session: `other-${at}`, to: "nobody", description: { type, sdp: text } }),
    ]),
  ),
  ...[0, 1, 70_000, -1, 0.5].map((sdpMLineIndex) =>
    JSON.stringify({ session: "one", candidate: { candidate: address, sdpMLineIndex } }),
  ),
  ...["0", "9", "", "\u0000"].map((sdpMid) =>
    JSON.stringify({ session: "one", candidate: { candidate: address, sdpMid } }),
  ),
  JSON.stringify({ session: "one", candidate: { candidate: address } }),
  JSON.stringify({ session: "one", candidate: { candidate: "" } }),
  // Each begins a new connection.
  ...Array.from({ length: 30 }, (_, at) => JSON.stringify({ session: `again-${at}` })),
];

/**
 * A guest sends odd signals to the browser of a recording, and comes and goes.
 *
 * @returns how the recording has ended meanwhile; undefined if it goes on
 */
const annoy = async (t: TestContext, pages?: string): Promise<unknown> => {
  const service = await startConsoleService({}, undefined, pages);
  t.after(() => service.stop());
  const { client } = service;
  const guests = createClient({ baseUrl: service.url });
  const { roomSetting: room } = await client.createRoom({
    name: "Board",
    roomOwnerId: service.adminId,
    noOfParticipants: 3,
    recordParticipant: true,
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
  const folder = await mkdtemp(join(tmpdir(), "parley-annoyed-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const capture = await service.captures.start({
    organizationId: (await client.getOrganization()).organization.id,
    meetingId: meeting.meetingId ?? "",
    purpose: "record",
    picture: { width: 214, height: 120 },
    folder,
  });
  t.after(() => capture.stop());
  let ended: unknown;
  void capture.ended.then((how) => {
    ended = how;
  });
  for (const signals of [oddSignals(), oddSignals().toReversed()]) {
    const mallory = await come("Mallory");
    await until(
      "somebody records, or has failed",
      () => ended !== undefined || (mallory.view?.receivers.length ?? 0) > 0,
    );
    if (ended !== undefined) return ended;
    const to = mallory.view?.receivers[0]?.peerId ?? "";
    for (const data of signals) {
      const send = async () => (await mallory.do("signal", { to, data })) !== "too_many_requests";
      await until("a signal is taken", send);
    }
    mallory.cut();
  }
  // Their messages are handled, and later ones are still recorded.
  const recording = recordingIn(folder);
  const written = recording.seconds() + 8;
  await Promise.race([recording.lasts(written), capture.ended]);
  return ended;
};

test("no signal that a guest sends ends a recording", async (t) => {
  assert.equal(await annoy(t), undefined);
});

testTwin(
  "a twin that fails on an unexpected signal is detected",
  async (t) => {
    await buildConsole();
    const folder = await mkdtemp(join(tmpdir(), "parley-brittle-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    cpSync(fileURLToPath(new URL("../../console/dist", import.meta.url)), folder, {
      recursive: true,
    });
    let broken = 0;
    for (const name of await readdir(join(folder, "assets"))) {
      if (!name.endsWith(".js")) continue;
      const path = join(folder, "assets", name);
      const code = readFileSync(path, "utf8");
      const brittle = code.replace(
        /console\.warn\((["'`])A signal does not fit\1,(\w+)\)/,
        "reportError($2)",
      );
      if (brittle === code) continue;
      broken += 1;
      // Without the compressed copies, which have the former text.
      for (const ending of [".br", ".gz"]) await rm(`${path}${ending}`, { force: true });
      writeFileSync(path, brittle);
    }
    assert.equal(broken, 1);
    assert.deepEqual(await annoy(t, folder), { how: "failed", code: "page_failed" });
  },
  { onSqlite: true },
);
