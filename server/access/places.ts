import type { Change, Queries } from "../change/organization.ts";
import { isSameAccount } from "../db/account.ts";
import type { Seal } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { letterLanguage, postLetter } from "../mail/outbox.ts";
import { readDevice } from "./devices.ts";
import { isNoted, noteAgain, noteOf } from "./notes.ts";
import { countedAddress } from "./throttle.ts";

/*
 * A person gets an email after a sign-in from somewhere new: from a browser without a device cookie of the
 * account, and from a network from which nobody has signed in to it lately. Programs that sign in by a password
 * keep no cookies, and come from one network.
 */

/** For how long a network is known. */
const KNOWN_MS = 30 * DAY_MS;
/** How long after a sign-in an account counts as used: the first sign-in to an unused one is no surprise. */
const USED_MS = 365 * DAY_MS;

/** The columns by which a note names an account: another one may get the ID of a deleted one. */
type Noted = Pick<UserRow, "id" | "created_at">;

const usedNote = ({ id, created_at }: Noted) => noteOf(USED_MS, "signed in", id, created_at);

/** Returns whether somebody has signed in to an account in the last year. */
export const hasSignedIn = (tx: Queries, user: Noted): Promise<boolean> =>
  isNoted(tx, usedNote(user));

/** Notes that somebody has signed in to an account, by whatever way: its person gets emails from now on. */
export const noteSignedIn = (tx: Queries, user: Noted): Promise<void> =>
  noteAgain(tx, usedNote(user));

/** Where somebody signs in. */
export interface Place {
  readonly seal: Seal;
  readonly publicUrl: string;
  /** The request's device cookies; those of a former password count too. */
  readonly devices: readonly string[];
  readonly userAgent?: string | undefined;
}

/** Notes where somebody has signed in, and posts the email if it is somewhere new. */
export const noticePlace = async (
  change: Change,
  user: UserRow,
  { seal, publicUrl, devices, userAgent }: Place,
): Promise<void> => {
  const { tx, organization, address, now } = change;
  const used = usedNote(user);
  const from = countedAddress(address ?? "");
  const here = noteOf(KNOWN_MS, "place", user.id, user.created_at, from);
  const [wasUsed, wasHere] = await Promise.all([isNoted(tx, used), isNoted(tx, here)]);
  await Promise.all([noteAgain(tx, used), noteAgain(tx, here)]);
  const isKnown = devices.some((cookie) => {
    const device = readDevice(seal, cookie);
    return device !== undefined && isSameAccount(device, user);
  });
  if (!wasUsed || wasHere || isKnown) return;
  await postLetter(change, seal, {
    organizationId: user.organization_id,
    userId: user.id,
    kind: "new-sign-in",
    recipient: user.email,
    credentials: user.credentials,
    content: {
      language: letterLanguage(organization, user),
      timeZone: user.time_zone,
      name: user.name,
      loginUrl: `${publicUrl}/account`,
      signedInAt: now,
      from: address ?? "",
      browser: userAgent?.slice(0, 200) ?? "",
    },
  });
};
