/*
 * The parts of the contract that pages need besides types. No schemas here: a page that imports one loads
 * Zod.
 */

/** The length of a text in code points, which is what people count. */
export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** The length of a password that a person chooses (NIST SP 800-63B, 3.1.1). */
export const passwordLength = { min: 15, max: 256 } as const;

/** The most people in a meeting without a media engine: each browser sends to all others. */
export const DIRECT_SEATS = 6;

/** The roles inside a meeting. */
export const peerTypes = ["moderator", "participant", "viewer"] as const;
export type PeerType = (typeof peerTypes)[number];

/** The longest name that a person may enter. */
export const PEER_NAME = 80;
/** The longest chat message. */
export const CHAT_TEXT = 2000;

/** The largest body of a request, in bytes. */
export const BODY_BYTES = 1024 * 1024;

/** The page sizes of the user lists. */
export const pageSizes = [10, 25, 50, 100] as const;

/** The most lines of an import that can be carried out as one: all or none. */
export const ALL_LINES = 200;

/** The most webhooks of an organization. */
export const WEBHOOKS = 20;
