// Runs: postgres-first, waits
// Needs: media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { signToken } from "../../server/media/api.ts";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { joinRequest } from "../media/messages.ts";
import { noEngine } from "../run/engine.ts";
import { logsAddresses, passesQueriesOn } from "../twins/gates.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { rawRequest, sendRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";
import { answered, GATE, startTap } from "./doors.ts";
import { begin, connectMedia, meetingOf, startEngineOfFile, tryMedia, validate } from "./engine.ts";

const { skip, shared } = await startEngineOfFile();

/** A request's method and address. */
type Request = readonly ["WebSocket" | "GET" | "POST", string];

/** Addresses that LiveKit serves: somebody with one of its tokens could use them. */
const served: readonly Request[] = [
  ["WebSocket", "/rtc"],
  ["WebSocket", "/rtc/v1"],
  ["WebSocket", "/agent"],
  ["GET", "/rtc/validate"],
  ["GET", "/rtc/v1/validate"],
  ["POST", "/whip/v1"],
  ["POST", "/twirp/livekit.RoomService/ListRooms"],
];

/** Addresses of other versions and settings, and other spellings of the gate's path. */
const further: readonly Request[] = [
  ["WebSocket", "/rtc/v0"],
  ["WebSocket", "/rtc/v2"],
  ["POST", "/whip"],
  ["POST", "/twirp/livekit.RoomService/RemoveParticipant"],
  ["POST", "/twirp/livekit.Egress/StartRoomCompositeEgress"],
  ["GET", "/debug/rooms"],
  ["GET", "/debug/goroutine"],
  ["GET", "/debug/pprof/"],
  ["GET", "/metrics"],
];
const spellings: readonly Request[] = [
  ["WebSocket", "//rtc"],
  ["WebSocket", `${GATE}/`],
  ["WebSocket", `${GATE}/../../../../rtc`],
  ["WebSocket", `${GATE}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/rtc`],
  ["WebSocket", "/api/meeting/rtc//v1"],
  ["WebSocket", "/API/meeting/rtc/v1"],
  ["GET", GATE],
  ["POST", GATE],
];

/** All of them, at the service's address and at the one that a browser's client gets. */
const requests: readonly Request[] = [
  ...[...served, ...further].flatMap(([kind, path]): Request[] => [
    [kind, path],
    [kind, `/api/meeting${path}`],
  ]),
  ...spellings,
].filter(([kind, path]) => !(kind === "WebSocket" && path === GATE) && path !== `${GATE}/validate`);

/** @returns the status of a request with a ticket or token in every place where LiveKit looks for one */
const statusOf = (at: string, [kind, path]: Request, token: string): Promise<number> => {
  const query = new URLSearchParams({
    ...(token !== "" && { access_token: token }),
    join_request: writeJoinRequest(joinRequest()),
    marked: "yes",
  });
  const body = kind === "POST" ? "{}" : "";
  const upgrade = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const content = [
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const head = [
    `${kind === "POST" ? "POST" : "GET"} ${path}?${query} HTTP/1.1`,
    `Host: ${new URL(at).host}`,
    ...(token === "" ? [] : [`Authorization: Bearer ${token}`]),
    ...(kind === "WebSocket" ? upgrade : content),
  ];
  return answered(async () => (await sendRaw(at, rawRequest(head, body), true)).status);
};

/** Requests everything that the engine serves from each process: what gets through? */
const askAround = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { environment, inside } = shared();
  const tap = await startTap(t, environment.LIVEKIT_URL ?? "");
  const here = await startWorld(t, {
    twin,
    environment: { ...environment, LIVEKIT_URL: tap.url },
  });
  const room = await begin(here);
  const [mod, gone] = [await room.moderator(t), await room.guest(t, "Gone")];
  const client = await connectMedia(room.url, gone.ticket);
  await client.next("join");
  assert.equal(await mod.do("removePeer", { peerId: gone.peerId }), "ok");
  await client.closed;

  for (const at of new Set([here.url, await here.second()])) {
    // A stranger, a removed person, and a person who may be inside: all have the same way in.
    for (const ticket of ["", gone.ticket, mod.ticket]) {
      for (const request of requests) {
        const status = await statusOf(at, request, ticket);
        assert.ok([400, 401, 403, 404].includes(status), `${request.join(" ")}: ${status}`);
      }
    }
    const query = new URLSearchParams({
      access_token: mod.ticket,
      publish: "again",
      marked: "yes",
      join_request: writeJoinRequest(joinRequest()),
    });
    const socket = new WebSocket(`${at.replace(/^http/, "ws")}${GATE}?${query}`);
    t.after(() => socket.terminate());
    await once(socket, "message");
    assert.deepEqual([...(await inside(meetingOf(mod)))], [mod.peerId], "one person is there once");
  }
  assert.match(tap.heard(), /GET \/rtc\/v1\?join_request=/, "what gets through is heard");
  assert.doesNotMatch(tap.heard(), /marked|again/, "nothing of a browser's query gets through");
  for (const { ticket } of [gone, mod]) assert.ok(!tap.heard().includes(ticket));
};

test(
  "nobody reaches anything of the engine through a process, except the gate's own path",
  skip,
  (t) => askAround(t),
);

testTwin("a twin that passes on a browser's query is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  await assert.rejects(askAround(t, passesQueriesOn), /nothing of a browser's query/);
});

test("the engine itself serves these addresses with its own key", skip, async () => {
  const { LIVEKIT_URL = "", LIVEKIT_API_KEY = "", LIVEKIT_API_SECRET = "" } = shared().environment;
  const may = { room: "m", roomJoin: true, roomList: true, roomAdmin: true, agent: true };
  const key = { key: LIVEKIT_API_KEY, secret: LIVEKIT_API_SECRET };
  for (const request of served) {
    const status = await statusOf(LIVEKIT_URL, request, signToken(key, may, "somebody"));
    assert.ok(![401, 403, 404].includes(status), `${request.join(" ")}: ${status}`);
  }
});

/** A person connects, and is refused in every possible way: do the service's logs contain a ticket? */
const keepsTicketsFromTheLog = async (t: TestContext, twin?: Twin): Promise<void> => {
  const environment = { ...shared().environment, LOG_LEVEL: "trace" };
  const here = await startWorld(t, { twin, environment });
  const { url, guest } = await begin(here);
  const { ticket } = await guest(t, "Ann");
  const client = await connectMedia(url, ticket);
  await client.next("join");
  assert.equal(await validate(url, ticket), 200);
  client.socket.send("no message of LiveKit's");
  await client.closed;
  for (const unknown of ["nobodys-ticket", `${ticket}x`]) {
    assert.equal(await tryMedia(url, unknown), 403);
    assert.equal(await validate(url, unknown), 403);
  }
  for (const request of requests) await statusOf(url, request, ticket);
  const malformed: Request = ["WebSocket", `${GATE}?access_token=${ticket}&join_request=AAAA`];
  assert.equal(await statusOf(url, malformed, "nobodys-ticket"), 400);
  const log = () => here.log.join("");
  await until("a connection is cut, and requests are answered", () =>
    ["a connection of a meeting is cut", '"status":403'].every((what) => log().includes(what)),
  );
  assert.doesNotMatch(log(), /access_token|join_request/);
  for (const secret of [ticket, "nobodys-ticket"]) assert.ok(!log().includes(secret));
};

test("no log of the service has a ticket or its query", skip, (t) => keepsTicketsFromTheLog(t));

testTwin("a twin that logs the address of each request is detected", async (t) => {
  if (noEngine) return t.skip(noEngine);
  await assert.rejects(keepsTicketsFromTheLog(t, logsAddresses), /access_token/);
});
