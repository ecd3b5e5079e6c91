import type { Queries } from "../change/organization.ts";
import { DAY_MS } from "../lib/durations.ts";
import { isNoted, noteAgain, noteOf } from "./notes.ts";

/*
 * A session that expires lets its person come back to a meeting in the same browser; one that somebody has
 * ended does not. Expired or ended, its tokens are gone, so what was ended is noted.
 */

/** Longer than any session. */
const SIGNED_OUT_MS = DAY_MS;

const signedOut = (userId: string) => noteOf(SIGNED_OUT_MS, "signed out", userId);

/** Notes that a person has ended sessions: by signing out, or with a new password. */
export const noteSignedOut = (tx: Queries, userId: string): Promise<void> =>
  noteAgain(tx, signedOut(userId));

/** Whether a person has ended sessions lately. */
export const hasSignedOut = (db: Queries, userId: string): Promise<boolean> =>
  isNoted(db, signedOut(userId));
