import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";

/** A received request, and whether the sender got an acknowledgment. */
export interface Arrival {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: the event, of any type
  readonly event: any;
  readonly accepted: boolean;
}

/** The reaction to a request: accept it, a status, an answer, silence, hanging up, another protocol. */
export type Fate =
  | undefined
  | number
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "stall"
  | "hang up"
  | "switch";

/** A server that keeps what arrives, and misbehaves when told to. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** Assigned by a test. */
  fate: (arrival: Omit<Arrival, "accepted">) => Fate | Promise<Fate>;
  /** The arrivals, once there are this many. */
  waitFor(number: number): Promise<readonly Arrival[]>;
}

/** Starts a receiver on a free port of the loopback address; it stops with the test. */
export const startReceiver = async (t: Scope): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const body = (await request.toArray().catch(() => [])).join("");
    const { url: path = "", headers } = request;
    const event = body === "" ? undefined : JSON.parse(body);
    const arrived = { id: String(headers["webhook-id"]), path, headers, body, event };
    const fate = await receiver.fate(arrived);
    const status = typeof fate === "number" ? fate : typeof fate === "object" ? fate.status : 204;
    const accepted = typeof fate !== "string" && status < 300;
    receiver.arrivals.push({ ...arrived, accepted });
    if (fate === "stall") return;
    if (fate === "hang up") return void request.socket.destroy();
    if (fate === "switch") {
      const head = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: other"];
      return void request.socket.write(`${head.join("\r\n")}\r\n\r\n`);
    }
    const { headers: more = {}, body: said } = typeof fate === "object" ? fate : {};
    response.writeHead(status, more);
    response.end(said);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    port,
    arrivals: [],
    fate: () => undefined,
    async waitFor(number) {
      await until(`${number} arrived`, () => receiver.arrivals.length >= number);
      return receiver.arrivals;
    },
  };
  return receiver;
};

/** Checks a signature as a receiver does. @throws if it is wrong */
export const verify = (secret: string, { headers, body }: Arrival): void => {
  new Webhook(secret).verify(body, headers as Record<string, string>);
};
