import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "../config.ts";
import { isShared } from "../db/place.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "media engine";

/** Whether a port can be taken; 0 always can. */
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

/** The ports of an engine that does not run now. */
const checkPorts = async ({ media }: Config): Promise<Check[]> => {
  const ports = [
    { kind: "UDP", port: media.udpPort, setting: "MEDIA_UDP" },
    ...(media.tcpPort === "off"
      ? []
      : [{ kind: "TCP", port: media.tcpPort, setting: "MEDIA_TCP" } as const]),
    ...(media.turn ? [{ kind: "UDP", port: media.turn.port, setting: "TURN_PORT" } as const] : []),
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

/** The TURN server of the LiveKit here. */
const checkTurn = ({ media: { turn } }: Config, hasEngine: boolean): Check[] => {
  if (turn === undefined) return [];
  if (!hasEngine) {
    const found = "TURN is embedded, in a LiveKit that is not here.";
    return [fault("TURN server", found, 'Run "parley media install", then restart.')];
  }
  const { address, port, from, to } = turn;
  return [
    ok("TURN server", `LiveKit's, UDP ${port} of ${address}; relays on UDP ${from} to ${to}`),
  ];
};

/** What carries the media of meetings: a cluster, LiveKit's program here, or nothing. */
export const checkMedia = async (config: Config): Promise<Check[]> => {
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
      ...checkTurn(config, false),
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
    ...checkTurn(config, true),
    ...(status.running ? [] : await checkPorts(config)),
  ];
};
