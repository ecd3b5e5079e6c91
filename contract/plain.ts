/*
 * What pages need of the contract beside types. No schemas are here: a page that imports one loads Zod.
 */

/** The length of a text in code points, which is what people count. */
export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** The length of a password that a person chooses (NIST SP 800-63B, 3.1.1). */
export const passwordLength = { min: 15, max: 256 } as const;

/** Without a media engine each browser sends to each other one: more people need one. */
export const DIRECT_SEATS = 6;

/** As what somebody is inside. */
export const peerTypes = ["moderator", "participant", "viewer"] as const;
export type PeerType = (typeof peerTypes)[number];

/** How long a name that somebody gives may be. */
export const PEER_NAME = 80;
/** How long a message of the chat may be. */
export const CHAT_TEXT = 2000;

/** The largest body of a request, in bytes. */
export const BODY_BYTES = 1024 * 1024;

/** The page sizes of the user lists. */
export const pageSizes = [10, 25, 50, 100] as const;

/** The most lines of an import that are carried out all together, or not at all. */
export const ALL_LINES = 200;

/** The most webhooks of an organization. */
export const WEBHOOKS = 20;
