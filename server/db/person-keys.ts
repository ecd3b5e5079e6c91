/*
 * The values of the column `person` of seats, bans and invitations: the same for every connection of
 * one person.
 */

/** How the key of somebody with an account begins; the ID follows. */
export const USER = "user:";

/** The key of somebody with an account. */
export const userPerson = (userId: string): string => `${USER}${userId}`;

/** How the key of a guest begins. */
export const GUEST = "guest:";

/** The key of a guest, by their browser. */
export const guestPerson = (device: string): string => `${GUEST}${device}`;

/** The browser of a guest's key; undefined for everybody else. */
export const guestOfPerson = (person: string): string | undefined =>
  person.startsWith(GUEST) ? person.slice(GUEST.length) : undefined;

/**
 * The prefix of the keys of everybody whom the holder of an access key invited; by itself, the holder's
 * own key.
 */
export const invitedBy = (accessKey: string): string => `key:${accessKey}/`;

/** The key of a caller. IDs alone may be the same text: imported people may have that of an access key. */
export const callerPerson = ({
  userId,
  accessKey,
}: {
  readonly userId: string | null;
  readonly accessKey: string | null;
}): string => (userId === null ? invitedBy(accessKey ?? "") : userPerson(userId));

/** A pattern that fits the own key of every holder of an access key, and of nobody whom they invited. */
export const HOLDER = "key:%/";

/** The access key whose holder has this key (`invitedBy`). */
export const holderOf = (person: string): string => person.slice("key:".length, -1);

/** The key of somebody whom the holder of an access key invited by a name of its own. */
export const invitedPerson = (accessKey: string, peerId: string): string =>
  `${invitedBy(accessKey)}${peerId}`;
