import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DEVICE_SECONDS } from "../access/devices.ts";
import { RENEWAL_SECONDS } from "../access/tokens.ts";
import type { Config } from "../config/config.ts";
import { watchPath } from "../live/watch.ts";
import { WATCH_SECONDS } from "../meetings/doors/invitations.ts";
import { SIGN_IN_SECONDS } from "../sign-in/begin.ts";

/** A cookie of a request, and of its answer. */
export interface Cookie {
  /**
   * The values in a request, in order. A browser sends every cookie of this name, also of other
   * paths and domains; try each, because only what it opens tells which one is Parley's. None where there
   * are too many: the first may all be of a page of another host below the same domain.
   */
  readonly values: () => readonly string[];
  readonly set: (value: string) => void;
  readonly end: () => void;
}

/** The cookies of a session. */
export interface Cookies {
  /** Makes new tokens. */
  readonly renewal: Cookie;
  /** Shows that an account signed in recently on this device. */
  readonly device: Cookie;
  /** Identifies a guest of meetings: the same guest gets the same seat. */
  readonly guest: Cookie;
  /** Keeps what a sign-in has begun, for the way back from a provider, below this path. */
  readonly signIn: (path: string) => Cookie;
  /** Opens the parts of one live stream. */
  readonly watch: (streamId: string) => Cookie;
  /** Opens the files below a path, those of one recording, for this many seconds. */
  readonly recording: (path: string, seconds?: number) => Cookie;
}

/** The most values to try: each may cost a lookup. */
const MOST_VALUES = 5;

/** How long a guest is known. */
const GUEST_SECONDS = 30 * 24 * 3600;

/**
 * The cookies of sessions and guests: hidden from scripts and other sites, and sent only to
 * operations that need them.
 */
export const cookiesOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, basePath, cookieSuffix }: Pick<Config, "publicUrl" | "basePath" | "cookieSuffix">,
): Cookies => {
  const isSecure = publicUrl.startsWith("https:") || request.protocol === "https";
  const cookie = (
    called: string,
    seconds: number,
    path = "/api/session",
    {
      sameSite = "strict",
      ofHost = false,
    }: { readonly sameSite?: "strict" | "lax"; readonly ofHost?: boolean } = {},
  ): Cookie => {
    // With this prefix, browsers take it from no other host, and only with these attributes.
    const isOfHost = ofHost && isSecure && basePath === "";
    const name = (isOfHost ? "__Host-" : "") + called + cookieSuffix;
    const write = (value: string, maxAge: number): void => {
      reply.header(
        "set-cookie",
        stringifySetCookie({
          name,
          value,
          maxAge,
          httpOnly: true,
          sameSite,
          path: isOfHost ? "/" : basePath + path,
          secure: isSecure,
        }),
      );
    };
    return {
      values: () => {
        const pairs = (request.headers.cookie ?? "").split(";");
        const values = new Set(pairs.map((pair) => parseCookie(pair)[name] ?? ""));
        values.delete("");
        return values.size > MOST_VALUES ? [] : [...values];
      },
      set: (value) => write(value, seconds),
      end: () => write("", 0),
    };
  };
  return {
    renewal: cookie("parley_renewal", RENEWAL_SECONDS),
    device: cookie("parley_device", DEVICE_SECONDS),
    // Otherwise a page of another host below the same domain could choose it, and take the person's seat.
    guest: cookie("parley_guest", GUEST_SECONDS, "/api/meeting", { ofHost: true }),
    // A browser that comes back from a provider comes from another site.
    signIn: (path) => cookie("parley_sign_in", SIGN_IN_SECONDS, path, { sameSite: "lax" }),
    watch: (streamId) => cookie("parley_watch", WATCH_SECONDS, watchPath(streamId)),
    recording: (path, seconds = 0) => cookie("parley_recording", seconds, path),
  };
};
