import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { createSessionToken as contract } from "../../contract/meetings.ts";
import type { Checked } from "../../contract/operation.ts";
import { checkAccessKey, useAccessKey } from "../access/access-keys.ts";
import { keepToScope } from "../access/caller.ts";
import { callerOf, openAccessKey } from "../access/exchange.ts";
import type { Count } from "../access/sessions.ts";
import type { InvitationsTable } from "../db/meeting-tables.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { invitedPerson } from "../db/person-keys.ts";
import { digestOf } from "../digest.ts";
import { type Change, type Organization, openOrganization, type Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { findRoom } from "../rooms/queries.ts";
import { codeOf } from "./links.ts";

/** An invitation of one named person into one room. It is no seat: it only opens the door. */
export type Invitation = Selectable<InvitationsTable>;

/** The person as an application names them: invitations of one key and ID are for one person. */
type Asked = Checked<typeof contract>;

/**
 * The organization of an access key that invites by its secret. Each change looks at the key again: it
 * may have been removed or edited meanwhile.
 *
 * @throws Refusal `wrong_access_key`, `access_key_ended`, `rooms_scope_needed`, `too_many_requests`
 */
export const organizationOfSecret = async (
  service: { readonly database: Database; readonly onError: (error: unknown) => void },
  { accessKey, secretAccessKey }: Pick<Asked, "accessKey" | "secretAccessKey">,
  asking: { readonly address: string; readonly count: Count },
): Promise<Organization> => {
  const secret = { accessKey, secretAccessKey };
  const key = await openAccessKey(service, { ...secret, ...asking });
  keepToScope(contract, key);
  const caller = callerOf(key);
  return openOrganization(service.database, key.organization_id, caller, async (tx) => {
    keepToScope(contract, (await checkAccessKey(tx, secret)) ?? refuse("wrong_access_key"));
    return caller;
  });
};

/**
 * Invites somebody, in the name of an access key.
 *
 * @throws Refusal `room_not_found`
 */
export const createSessionToken = async (
  change: Change,
  { accessKey, roomId, ...asked }: Asked,
): Promise<{ readonly sessionToken: string; readonly roomName: string; readonly code: string }> => {
  const { tx, organization } = change;
  await useAccessKey(tx, accessKey).execute();
  const room = (await findRoom(tx, organization.id, roomId)) ?? refuse("room_not_found");
  const sessionToken = randomBytes(32).toString("base64url");
  await tx
    .insertInto("invitations")
    .values({
      ...{ digest: digestOf(sessionToken), organization_id: organization.id, room_id: room.id },
      ...{ access_key_id: accessKey, peer_name: asked.peerName, role: asked.peerType },
      person: invitedPerson(accessKey, asked.peerId ?? randomBytes(16).toString("base64url")),
      ...{ created_at: now(), expires_at: now(asked.expiresIn * 1000) },
    })
    .execute();
  return { sessionToken, roomName: room.name, code: await codeOf(change, room, false) };
};

/** The invitation of a session token; undefined once it has expired or its access key has ended. */
export const findInvitation = (
  db: Queries,
  sessionToken: string,
): Promise<Invitation | undefined> =>
  db
    .selectFrom("invitations as i")
    .innerJoin("access_keys as k", "k.id", "i.access_key_id")
    .selectAll("i")
    .where("i.digest", "=", digestOf(sessionToken))
    .where("i.expires_at", ">", now())
    .where((eb) => eb.or([eb("k.expires_at", "is", null), eb("k.expires_at", ">", now())]))
    .executeTakeFirst();

/**
 * The invitation that a request brings; undefined where it brings none.
 *
 * @throws Refusal `link_ended`
 */
export const broughtInvitation = async (
  db: Queries,
  sessionToken: string | undefined,
): Promise<Invitation | undefined> =>
  sessionToken === undefined
    ? undefined
    : ((await findInvitation(db, sessionToken)) ?? refuse("link_ended"));
