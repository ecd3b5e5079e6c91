import type { FastifyReply, FastifyRequest } from "fastify";
import { RENEWAL_SECONDS } from "../access/tokens.ts";
import type { Config } from "../config.ts";

const NAME = "parley_renewal";

/** The value of the renewal cookie that came with a request. */
export const readRenewal = (request: FastifyRequest): string | undefined => request.cookies[NAME];

/** Sets and ends the renewal cookie of an answer. */
export interface RenewalCookie {
  set(value: string): void;
  end(): void;
}

/**
 * The renewal cookie of an answer: no script reads it, no other site sends it, and only the
 * session's own operations get it.
 */
export const renewalCookie = (
  reply: FastifyReply,
  { publicUrl }: Pick<Config, "publicUrl">,
): RenewalCookie => {
  const attributes = {
    httpOnly: true,
    sameSite: "strict",
    path: "/api/session",
    secure: publicUrl.startsWith("https:"),
  } as const;
  return {
    set: (value) => reply.setCookie(NAME, value, { ...attributes, maxAge: RENEWAL_SECONDS }),
    end: () => reply.clearCookie(NAME, attributes),
  };
};
