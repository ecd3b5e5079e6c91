import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { WebSocket } from "ws";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";

/** The path of the gate. */
export const GATE = "/api/meeting/rtc/v1";

/** Repeats a request while the service rejects it as overload. @returns the status */
export const answered = async (ask: () => Promise<number>): Promise<number> => {
  let status = 503;
  await until("the service answers", async () => {
    status = await ask();
    return status !== 503;
  });
  return status;
};

/** Requests a WebSocket. @returns the status; 101 if it is opened */
export const knock = (address: string, authorization?: string): Promise<number> =>
  answered(async () => {
    const headers = authorization === undefined ? {} : { authorization };
    const socket = new WebSocket(address.replace(/^http/, "ws"), { headers });
    socket.on("error", () => {});
    const refused = Promise.withResolvers<number>();
    socket.once("unexpected-response", (request, { statusCode = 0 }) => {
      request.destroy();
      refused.resolve(statusCode);
    });
    const opened = once(socket, "open").then(() => 101);
    const status = await Promise.race([opened, refused.promise]);
    socket.terminate();
    return status;
  });

/** A proxy in front of the engine that keeps what services send through it. */
export interface Tap {
  /** The engine's address through this proxy. */
  readonly url: string;
  heard(): string;
}

/** Stands between services and the engine. */
export const startTap = async (t: Scope, target: string): Promise<Tap> => {
  const { hostname, port } = new URL(target);
  let heard = "";
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on("data", (bytes) => {
      heard += bytes.toString("latin1");
    });
    const pipe = (from: Socket, to: Socket): void => {
      open.add(from);
      from
        .on("error", () => {})
        .on("close", () => {
          open.delete(from);
          to.destroy();
        });
      from.pipe(to);
    };
    pipe(client, upstream);
    pipe(upstream, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
  };
};
