import assert from "node:assert/strict";
import { type Ask, cookieOf } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { openSocket, type Somebody } from "./inside.ts";

interface Service {
  readonly url: string;
  readonly open: Ask;
}

/** One browser, in which a person enters a room repeatedly with the same cookie. */
export interface Browser {
  /** Asks for a seat. */
  readonly join: (more?: object) => ReturnType<Ask>;
  /** The code of a refusal, or the status. */
  readonly tries: (more?: object) => Promise<unknown>;
  /** Enters, or comes back; inside, or in the lobby, once this resolves. */
  readonly enter: (more?: object) => Promise<Somebody>;
  readonly cookie: () => string;
}

/**
 * Opens a browser.
 *
 * @param asked how its person asks for a seat
 * @param ask sends requests with a token; without one for a guest if omitted
 */
export const openBrowser = (
  t: Scope,
  { url, open }: Service,
  asked: { readonly roomId: string; readonly peerName?: string; readonly sessionToken?: string },
  ask: Ask = open,
): Browser => {
  let cookie = "";
  const join = async (more: object = {}) => {
    const headers = cookie === "" ? {} : { cookie };
    const answer = await ask("joinRoom", { ...asked, ...more }, headers);
    if (cookie === "") cookie = cookieOf(answer);
    return answer;
  };
  return {
    join,
    tries: async (more) => {
      const { status, body } = await join(more);
      return body.code ?? status;
    },
    enter: async (more) => {
      const { status, body } = await join(more);
      assert.ok(status === 200 || status === 202, JSON.stringify(body));
      const somebody = await openSocket(t, url, { ...body, peerId: body.peer.peerId });
      await until("the socket is welcomed", () => somebody.messages.length > 0);
      return somebody;
    },
    cookie: () => cookie,
  };
};

/**
 * The message that a page sends when it closes.
 *
 * @param mayReturn whether its person may come back for a moment, as after a reload
 */
export const close = async (
  { open }: Pick<Service, "open">,
  { ticket }: Pick<Somebody, "ticket">,
  mayReturn = true,
): Promise<void> => assert.equal((await open("leaveRoom", { ticket, mayReturn })).status, 200);
