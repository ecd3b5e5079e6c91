// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AddTrackRequest,
  ConnectionSettings,
  JoinRequest,
  JoinResponse,
  ParticipantInfo,
  ParticipantUpdate,
  SessionDescription,
  SignalRequest,
  SimulcastCodec,
  TrackPublishedResponse,
  TrackSource,
  TrackType,
  VideoLayer,
} from "@livekit/protocol";
import { Filter } from "../../server/media/filter.ts";
import { readJoinRequest, writeJoinRequest } from "../../server/media/join-request.ts";
import { until } from "../world/process.ts";
import { joined, joinRequest, readRequests, readResponses, request, response } from "./messages.ts";

/** Found again in bytes, wherever it was put. */
const MARK = "a text of the client";

/** A Protocol Buffers message's description of its own fields. */
interface Kind<M> {
  new (values: never): M;
  readonly fields: { list(): readonly Field[] };
}
interface Field {
  readonly kind: string;
  readonly localName: string;
  readonly T?: unknown;
  readonly repeated?: boolean;
  readonly oneof?: { readonly localName: string } | undefined;
}
/** The numbers of these types in Protocol Buffers. */
const STRING = 9;
const BYTES = 12;

/** A message with the mark in every text, those of messages within it included, of whatever name. */
const marked = <M>(type: Kind<M>, depth = 0): M => {
  const values: Record<string, unknown> = {};
  for (const { kind, localName, T, repeated, oneof } of type.fields.list()) {
    let value: unknown;
    if (T === STRING) value = MARK;
    else if (T === BYTES) value = new TextEncoder().encode(MARK);
    else if (kind === "map") value = { [MARK]: MARK };
    else if (kind === "message" && depth < 4) value = marked(T as Kind<unknown>, depth + 1);
    if (value === undefined) continue;
    if (oneof) values[oneof.localName] = { case: localName, value };
    else values[localName] = repeated ? [value] : value;
  }
  return new type(values as never);
};

const hasMark = (frames: readonly Uint8Array[]): boolean =>
  frames.some((bytes) => Buffer.from(bytes).includes(MARK));

const plenty = () => ({ left: 1_000_000 });
const open = (asked = joinRequest(), others = 0) =>
  new Filter({ seat: "me", see: () => "all", ice: [], others: () => others }, asked);
const camera = (more: ConstructorParameters<typeof AddTrackRequest>[0] = {}) =>
  new AddTrackRequest({
    cid: "camera",
    type: TrackType.VIDEO,
    source: TrackSource.CAMERA,
    ...more,
  });
const ask = (track: AddTrackRequest) =>
  open().fromClient(request({ case: "addTrack", value: track }), plenty());

test("no text that a client chose reaches others through LiveKit, in any field", () => {
  const ann = marked(ParticipantInfo);
  // These are LiveKit's and Parley's own.
  Object.assign(ann, { sid: "PA_ann", identity: "ann" });
  for (const track of ann.tracks) {
    Object.assign(track, { sid: "TR_ann", mimeType: "video/VP8", type: TrackType.VIDEO });
    for (const codec of track.codecs) codec.mimeType = "video/VP8";
  }
  assert.ok(hasMark([ann.toBinary()]));
  const update = new ParticipantUpdate({ participants: [ann] });
  const otherParticipants = [ann];
  for (const message of [
    response({ case: "update", value: update }),
    response({ case: "join", value: new JoinResponse({ otherParticipants }) }),
  ]) {
    const { client } = open().fromEngine(message);
    const [shown] = readResponses(client);
    const people =
      shown?.case === "update" ? shown.value.participants : (shown?.value as JoinResponse);
    assert.ok(JSON.stringify(people).includes("TR_ann"));
    assert.ok(!hasMark(client));
  }
  // Nor does their own browser get it back.
  const [track] = ann.tracks;
  const value = new TrackPublishedResponse({ cid: "camera", ...(track && { track }) });
  assert.ok(!hasMark(open().fromEngine(response({ case: "trackPublished", value })).client));
});

test("a field of a person that this version of LiveKit does not know reaches nobody", () => {
  const info = new ParticipantInfo({ sid: "PA_ann", identity: "ann" }).toBinary();
  // Field 900, a text.
  const longer = Buffer.concat([info, Buffer.from([0xa2, 0x38, MARK.length]), Buffer.from(MARK)]);
  const update = new ParticipantUpdate({ participants: [ParticipantInfo.fromBinary(longer)] });
  assert.ok(hasMark([update.toBinary()]));
  const { client } = open().fromEngine(response({ case: "update", value: update }));
  assert.equal(client.length, 1);
  assert.ok(!hasMark(client));
});

test("a track is published without its name, its stream and every other text but the IDs that connect it", () => {
  const asked = marked(AddTrackRequest);
  Object.assign(asked, { type: TrackType.VIDEO, source: TrackSource.CAMERA });
  Object.assign(asked, { cid: "camera", sid: "" });
  for (const codec of asked.simulcastCodecs) Object.assign(codec, { codec: "vp8", cid: "camera" });
  assert.ok(hasMark([asked.toBinary()]));
  const { engine } = ask(asked);
  assert.equal(engine.length, 1);
  assert.ok(!hasMark(engine));
  const request = joinRequest({ addTrackRequests: [asked] });
  open(request);
  assert.equal(request.addTrackRequests.length, 1);
  assert.ok(!hasMark(request.addTrackRequests.map((track) => track.toBinary())));
});

test("a track that no page would announce is refused, and its sender gets nothing of it back", () => {
  const many = (count: number) => Array.from({ length: count }, () => new VideoLayer());
  const long = MARK.repeat(50);
  const tracks = {
    "a long ID": camera({ cid: long }),
    "a long ID of a track": camera({ sid: long }),
    "a wide picture": camera({ width: 2 ** 31 }),
    "a high picture": camera({ height: 2 ** 31 }),
    "many layers": camera({ layers: many(4) }),
    "a wide layer": camera({ layers: [new VideoLayer({ width: 2 ** 31 })] }),
    "many codecs": camera({ simulcastCodecs: many(3).map(() => new SimulcastCodec()) }),
    "a long codec": camera({ simulcastCodecs: [new SimulcastCodec({ codec: long })] }),
    "an unknown codec": camera({ simulcastCodecs: [new SimulcastCodec({ codec: "look at me" })] }),
    "a long ID of a codec": camera({ simulcastCodecs: [new SimulcastCodec({ cid: long })] }),
    "many layers of a codec": camera({
      simulcastCodecs: [new SimulcastCodec({ layers: many(4) })],
    }),
  };
  for (const [what, track] of Object.entries(tracks)) {
    const { client, engine } = ask(track);
    assert.deepEqual(engine, [], what);
    assert.equal(readResponses(client)[0]?.case, "requestResponse", what);
  }
  // Numbers without a meaning are dropped: a list of them could be long.
  const features = Array.from({ length: 50_000 }, (_, at) => at);
  const [message] = readRequests(ask(camera({ audioFeatures: features })).engine);
  assert.ok(message?.case === "addTrack");
  assert.ok(message.value.audioFeatures.length < 20);
});

test("LiveKit gets what it needs of a client, in few words, and no addresses to call", () => {
  const asked = marked(JoinRequest);
  const settings = new ConnectionSettings({ disableIceLite: true });
  asked.connectionSettings = settings;
  asked.addTrackRequests = [];
  const info = asked.clientInfo;
  assert.ok(info);
  info.version = MARK.repeat(1_000);
  info.capabilities = Array.from({ length: 50_000 }, (_, at) => at);
  open(asked);
  assert.equal(settings.disableIceLite, false);
  assert.deepEqual([asked.metadata, asked.participantAttributes], ["", {}]);
  assert.ok((asked.clientInfo?.toBinary().length ?? 0) < 1_000);
});

const description = [
  "v=0",
  "o=- 1 2 IN IP4 127.0.0.1",
  "a=group:BUNDLE 0",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111",
  "c=IN IP4 0.0.0.0",
  "a=candidate:1 1 udp 2113937151 10.0.0.1 53 typ host generation 0",
  "a=mid:0",
  "a=msid:- 7cf1cbd1-c4ac-4d39-95ab-5e3d2a6c3c11",
  "",
];

test("no address of a client reaches LiveKit, which would send packets to it", () => {
  const value = new SessionDescription({ type: "offer", sdp: description.join("\r\n") });
  value.midToTrackId = { [MARK]: MARK };
  for (const kind of ["offer", "answer"] as const) {
    const { engine } = open().fromClient(request({ case: kind, value }), plenty());
    const [message] = readRequests(engine);
    assert.ok(message?.case === kind);
    assert.ok(!message.value.sdp.includes("10.0.0.1"));
    assert.ok(message.value.sdp.includes("a=mid:0\r\na=msid:- 7cf1cbd1"));
    assert.ok(!hasMark(engine));
  }
  const read = readJoinRequest(
    writeJoinRequest(new JoinRequest({ publisherOffer: value })).replaceAll("=", ""),
  );
  assert.ok(read?.publisherOffer && !read.publisherOffer.sdp.includes("10.0.0.1"));
  const trickle = new SignalRequest({ message: { case: "trickle", value: {} as never } });
  assert.deepEqual(open().fromClient(trickle.toBinary(), plenty()), { client: [], engine: [] });
});

test("a description with names that no browser gives ends its sender's connection", () => {
  for (const line of ["a=mid:", "a=rid:", "a=msid:", "a=ssrc:1 cname:", "a=fmtp:96 ", "a=x"]) {
    const sdp = [...description, line + MARK.repeat(100), ""].join("\r\n");
    const value = new SessionDescription({ type: "offer", sdp });
    assert.throws(() => open().fromClient(request({ case: "offer", value }), plenty()), line);
    const asked = writeJoinRequest(new JoinRequest({ publisherOffer: value }));
    assert.equal(readJoinRequest(asked), undefined, line);
  }
});

/** Mutes and unmutes one track so many times; returns what went on to LiveKit. */
const toggle = (filter: ReturnType<typeof open>, times: number): boolean[] =>
  Array.from({ length: times }, (_, at) => at % 2 === 0).flatMap((muted) => {
    const value = { sid: "TR_me", muted } as never;
    return mutedIn(filter.fromClient(request({ case: "mute", value }), plenty()).engine);
  });
const mutedIn = (frames: readonly Uint8Array[]): boolean[] =>
  readRequests(frames).map((message) => message.case === "mute" && message.value.muted);

test("of 1,200 mutes of a person a few are announced, the last one included", async () => {
  for (const others of [2, 40, 1_000]) {
    const filter = open(joinRequest(), others);
    filter.fromEngine(joined("me", ["ann"]));
    const passed = toggle(filter, 1_201);
    assert.ok(passed.length >= 5 && passed.length < 60, `${passed.length} of 1201`);
    await until("the last one passes", () => {
      passed.push(...mutedIn(filter.releaseMutes()));
      return !filter.holdsMutes();
    });
    assert.equal(passed.at(-1), true);
  }
});

test("messages that the page never sends are not passed on to everybody", () => {
  for (const kind of ["updateVideoTrack", "updateAudioTrack", "updateLayers"] as const) {
    const message = request({ case: kind, value: { trackSid: "TR_me" } } as never);
    assert.deepEqual(open().fromClient(message, plenty()), { client: [], engine: [] }, kind);
  }
});
