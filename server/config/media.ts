import { isIP } from "node:net";
import {
  type AcceptedText,
  characters,
  either,
  oneOf,
  printableCharacters,
  wholeNumber,
  word,
} from "../../contract/kit/accepted.ts";
import { define, defineOptional, hide, maskUrl, type openReader } from "./setting.ts";
import { anyPort, LAST_PORT } from "./values.ts";

/** An existing LiveKit server or cluster. */
export interface Cluster {
  /** http or https, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** The TURN server of this process. */
export interface EmbeddedTurn {
  /** The IP address of this machine, as browsers reach it. */
  readonly address: string;
  /** UDP. */
  readonly port: number;
  /** The ports by which relays are told apart, the last one included. Nothing listens on them. */
  readonly from: number;
  readonly to: number;
}

/** The media engine, and how browsers reach it. */
export interface MediaConfig {
  /** Undefined: a child process of this service, where its program is found. */
  readonly cluster: Cluster | undefined;
  /** The path of the LiveKit program; undefined: Parley looks for it. */
  readonly server: string | undefined;
  /** The folders in which to look for programs, in the format of PATH. */
  readonly path: string;
  /** 0 for any free port. */
  readonly udpPort: number;
  /** 0 for any free port. */
  readonly tcpPort: number | "off";
  /** The address that browsers get; undefined: the addresses of this machine. */
  readonly address: string | "auto" | undefined;
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  readonly turnSecret: string | undefined;
  /** Undefined: this process is no TURN server. */
  readonly turn: EmbeddedTurn | undefined;
}

/** LiveKit's own API is http, but its address is usually given as ws or wss. */
const parseLivekitUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^(wss?|https?):\/\/[^/]/i.test(text)) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return undefined;
  return url.href.replace(/^ws/, "http").replace(/\/+$/, "");
};

const parseIceUrls =
  (schemes: string) =>
  (text: string): string[] | undefined => {
    if (text === "none") return [];
    const pattern = new RegExp(
      `^(${schemes}):([\\w.-]+|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?(\\?transport=(udp|tcp))?$`,
    );
    const urls = text.split(",").map((url) => url.trim());
    return urls.every((url) => pattern.test(url)) ? urls : undefined;
  };

/** The first port that a program may open without rights of its own. */
const FIRST_OPEN_PORT = 1_024;
const openPort = wholeNumber({ from: FIRST_OPEN_PORT, to: LAST_PORT });

/** A range of ports, both ends included. */
const portRange: AcceptedText<{ readonly from: number; readonly to: number }> = {
  accepted: `two ports from ${FIRST_OPEN_PORT} to ${LAST_PORT}, such as 30000-30099`,
  parse: (text) => {
    const [from, to, ...more] = text.split("-").map(openPort.parse);
    if (from === undefined || to === undefined || more.length > 0 || from > to) return undefined;
    return { from, to };
  },
};

/** These URLs have no user, but somebody may write one. */
const maskUser = (text: string): string => (text.includes("@") ? hide(text) : text);

export const mediaSettings = {
  livekitUrl: defineOptional({
    name: "LIVEKIT_URL",
    unset: "none: a LiveKit server that Parley runs itself, if its program is found",
    meaning:
      "An existing LiveKit server or cluster that no other application uses: Parley ends rooms that are not its own. Required for media where several processes share a database.",
    accepted: "a ws, wss, http or https URL without user, query and fragment",
    mask: maskUrl,
    parse: parseLivekitUrl,
  }),
  livekitKey: defineOptional({
    name: "LIVEKIT_API_KEY",
    unset: "none",
    meaning: "The API key of the server at LIVEKIT_URL.",
    ...characters({ from: 1, to: 128, of: "letters, digits, - and _", each: /[\w-]/ }),
  }),
  livekitSecret: defineOptional({
    name: "LIVEKIT_API_SECRET",
    unset: "none",
    meaning: "The API secret of the server at LIVEKIT_URL.",
    ...printableCharacters({ from: 32, to: 512 }),
    mask: hide,
  }),
  livekitServer: defineOptional({
    name: "LIVEKIT_SERVER",
    unset: 'none: the one that "parley media install" made, then livekit-server on the PATH',
    meaning: "The program of the LiveKit server that Parley runs.",
    accepted: "the path of a file",
    parse: (text: string) => text,
  }),
  mediaUdp: define({
    name: "MEDIA_UDP",
    default: "7882",
    meaning:
      "The UDP port for the media of all meetings. Open it in the firewall. 0 takes any free one.",
    ...anyPort,
  }),
  mediaTcp: define({
    name: "MEDIA_TCP",
    default: "7881",
    meaning: "The TCP port for browsers whose network blocks UDP. 0 takes any free one.",
    ...either(word("off", "off"), anyPort),
  }),
  mediaAddress: defineOptional({
    name: "MEDIA_ADDRESS",
    unset: "none: the addresses of this machine's network interfaces",
    meaning:
      "The IP address at which browsers reach this machine's media ports, if it is not one of its own (NAT). auto asks a public STUN server; 127.0.0.1 is for this machine only.",
    accepted: "an IP address, or auto",
    parse: (text: string) => (text === "auto" || isIP(text) !== 0 ? text : undefined),
  }),
  stunUrls: define({
    name: "STUN_URLS",
    default: "none",
    meaning:
      "STUN servers for browsers that connect directly. They learn the addresses of the people.",
    accepted: "none, or URLs such as stun:stun.example.org:3478, joined by commas",
    mask: maskUser,
    parse: parseIceUrls("stuns?"),
  }),
  turnUrls: define({
    name: "TURN_URLS",
    default: "none",
    meaning:
      "TURN servers (coturn with use-auth-secret) for browsers that cannot connect otherwise.",
    accepted:
      "none, or URLs such as turn:turn.example.org:3478?transport=udp or turns:turn.example.org:443?transport=tcp, joined by commas",
    mask: maskUser,
    parse: parseIceUrls("turns?"),
  }),
  turnSecret: defineOptional({
    name: "TURN_SECRET",
    unset: "none",
    meaning: "The secret that the TURN servers share with Parley (coturn's static-auth-secret).",
    ...printableCharacters({ from: 8, to: 256 }),
    mask: hide,
  }),
  turn: define({
    name: "TURN",
    default: "none",
    meaning:
      "embedded: Parley is also the TURN server of meetings whose browsers connect directly. Needs MEDIA_ADDRESS.",
    ...oneOf(["none", "embedded"]),
  }),
  turnPort: define({
    name: "TURN_PORT",
    default: "3478",
    meaning: "The UDP port of TURN=embedded. Open it in the firewall.",
    ...wholeNumber({ from: 1, to: LAST_PORT }),
  }),
  turnRelayPorts: define({
    name: "TURN_RELAY_PORTS",
    default: "30000-30999",
    meaning:
      "The ports by which TURN=embedded tells relays apart, one for each browser's connection. Nothing listens on them: open none in the firewall.",
    ...portRange,
  }),
};

/** Reads the settings of media; adds a problem where one of them needs another. */
export const readMedia = (
  { value, optional, problems }: ReturnType<typeof openReader>,
  path: string,
): MediaConfig => {
  const before = problems.length;
  const url = optional(mediaSettings.livekitUrl);
  const key = optional(mediaSettings.livekitKey);
  const secret = optional(mediaSettings.livekitSecret);
  const turnUrls = value(mediaSettings.turnUrls);
  const turnSecret = optional(mediaSettings.turnSecret);
  const isEmbedded = value(mediaSettings.turn) === "embedded";
  const address = optional(mediaSettings.mediaAddress);
  const turnPort = value(mediaSettings.turnPort);
  const relayPorts = value(mediaSettings.turnRelayPorts);
  if (problems.length === before) {
    if (url !== undefined && (key === undefined || secret === undefined)) {
      problems.push("LIVEKIT_URL is set; it needs LIVEKIT_API_KEY and LIVEKIT_API_SECRET.");
    }
    if (turnUrls.length > 0 && turnSecret === undefined) {
      problems.push("TURN_URLS is set; it needs TURN_SECRET.");
    }
    if (isEmbedded && (address === undefined || address === "auto")) {
      problems.push(
        "TURN is embedded; it needs MEDIA_ADDRESS, the IP address at which browsers reach this machine.",
      );
    }
    if (isEmbedded && (url !== undefined || turnUrls.length > 0)) {
      problems.push("TURN is embedded; accepted: that, or LIVEKIT_URL or TURN_URLS.");
    }
  }
  return {
    cluster: url && key && secret ? { url, key, secret } : undefined,
    server: optional(mediaSettings.livekitServer),
    path,
    udpPort: value(mediaSettings.mediaUdp),
    tcpPort: value(mediaSettings.mediaTcp),
    address,
    stunUrls: value(mediaSettings.stunUrls),
    turnUrls,
    turnSecret,
    turn:
      isEmbedded && address !== undefined && address !== "auto"
        ? { address, port: turnPort, ...relayPorts }
        : undefined,
  };
};
