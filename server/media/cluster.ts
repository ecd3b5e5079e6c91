import { once } from "node:events";
import { WebSocket } from "ws";
import type { Cluster } from "../config/media.ts";
import { callRoomService, signToken } from "./api.ts";
import { EngineRefused, EngineUnavailable, isOnNoNode, type MediaEngine } from "./engine.ts";
import { toPermission, toVideoGrant } from "./grants.ts";
import { openQueue } from "./queue.ts";

/** LiveKit drops joins that it cannot finish in time: 400 at once failed, 16 at a time did not. */
const JOINS_AT_ONCE = 16;
const PATIENCE_MS = 20_000;
/**
 * How long the first request to remove somebody waits. LiveKit answers within milliseconds, unless the
 * person is just leaving: then it looks for them for 3 s, while a second request is answered at once.
 */
const REMOVAL_MS = 500;
/**
 * A join's answer for a meeting of a thousand people is about 500 kB, and what the filter lets people add
 * makes it 20 MB. Beyond, a message would end the connection of everybody who gets it.
 */
const LARGEST_MESSAGE = 64 * 1024 * 1024;

/** Dials LiveKit; the socket is paused before its first message is read. */
const dial = async (url: string, token: string): Promise<WebSocket> => {
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE,
    handshakeTimeout: PATIENCE_MS,
  });
  socket.once("open", () => socket.pause());
  const refused = new Promise<never>((_, reject) => {
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      reject(new EngineRefused(response.statusCode ?? 502));
    });
  });
  try {
    await Promise.race([once(socket, "open"), refused]);
    return socket;
  } catch (error) {
    // Destroying the request makes the socket emit another error.
    socket.on("error", () => {});
    if (error instanceof EngineRefused) throw error;
    throw new EngineUnavailable("The media engine does not take connections.", { cause: error });
  }
};

/** Treats a meeting that no node has as empty. */
const nobodyIfOnNoNode = (error: unknown): undefined => {
  if (!isOnNoNode(error)) throw error;
};

/** LiveKit's state of a person whose media connection stands; before, it is JOINING or JOINED. */
const WITH_MEDIA = "ACTIVE";
/** How long a person who looks at a meeting waits for what the engine knows of it. */
const LOOK_MS = 2_000;

/**
 * A LiveKit server that somebody else runs.
 *
 * @param where asked again at each call, because a child process gets another port at each start;
 *   undefined while there is none
 */
export const openCluster = (where: () => Cluster | undefined): MediaEngine => {
  const joins = openQueue(JOINS_AT_ONCE);
  const cluster = (): Cluster => {
    const found = where();
    if (found === undefined) throw new EngineUnavailable("The media engine is not running.");
    return found;
  };
  return {
    start: async () => {},
    stop: async () => {},
    async health() {
      try {
        const { url } = cluster();
        await callRoomService(cluster(), "ListRooms", { names: [""] });
        return { ok: true, found: url };
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        return { ok: false, found: error.message };
      }
    },
    connect: (meeting, seat, grant, joinRequest, isWanted = () => true) =>
      joins(async () => {
        if (!isWanted()) throw new EngineUnavailable("Nobody waits for the connection any more.");
        const found = cluster();
        const token = signToken(found, toVideoGrant(meeting, grant), seat);
        const query = new URLSearchParams({ join_request: joinRequest });
        return dial(`${found.url.replace(/^http/, "ws")}/rtc/v1?${query}`, token);
      }),
    async update(meeting, seat, grant) {
      const body = { room: meeting, identity: seat, permission: toPermission(grant) };
      return (await callRoomService(cluster(), "UpdateParticipant", body)) !== undefined;
    },
    async remove(meeting, seat) {
      const person = { room: meeting, identity: seat };
      await callRoomService(cluster(), "RemoveParticipant", person, REMOVAL_MS).catch(() =>
        callRoomService(cluster(), "RemoveParticipant", person),
      );
    },
    async list() {
      const found = cluster();
      const meetings = new Map<string, ReadonlySet<string>>();
      for (const { name } of (await callRoomService(found, "ListRooms", {}))?.rooms ?? []) {
        const inside = await callRoomService(found, "ListParticipants", { room: name }).catch(
          nobodyIfOnNoNode,
        );
        meetings.set(name, new Set(inside?.participants?.map(({ identity }) => identity)));
      }
      return meetings;
    },
    async connected(meeting) {
      const body = { room: meeting };
      const inside = await callRoomService(cluster(), "ListParticipants", body, LOOK_MS);
      const people = inside?.participants?.filter(({ state }) => state === WITH_MEDIA) ?? [];
      return new Set(people.map(({ identity }) => identity));
    },
    async close(meeting) {
      // Only a node that has the meeting can end it. If that node has died, this assigns it to another.
      await callRoomService(cluster(), "CreateRoom", { name: meeting });
      await callRoomService(cluster(), "DeleteRoom", { room: meeting });
    },
  };
};
