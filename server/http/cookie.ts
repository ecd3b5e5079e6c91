import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RENEWAL_SECONDS } from "../access/tokens.ts";
import type { Config } from "../config.ts";

const NAME = "parley_renewal";

/** The renewal cookie of a request, and of its answer. */
export interface RenewalCookie {
  /** What came with the request. */
  readonly value: () => string | undefined;
  readonly set: (value: string) => void;
  readonly end: () => void;
}

/**
 * The renewal cookie: no script reads it, no other site sends it, and only the session's own
 * operations get it.
 */
export const renewalCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Pick<Config, "publicUrl">,
): RenewalCookie => {
  const write = (value: string, maxAge: number): void => {
    reply.header(
      "set-cookie",
      stringifySetCookie({
        name: NAME,
        value,
        maxAge,
        httpOnly: true,
        sameSite: "strict",
        path: "/api/session",
        secure: publicUrl.startsWith("https:"),
      }),
    );
  };
  return {
    value: () => parseCookie(request.headers.cookie ?? "")[NAME],
    set: (value) => write(value, RENEWAL_SECONDS),
    end: () => write("", 0),
  };
};
