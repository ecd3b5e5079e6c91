import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIPv6 } from "node:net";
import type { Config } from "../config/config.ts";
import { isShared } from "../db/place.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "media engine";

/** Returns whether a port is free; 0 always is. */
const canListen = async (kind: "UDP" | "TCP", port: number): Promise<boolean> => {
  const socket =
    kind === "UDP" ? createSocket("udp4").bind(port) : createServer().listen(port, "0.0.0.0");
  try {
    await once(socket, "listening");
    return true;
  } catch {
    return false;
  } finally {
    await new Promise<void>((closed) => {
      try {
        socket.close(() => closed());
      } catch {
        closed();
      }
    });
  }
};

/** The ports of an engine that is not running. */
const checkPorts = async ({ media }: Config): Promise<Check[]> => {
  const ports = [
    { kind: "UDP", port: media.udpPort, setting: "MEDIA_UDP" },
    ...(media.tcpPort === "off"
      ? []
      : [{ kind: "TCP", port: media.tcpPort, setting: "MEDIA_TCP" } as const]),
  ] as const;
  const taken = [];
  for (const one of ports) if (!(await canListen(one.kind, one.port))) taken.push(one);
  return taken.map(({ kind, port, setting }) =>
    fault(
      "media ports",
      `Another program uses ${kind} port ${port}.`,
      `Set ${setting} to another port, and open it in the firewall.`,
    ),
  );
};

/** The ports of a running engine; whether others can reach them is not visible from here. */
const portsInUse = ({ media: { udpPort, tcpPort } }: Config): Check => {
  const port = (kind: string, number: number) => `${kind} ${number === 0 ? "any" : number}`;
  const ports = [port("UDP", udpPort), ...(tcpPort === "off" ? [] : [port("TCP", tcpPort)])];
  return ok("media ports", `${ports.join(", ")}: in use; not tried from outside`);
};

/** Why a STUN or TURN server does not answer; undefined if it does. */
const silenceOf = async (url: string): Promise<string | undefined> => {
  const { askStun } = await import("../media/stun.ts");
  return askStun(url).then(
    () => undefined,
    ({ message }: Error) => message,
  );
};

/** The TURN server of the service, if it runs here. */
const checkTurn = async ({ media: { turn } }: Config): Promise<Check[]> => {
  if (turn === undefined) return [];
  const name = "TURN server";
  const { address, port } = turn;
  const found = `Parley's own, UDP ${port} of ${address}`;
  if (await canListen("UDP", port)) return [ok(name, found)];
  const silence = await silenceOf(`turn:${isIPv6(address) ? `[${address}]` : address}:${port}`);
  if (silence === undefined) return [ok(name, `${found}; it answers this machine`)];
  return [
    note(
      name,
      `${found}; the port is in use, and does not answer this machine: ${silence}`,
      "If no other program has the port (TURN_PORT), open it in the firewall. Behind NAT, the router may just not lead this machine to itself.",
    ),
  ];
};

/** The servers that browsers use, as this machine reaches them. */
const checkServers = ({ media: { stunUrls, turnUrls } }: Config): Promise<Check[]> =>
  Promise.all(
    [...stunUrls, ...turnUrls].map(async (url) => {
      const [name, setting] = url.startsWith("stun")
        ? ["STUN server", "STUN_URLS"]
        : ["TURN server", "TURN_URLS"];
      if (/^\w+s:.*transport=udp$/.test(url)) {
        return note(name, `${url} is not tried (DTLS).`, "Try it with a browser.");
      }
      const silence = await silenceOf(url);
      return silence === undefined
        ? ok(name, `${url} answers this machine`)
        : fault(name, `${url}: ${silence}`, `Start it and open its port, or correct ${setting}.`);
    }),
  );

/** Checks the media engine, and what helps browsers connect to it. */
export const checkMedia = async (config: Config): Promise<Check[]> => [
  ...(await checkEngine(config)),
  ...(await checkTurn(config)),
  ...(await checkServers(config)),
];

/** A cluster, LiveKit's program here, or nothing. */
const checkEngine = async (config: Config): Promise<Check[]> => {
  const { engineStatus } = await import("../media/status.ts");
  const { media, dataDir } = config;
  const status = await engineStatus(media, dataDir);
  if (status.engine === "cluster") {
    return [
      status.running
        ? ok(name, status.found)
        : fault(name, status.found, "Check LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET."),
    ];
  }
  if (status.engine === "none") {
    return [
      media.server !== undefined
        ? fault(name, status.found, "Correct LIVEKIT_SERVER, or remove it.")
        : note(
            name,
            `${status.found} Meetings have at most six people.`,
            'Run "parley media install" for larger ones.',
          ),
    ];
  }
  const shared = isShared(config)
    ? [
        note(
          name,
          "This service runs a LiveKit server of its own.",
          "If several processes share the database, set LIVEKIT_URL to one that all of them reach.",
        ),
      ]
    : [];
  return [
    ok(name, status.found),
    ...shared,
    ...(status.running ? [portsInUse(config)] : await checkPorts(config)),
  ];
};
