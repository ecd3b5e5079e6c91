import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before } from "node:test";
import { type JoinRequest, SignalResponse } from "@livekit/protocol";
import { pino } from "pino";
import { WebSocket } from "ws";
import type { MediaEngine } from "../../server/media/engine.ts";
import type { Grant } from "../../server/media/grants.ts";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { type Denial, type End, openRelay, type Relay } from "../../server/media/relay.ts";
import type { See } from "../../server/media/view.ts";
import { noEngine } from "../run/engine.ts";
import { joinRequest } from "./messages.ts";
import { type OwnEngine, ownEngine } from "./world.ts";

/** A ticket, as the seats' module knows it. */
export interface Ticket {
  readonly seat: string;
  readonly grant: Grant;
  readonly see: See;
  /** Its holder; omitted: another person in each seat. */
  readonly person?: string;
}

/** LiveKit's client for browsers, as one file. */
const browserClient = new URL(
  "../../node_modules/livekit-client/dist/livekit-client.umd.js",
  import.meta.url,
);

/** A relay behind a separate HTTP server, with tickets that the test issues. */
export interface Gate {
  readonly url: string;
  readonly relay: Relay;
  readonly tickets: Map<string, Ticket>;
  /** The connections that have ended. */
  readonly ended: { readonly seat: string; readonly connection: number; readonly how: End }[];
  stop(): Promise<void>;
}

export const mayAll: Grant = {
  publish: ["camera", "microphone"],
  subscribe: true,
  hidden: false,
  recorder: false,
};

/** Opens a gate in front of an engine. */
export const openGate = async (engine: MediaEngine): Promise<Gate> => {
  const tickets = new Map<string, Ticket>();
  const ended: Gate["ended"] = [];
  let connection = 0;
  const denied: Denial = { status: 403 };
  const relay = openRelay(
    engine,
    {
      async admit(ticket) {
        const found = tickets.get(ticket);
        if (found === undefined) return denied;
        return { ...found, meeting: "meeting", connection: ++connection, ice: [] };
      },
      check: async (ticket) => {
        const found = tickets.get(ticket);
        return found === undefined ? denied : { person: found.person ?? found.seat };
      },
      closed: (admission, how) => {
        ended.push({ seat: admission.seat, connection: admission.connection, how });
      },
    },
    pino({ level: "silent" }),
  );
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === `${relay.path}/validate`) {
      response.statusCode = await relay.validate(searchParams.get("access_token") ?? "");
      response.end();
    } else if (pathname === "/client.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(await readFile(browserClient));
    } else {
      response.setHeader("content-type", "text/html");
      response.end('<!doctype html><title>Meeting</title><script src="/client.js"></script><body>');
    }
  }).listen(0, "127.0.0.1");
  server.on("upgrade", (request, socket, head) => void relay.upgrade(request, socket, head));
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return {
    url: `ws://127.0.0.1:${address.port}`,
    relay,
    tickets,
    ended,
    async stop() {
      relay.stop();
      server.closeAllConnections();
      server.close();
    },
  };
};

/**
 * Starts an engine with a gate in front of it for the tests of a file, and stops them behind it. Does nothing
 * where no engine is installed.
 *
 * @param take gets both before the first test
 */
export const withOwnGate = (take: (own: OwnEngine, gate: Gate) => void): void => {
  const running: { own: OwnEngine; gate: Gate }[] = [];
  before(async () => {
    if (noEngine) return;
    const own = await ownEngine();
    await own.engine.start();
    const gate = await openGate(own.engine);
    running.push({ own, gate });
    take(own, gate);
  });
  after(async () => {
    for (const { own, gate } of running) {
      await gate.stop();
      await own.engine.stop();
      await rm(own.dataDir, { recursive: true, force: true });
    }
  });
};

/** The client's end of a signaling connection. */
export interface Client {
  readonly socket: WebSocket;
  readonly messages: SignalResponse["message"][];
  readonly closed: Promise<unknown>;
  /** Waits for a message of a kind. */
  next<K extends SignalResponse["message"]["case"]>(
    kind: K,
  ): Promise<Extract<SignalResponse["message"], { case: K }>["value"]>;
}

/** Connects as LiveKit's browser client does; returns the status if it is refused. */
export const join = async (
  { url, relay }: { readonly url: string; readonly relay: Pick<Relay, "path"> },
  ticket: string,
  asked: JoinRequest = joinRequest(),
  autoPong = true,
): Promise<Client | number> => {
  const query = new URLSearchParams({
    access_token: ticket,
    join_request: writeJoinRequest(asked),
  });
  const socket = new WebSocket(`${url}${relay.path}?${query}`, { autoPong });
  const messages: SignalResponse["message"][] = [];
  socket.on("message", (data: Buffer) => {
    messages.push(SignalResponse.fromBinary(data).message);
    socket.emit("parsed");
  });
  const refused = new Promise<number>((resolve) => {
    socket.once("unexpected-response", (request, { statusCode = 0 }) => {
      request.destroy();
      resolve(statusCode);
    });
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  const status = await Promise.race([once(socket, "open"), refused]);
  if (typeof status === "number") return status;
  const seen = new Set<SignalResponse["message"]>();
  return {
    socket,
    messages,
    closed,
    async next(kind) {
      for (;;) {
        const found = messages.find((one) => one.case === kind && !seen.has(one));
        if (found !== undefined) {
          seen.add(found);
          return found.value as never;
        }
        await once(socket, "parsed");
      }
    },
  };
};

/** Connects, and asserts that this succeeds. */
export const enter = async (...args: Parameters<typeof join>): Promise<Client> => {
  const client = await join(...args);
  if (typeof client === "number") throw new Error(`The gate answered ${client}.`);
  return client;
};
