import { isIP } from "node:net";
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { isPublic } from "../../lib/dialing.ts";
import { isAmong } from "../../lib/networks.ts";

/*
 * The signals that reach the hidden browser of a capture from the browsers of a direct meeting. WebRTC sends
 * packets to every address that the other side names, and this browser runs inside the operator's network.
 */

/** Returns whether the hidden browser may send packets to an address and port that somebody names. */
export type MayCall = (address: string, port: number) => boolean;

/** Ports of browsers and relays; below are those of other services. */
const FIRST_PORT = 1024;

const isLoopback = isAmong(["loopback"]);

/**
 * Decides for the person whose socket comes from an address: theirs may be called too, so that a meeting in
 * the operator's own network can be recorded, except where all of them seem to come from this machine.
 */
export const callsFor = ({
  allowedNetworks,
  media: { turn },
}: Pick<Config, "allowedNetworks" | "media">) => {
  const isAllowed = isAmong(allowedNetworks);
  return (from: string): MayCall => {
    const own = from.replace(/^::ffff:/, "");
    return (address, port) =>
      port >= FIRST_PORT &&
      (isPublic(address) ||
        isAllowed(address) ||
        (address === own && !isLoopback(address)) ||
        (address === turn?.address && port >= turn.from && port <= turn.to));
  };
};

/** The message of a page to another one (console/meet/call/direct.ts). */
const signal = z.object({
  session: z.string().optional(),
  to: z.string().optional(),
  description: z.object({ type: z.enum(["offer", "answer"]), sdp: z.string() }).nullish(),
  candidate: z
    .object({
      candidate: z.string(),
      sdpMid: z.string().nullish(),
      sdpMLineIndex: z.number().nullish(),
      usernameFragment: z.string().nullish(),
    })
    .nullish(),
});

/**
 * Returns whether a candidate (RFC 8839, 5.1) is an IP address to which packets may go. A name ending in .local is
 * none: it would be looked up in the operator's network.
 */
const isTaken = (candidate: string, mayCall: MayCall): boolean => {
  const [, address = "", port] =
    /^(?:a=)?candidate:\S+ \d+ \w+ \d+ (\S+) (\d{1,5}) typ /.exec(candidate) ?? [];
  return isIP(address) !== 0 && mayCall(address, Number(port));
};

const cleanSdp = (sdp: string, mayCall: MayCall): string =>
  sdp
    .split(/\r\n|\r|\n/)
    .filter((line) => !/candidate/i.test(line) || isTaken(line, mayCall))
    .join("\r\n");

/**
 * A signal for a capture, without the addresses to which its browser must not send packets. The other browser
 * connects to this one all the same: it gets this one's addresses, and may call them.
 *
 * @returns undefined if nothing is left, or no page sends this
 */
export const signalForCapture = (data: string, mayCall: MayCall): string | undefined => {
  let sent: unknown;
  try {
    sent = JSON.parse(data);
  } catch {
    return undefined;
  }
  const read = signal.safeParse(sent);
  if (!read.success) return undefined;
  const { description, candidate } = read.data;
  if (candidate && !isTaken(candidate.candidate, mayCall)) return undefined;
  if (description) description.sdp = cleanSdp(description.sdp, mayCall);
  return JSON.stringify(read.data);
};
