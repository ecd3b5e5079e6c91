import { asLine, PEER_NAME } from "../../../contract/kit/plain.ts";
import { PROTOCOL } from "../../embed/protocol.ts";
import { base } from "../../kit/base.ts";
import { ownMedia } from "../call/own-media.ts";
import { beforeMeeting } from "../call/state.ts";
import { meeting } from "../connection.ts";
import { embedding } from "./embedding.ts";
import { eventsBetween, type Moment } from "./events.ts";
import { openLine } from "./line.ts";
import { carryOut } from "./methods.ts";

/** The answer of /embed.json. */
interface Embedding {
  readonly origins: readonly string[];
}

/** After this long it is asked again who may embed this page, in milliseconds. */
const ASK_AGAIN = 3_000;

/** The origins whose pages may embed this one, as the service is configured. */
const askWhoMayEmbed = async (): Promise<readonly string[]> => {
  try {
    const answer = await fetch(`${base}/embed.json`);
    // Neither overloaded nor behind a proxy that says that it is away.
    if (answer.status === 200) return ((await answer.json()) as Embedding).origins;
    if (answer.status < 500) return [];
  } catch {
    // It cannot be reached.
  }
  await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN));
  return askWhoMayEmbed();
};

/** Tells what happens in this page, beginning with what has happened. */
const follow = (tell: Parameters<Parameters<typeof openLine>[0]["onOpen"]>[0]): void => {
  let last: Moment = { meeting: beforeMeeting, own: ownMedia.get() };
  const look = (): void => {
    const now: Moment = { meeting: meeting.get(), own: ownMedia.get() };
    const events = eventsBetween(last, now);
    last = now;
    events.forEach(tell);
  };
  meeting.subscribe(look);
  ownMedia.subscribe(look);
  look();
};

/** Connects this page with the kit in the page around it, if that one may embed meetings. */
export const connectEmbedder = async (): Promise<void> => {
  const { parent } = window;
  const origins = await askWhoMayEmbed();
  const hear = openLine({
    parent,
    origins,
    post: (message, origin) => parent.postMessage(message, origin),
    appear: ({ name, ...looks }) =>
      embedding.set({ ...looks, name: asLine(name).slice(0, PEER_NAME) }),
    carryOut,
    onOpen: follow,
  });
  addEventListener("message", hear);
  // Whose page it is, its answer says; this message says nothing to another one.
  parent.postMessage({ parley: PROTOCOL, type: "ready" }, "*");
};
