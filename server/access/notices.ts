import type { Change, Queries } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import type { WayChange } from "../mail/letter-html.ts";
import { letterLanguage, postNotice } from "../mail/outbox.ts";
import { hasSignedIn } from "./places.ts";
import type { Authenticated } from "./tokens.ts";

/* A change of how a person signs in causes an email, so an intruder cannot hide one. */

/** The most characters of a browser's own description. */
const LONGEST_AGENT = 200;

/** The description that the browser of a session gave of itself. */
const agentOf = async (tx: Queries, session: string | null): Promise<string | undefined> => {
  if (session === null) return undefined;
  const row = await tx
    .selectFrom("tokens")
    .select("user_agent")
    .where("session", "=", session)
    .where("purpose", "=", "renewal")
    .executeTakeFirst();
  return row?.user_agent ?? undefined;
};

/** Where a person has made a change; omitted for a change by somebody else. */
type Made = Pick<Authenticated, "session"> | { readonly userAgent: string | undefined };

interface Told {
  readonly by?: Made;
  /** By default, the address of the account. */
  readonly recipient?: string;
}

/**
 * Posts an email to a person about a change of how the person signs in. Network and browser are named if the person
 * has made the change.
 */
export const tellPerson = async (
  change: Change,
  user: UserRow,
  changed: WayChange,
  { by, recipient = user.email }: Told = {},
): Promise<void> => {
  const { tx, organization, address, now } = change;
  // An account that nobody has used yet: the person sets it up.
  if (user.credentials === 1 && !(await hasSignedIn(tx, user))) return;
  const agent = by && ("session" in by ? await agentOf(tx, by.session) : by.userAgent);
  await postNotice(change, {
    organizationId: user.organization_id,
    userId: user.id,
    recipient,
    credentials: user.credentials,
    content: {
      language: letterLanguage(organization, user),
      timeZone: user.time_zone,
      name: user.name,
      changed,
      changedAt: now,
      from: by ? (address ?? "") : "",
      browser: agent?.slice(0, LONGEST_AGENT) ?? "",
    },
  });
};
