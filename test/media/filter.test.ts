// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AddTrackRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  ReconnectResponse,
  RequestResponse_Reason,
  SessionDescription,
  SpeakersChanged,
  SubscriptionResponse,
  SyncState,
  TrackInfo,
  TrackSource,
  TrackType,
  UpdateSubscription,
} from "@livekit/protocol";
import { Filter } from "../../server/media/filter.ts";
import type { Memory, See } from "../../server/media/view.ts";
import { countsNoTracks, filterOf, forgetsWhoWasShown } from "../twins/filters.ts";
import { testTwin } from "../twins/test-twin.ts";
import {
  joined,
  joinRequest,
  person,
  readRequests,
  readResponses,
  request,
  response,
  track,
} from "./messages.ts";

const everybody: See = () => "all";
const moderatorsOnly: See = (seat) => (seat.startsWith("mod") ? "all" : "none");
/** A page sends less than that. */
const plenty = { left: 1_000_000 };

const open = (see: See, asked = joinRequest()) => {
  const filter = new Filter({ seat: "me", see, ice: [] }, asked);
  return {
    fromEngine: (bytes: Uint8Array) => filter.fromEngine(bytes),
    look: (see: See) => filter.look(see),
    hasLeft: () => filter.hasLeft(),
    fromClient: (bytes: Uint8Array) => filter.fromClient(bytes, plenty),
  };
};

const subscribed = (frames: readonly Uint8Array[]): [string[], boolean][] =>
  readRequests(frames).map((message) => {
    assert.equal(message.case, "subscription");
    const { trackSids, subscribe } = message.value as UpdateSubscription;
    return [trackSids, subscribe];
  });

test("a client that sees only moderators learns of nobody else at its join, not even a number", () => {
  const { client, engine } = open(moderatorsOnly).fromEngine(joined("me", ["mod-1", "ann", "bob"]));
  const [message] = readResponses(client);
  assert.ok(message?.case === "join");
  assert.deepEqual(
    message.value.otherParticipants.map(({ identity }) => identity),
    ["mod-1"],
  );
  assert.equal(message.value.room?.numParticipants, 0);
  assert.deepEqual(subscribed(engine), [[["TR_Vmod-1", "TR_Amod-1"], true]]);
});

test("without privacy everybody is visible and subscribed", () => {
  const { client, engine } = open(everybody).fromEngine(joined("me", ["ann", "bob"]));
  const [message] = readResponses(client);
  assert.ok(message?.case === "join");
  assert.equal(message.value.otherParticipants.length, 2);
  assert.deepEqual(subscribed(engine), [[["TR_Vann", "TR_Aann", "TR_Vbob", "TR_Abob"], true]]);
});

test("a client gets our connection servers and never LiveKit's", () => {
  const ice = [{ urls: ["turn:turn.example.org"], username: "u", credential: "c" }];
  const filter = new Filter({ seat: "me", see: everybody, ice }, joinRequest());
  for (const bytes of [
    joined("me", []),
    response({
      case: "reconnect",
      value: new ReconnectResponse({ iceServers: [{ urls: ["stun:stun.example.com"] }] }),
    }),
  ]) {
    const [message] = readResponses(filter.fromEngine(bytes).client);
    assert.ok(message?.case === "join" || message?.case === "reconnect");
    assert.deepEqual(
      message.value.iceServers.map(({ urls, username, credential }) => [
        urls,
        username,
        credential,
      ]),
      [[["turn:turn.example.org"], "u", "c"]],
    );
  }
});

test("a token that LiveKit refreshed never reaches a client", () => {
  const step = open(everybody).fromEngine(response({ case: "refreshToken", value: "eyJ.a.b" }));
  assert.deepEqual(step, { client: [], engine: [] });
});

test("video privacy shows a participant without their camera, and subscribes only their sound", () => {
  const filter = open(() => "audio");
  const { client, engine } = filter.fromEngine(joined("me", ["ann"]));
  const [message] = readResponses(client);
  assert.ok(message?.case === "join");
  assert.deepEqual(
    message.value.otherParticipants[0]?.tracks.map(({ sid }) => sid),
    ["TR_Aann"],
  );
  assert.deepEqual(subscribed(engine), [[["TR_Aann"], true]]);
});

test("a changed client that subscribes to everything gets only what it may see", () => {
  const filter = open(moderatorsOnly);
  filter.fromEngine(joined("me", ["mod-1", "ann"]));
  const wish = new UpdateSubscription({
    trackSids: ["TR_Vann", "TR_Vmod-1"],
    subscribe: true,
    participantTracks: [{ participantSid: "PA_ann", trackSids: ["TR_Aann"] }],
  });
  const { engine } = filter.fromClient(request({ case: "subscription", value: wish }));
  const [message] = readRequests(engine);
  assert.ok(message?.case === "subscription");
  assert.deepEqual(message.value.trackSids, ["TR_Vmod-1"]);
  assert.deepEqual(message.value.participantTracks, []);
  const only = new UpdateSubscription({ trackSids: ["TR_Vann"], subscribe: true });
  assert.deepEqual(filter.fromClient(request({ case: "subscription", value: only })).engine, []);
});

test("messages about an ID that somebody had before reach nobody", () => {
  const filter = open(everybody);
  filter.fromEngine(joined("me", ["ann"]));
  const speaks = (sid: string) =>
    filter.fromEngine(
      response({ case: "speakersChanged", value: new SpeakersChanged({ speakers: [{ sid }] }) }),
    ).client.length;
  const mayTrack = (trackSid: string) =>
    filter.fromEngine(
      response({ case: "subscriptionResponse", value: new SubscriptionResponse({ trackSid }) }),
    ).client.length;
  const say = (ann: ParticipantInfo) => {
    const value = new ParticipantUpdate({ participants: [ann] });
    filter.fromEngine(response({ case: "update", value }));
    return ["PA_ann", "PA_again"].map(speaks).concat(["TR_Vann", "TR_Aann"].map(mayTrack));
  };
  assert.deepEqual(say(person("ann")), [1, 0, 1, 1]);
  const again = new ParticipantInfo({
    ...person("ann"),
    sid: "PA_again",
    tracks: [track("ann", "microphone")],
  });
  assert.deepEqual(say(again), [0, 1, 0, 1]);
  again.state = ParticipantInfo_State.DISCONNECTED;
  assert.deepEqual(say(again), [0, 0, 0, 0]);
});

test("switching privacy on hides people at once, and ends their tracks", () => {
  const filter = open(everybody);
  filter.fromEngine(joined("me", ["mod-1", "ann"]));
  const { client, engine, resume } = filter.look(moderatorsOnly);
  const [message] = readResponses(client);
  assert.ok(message?.case === "update");
  assert.deepEqual(
    message.value.participants.map(({ identity, state }) => [identity, state]),
    [["ann", ParticipantInfo_State.DISCONNECTED]],
  );
  assert.deepEqual(subscribed(engine), [[["TR_Vann", "TR_Aann"], false]]);
  assert.equal(resume, false);
});

test("switching privacy off makes the client resume, because only LiveKit knows who is there", () => {
  const filter = open(moderatorsOnly);
  filter.fromEngine(joined("me", ["mod-1", "ann"]));
  assert.equal(filter.look(everybody).resume, true);
  // A change that reveals nobody new does not cut anybody's connection.
  assert.equal(open(everybody).look(everybody).resume, false);
});

test("a client that resumes gets back what it had, except what it unsubscribed and what is hidden now", () => {
  const filter = open(moderatorsOnly, joinRequest({ reconnect: true, participantSid: "PA_me" }));
  filter.fromEngine(response({ case: "reconnect", value: new ReconnectResponse() }));
  const people = ["me", "mod-1", "ann"].map((seat) => person(seat));
  const update = new ParticipantUpdate({ participants: people });
  const shown = filter.fromEngine(response({ case: "update", value: update }));
  assert.deepEqual(subscribed(shown.engine), [[["TR_Vann", "TR_Aann"], false]]);
  const state = new SyncState({
    subscription: { trackSids: ["TR_Vmod-1", "TR_Vann"], subscribe: false },
  });
  const { engine } = filter.fromClient(request({ case: "syncState", value: state }));
  const [sync, ...more] = readRequests(engine);
  assert.ok(sync?.case === "syncState");
  assert.deepEqual(sync.value.subscription?.trackSids, ["TR_Vmod-1"]);
  assert.deepEqual(more, []);
  // Its offer follows: nothing may come between that and the answer.
  const answer = response({ case: "answer", value: new SessionDescription({ type: "answer" }) });
  assert.deepEqual(subscribed(filter.fromEngine(answer).engine), [[["TR_Amod-1"], true]]);
  assert.deepEqual(filter.fromEngine(answer).engine, []);
});

/** The people removed from the list of a client that resumes after somebody was hidden meanwhile. */
const resumesAfter = (Made: typeof Filter, hidden: "before" | "after") => {
  const memory: Memory = { people: undefined };
  let see = everybody;
  const options = { seat: "me", see: (seat: string) => see(seat), ice: [], memory };
  const first = new Made(options, joinRequest());
  first.fromEngine(joined("me", ["mod-1", "ann"]));
  const asked = joinRequest({ reconnect: true, participantSid: "PA_me" });
  // The connection is lost: what is sent on the first one reaches nobody.
  const hide = (filter: Filter) => {
    see = moderatorsOnly;
    return filter.look(options.see).client;
  };
  if (hidden === "before") hide(first);
  const second = new Made(options, asked);
  const frames = [
    ...second.fromEngine(response({ case: "reconnect", value: new ReconnectResponse() })).client,
    ...(hidden === "after" ? hide(second) : []),
    ...second.fromEngine(
      response({
        case: "update",
        value: new ParticipantUpdate({
          participants: ["mod-1", "ann", "bob"].map((seat) => person(seat)),
        }),
      }),
    ).client,
  ];
  return readResponses(frames).flatMap(({ case: kind, value }) => {
    if (kind !== "update") return [kind];
    return value.participants.map(
      ({ identity, state }) =>
        `${identity} ${state === ParticipantInfo_State.DISCONNECTED ? "gone" : "there"}`,
    );
  });
};

test("a resuming client loses those from its list who were hidden meanwhile, and learns of nobody else", async (t) => {
  const expected = ["reconnect", "ann gone", "mod-1 there"];
  for (const hidden of ["before", "after"] as const) {
    assert.deepEqual(resumesAfter(Filter, hidden), expected);
  }
  await t.test(
    "a client that this process does not know joins again, where people are hidden",
    () => {
      const asked = joinRequest({ reconnect: true, participantSid: "PA_me" });
      const filter = open(moderatorsOnly, asked);
      const frames = (people: readonly string[]) => {
        const value = new ParticipantUpdate({ participants: people.map((seat) => person(seat)) });
        return readResponses(filter.fromEngine(response({ case: "update", value })).client);
      };
      assert.deepEqual(
        frames(["mod-1"]).map(({ case: kind }) => kind),
        ["update"],
      );
      const [leave, ...more] = frames(["ann"]);
      assert.ok(leave?.case === "leave");
      assert.equal(leave.value.action, LeaveRequest_Action.RECONNECT);
      assert.deepEqual(more, []);
    },
  );
});

testTwin(
  "a twin that forgets whom a client has been shown is detected",
  async () => {
    const Twin = await filterOf(forgetsWhoWasShown);
    assert.ok(!resumesAfter(Twin, "before").includes("ann gone"));
  },
  { onSqlite: true },
);

test("a video labeled as a microphone is refused, and the client is notified", () => {
  const wrong = new AddTrackRequest({
    cid: "c1",
    type: TrackType.VIDEO,
    source: TrackSource.MICROPHONE,
  });
  const { client, engine } = open(everybody).fromClient(
    request({ case: "addTrack", value: wrong }),
  );
  assert.deepEqual(engine, []);
  const [message] = readResponses(client);
  assert.ok(message?.case === "requestResponse");
  assert.equal(message.value.reason, RequestResponse_Reason.NOT_ALLOWED);
});

test("a track whose codec does not fit its kind is shown to nobody and subscribed by nobody", () => {
  const ann = person("ann");
  const [camera, microphone] = ann.tracks;
  assert.ok(camera && microphone);
  camera.mimeType = "video/VP8";
  microphone.mimeType = "audio/red";
  const called = (sid: string, type: TrackType, mimeType: string, codec = mimeType) =>
    new TrackInfo({ sid, type, mimeType, codecs: [{ mimeType: codec }] });
  ann.tracks.push(
    called("TR_honest", TrackType.AUDIO, "audio/opus"),
    called("TR_1", TrackType.AUDIO, "video/VP8"),
    called("TR_2", TrackType.AUDIO, "audio/opus", "Video/H264"),
    called("TR_3", TrackType.VIDEO, "audio/opus"),
  );
  const filter = open(everybody);
  const update = () => {
    const value = new ParticipantUpdate({ participants: [ann] });
    return filter.fromEngine(response({ case: "update", value }));
  };
  const told = update();
  const shown = [camera.sid, microphone.sid, "TR_honest"];
  assert.deepEqual(subscribed(told.engine), [[shown, true]]);
  const [message] = readResponses(told.client);
  assert.ok(message?.case === "update");
  assert.deepEqual(
    message.value.participants[0]?.tracks.map(({ sid }) => sid),
    shown,
  );

  // Once the codec of the honest one turns out to be another, nobody gets it.
  ann.tracks[2] = called("TR_honest", TrackType.AUDIO, "video/VP8");
  assert.deepEqual(subscribed(update().engine), [[["TR_honest"], false]]);
  assert.deepEqual(update().engine, []);
});

/** Publishes one track too many, ends one, and tries again. */
const publishTooMany = (filter: Pick<Filter, "fromEngine" | "fromClient">): void => {
  filter.fromEngine(joined("me", []));
  const add = (cid: string) =>
    filter.fromClient(
      request({
        case: "addTrack",
        value: new AddTrackRequest({
          cid,
          type: TrackType.AUDIO,
          source: TrackSource.MICROPHONE,
        }),
      }),
      plenty,
    ).engine.length;
  // Two are already published (`person`).
  assert.deepEqual(["1", "2", "3", "4", "5", "6", "7"].map(add), [1, 1, 1, 1, 1, 1, 0]);
  const fewer = person("me");
  fewer.tracks = [track("me", "camera")];
  const update = new ParticipantUpdate({ participants: [fewer] });
  filter.fromEngine(response({ case: "update", value: update }));
  assert.deepEqual(["8", "9"].map(add), [1, 0]);
};

test("nobody publishes more than eight tracks, and an ended one makes room", () => {
  publishTooMany(open(everybody));
});

testTwin(
  `a filter that ${countsNoTracks.name} is detected`,
  async () => {
    const Broken = await filterOf(countsNoTracks);
    const filter = new Broken({ seat: "me", see: everybody, ice: [] }, joinRequest());
    assert.throws(() => publishTooMany(filter), { code: "ERR_ASSERTION" });
  },
  { onSqlite: true },
);

test("a client cannot change its own record, hide from moderators, open data channels or simulate failures", () => {
  const filter = open(
    everybody,
    joinRequest({ metadata: "me", participantAttributes: { a: "b" } }),
  );
  const bytes = [
    request({ case: "updateMetadata", value: { name: "x" } as never }),
    request({ case: "subscriptionPermission", value: {} as never }),
    request({ case: "simulate", value: {} as never }),
    request({ case: "publishDataTrackRequest", value: {} as never }),
    request({ case: "storeDataBlobRequest", value: {} as never }),
  ];
  for (const one of bytes) assert.deepEqual(filter.fromClient(one), { client: [], engine: [] });
  // Permitted requests pass.
  const ping = request({ case: "ping", value: 1n });
  assert.equal(filter.fromClient(ping).engine.length, 1);
});

test("the request to join reaches LiveKit without automatic subscription, record and mislabeled tracks", () => {
  const asked = joinRequest({
    metadata: "me",
    participantAttributes: { a: "b" },
    addTrackRequests: [
      new AddTrackRequest({ cid: "1", type: TrackType.VIDEO, source: TrackSource.MICROPHONE }),
      new AddTrackRequest({ cid: "2", type: TrackType.VIDEO, source: TrackSource.CAMERA }),
    ],
  });
  open(everybody, asked);
  assert.equal(asked.connectionSettings?.autoSubscribe, false);
  assert.equal(asked.metadata, "");
  assert.deepEqual(asked.participantAttributes, {});
  assert.deepEqual(
    asked.addTrackRequests.map(({ cid }) => cid),
    ["2"],
  );
});

test("bytes that are not a message throw, and their sender is cut", () => {
  assert.throws(() => open(everybody).fromClient(Buffer.from([0xff, 0xff, 0xff])));
});
