import type { Peer, ServerMessage, View } from "../../../contract/meetings/socket.ts";

type Change = Extract<ServerMessage, { readonly type: "welcome" | "changed" | "peers" }>;

/**
 * Who is inside after some people came or changed and others left; those who have been inside longest first.
 */
const mergePeers = (
  before: readonly Peer[],
  changed: readonly Peer[],
  gone: readonly string[],
): readonly Peer[] => {
  const byId = new Map(before.map((peer) => [peer.peerId, peer]));
  for (const peerId of gone) byId.delete(peerId);
  for (const peer of changed) byId.set(peer.peerId, peer);
  return [...byId.values()];
};

/** What this person sees after a message; undefined before the first welcome. */
export const merge = (view: View | undefined, message: Change): View | undefined => {
  if (message.type === "welcome") {
    const { type: _, media: __, chat: ___, ...whole } = message;
    return whole;
  }
  if (view === undefined) return undefined;
  if (message.type === "peers") {
    return { ...view, peers: mergePeers(view.peers, message.changed, message.gone) };
  }
  const { type: _, ...parts } = message;
  return { ...view, ...parts };
};
