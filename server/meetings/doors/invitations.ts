import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Checked, Operation } from "../../../contract/kit/operation.ts";
import { reason } from "../../../contract/kit/reasons.ts";
import type {
  createSessionToken as contract,
  revokeSessionToken as revokeContract,
} from "../../../contract/meetings/meetings.ts";
import { checkAccessKey, useAccessKey } from "../../access/access-keys.ts";
import { keepToScope } from "../../access/caller.ts";
import { callerOf, openAccessKey } from "../../access/exchange.ts";
import type { Count } from "../../access/sessions.ts";
import {
  type Change,
  type Organization,
  openOrganization,
  type Queries,
} from "../../change/organization.ts";
import type { Expiry } from "../../change/removals.ts";
import type { InvitationsTable } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import type { Database } from "../../db/open.ts";
import { invitedPerson } from "../../db/person-keys.ts";
import { digestOf } from "../../lib/digest.ts";
import { refuse } from "../../lib/refusal.ts";
import { findRoom } from "../../records/room-queries.ts";
import { codeOf } from "../state/links.ts";
import { LONGEST_MS } from "../state/meeting-invitations.ts";
import { findOpenMeeting, findSeat } from "../state/open-meeting.ts";
import { shutOutInvited } from "./expel.ts";

/** How long an invitation lets somebody watch a live stream, in seconds. */
export const WATCH_SECONDS = 12 * 3600;

/** An invitation of one named person into one room. It is no seat: it only opens the door. */
export type InvitationRow = Selectable<InvitationsTable>;

/** The person as the application names them: invitations with the same key and ID are for one person. */
type Asked = Checked<typeof contract>;

/**
 * The organization of an access key that comes with its secret, for one of the operations here. Each
 * change looks at the key again: it may have been removed or edited meanwhile.
 *
 * @throws Refusal `wrong_access_key`, `access_key_ended`, `rooms_scope_needed`, `too_many_requests`
 */
export const organizationOfSecret = async (
  service: { readonly database: Database; readonly onError: (error: unknown) => void },
  operation: Operation,
  { accessKey, secretAccessKey }: Pick<Asked, "accessKey" | "secretAccessKey">,
  asking: { readonly address: string; readonly count: Count },
): Promise<Organization> => {
  const secret = { accessKey, secretAccessKey };
  const key = await openAccessKey(service, { ...secret, ...asking });
  keepToScope(operation, key);
  const caller = callerOf(key);
  return openOrganization(service.database, key.organization_id, caller, {
    lookAgain: async (tx) => {
      keepToScope(operation, (await checkAccessKey(tx, secret)) ?? refuse("wrong_access_key"));
      return caller;
    },
  });
};

/** An invitation that was made. */
interface Invited {
  readonly sessionToken: string;
  readonly roomName: string;
  /** The code of the room's link, or the room's ID. */
  readonly place: string;
  /** True if the person has a seat in the room's meeting now. */
  readonly isInside: boolean;
}

/**
 * Invites somebody, in the name of an access key.
 *
 * @throws Refusal `room_not_found`
 */
export const createSessionToken = async (
  change: Change,
  { accessKey, roomId, ...asked }: Asked,
): Promise<Invited> => {
  const { tx, organization } = change;
  await useAccessKey(tx, accessKey).execute();
  const room = (await findRoom(tx, organization.id, roomId)) ?? refuse("room_not_found");
  const sessionToken = randomBytes(32).toString("base64url");
  const person = invitedPerson(accessKey, asked.peerId ?? randomBytes(16).toString("base64url"));
  const meeting = await findOpenMeeting(tx, room.id);
  const seat = meeting && (await findSeat(tx, meeting.id, person));
  await tx
    .insertInto("invitations")
    .values({
      digest: digestOf(sessionToken),
      organization_id: organization.id,
      room_id: room.id,
      access_key_id: accessKey,
      peer_name: asked.peerName,
      role: asked.peerType,
      person,
      created_at: now(),
      expires_at: now(asked.until === "meeting" ? LONGEST_MS : asked.expiresIn * 1000),
      until_meeting: asked.until === "meeting",
      metadata: asked.metadata === undefined ? null : JSON.stringify(asked.metadata),
      lobby: asked.lobby ?? null,
      return_url: asked.returnUrl ?? null,
    })
    .execute();
  return {
    sessionToken,
    roomName: room.name,
    place: asked.withLink ? await codeOf(change, room, false) : room.room,
    isInside: seat !== undefined && seat.state !== "returning",
  };
};

/**
 * Ends an access key's invitation into a room, or all of a person's, and ends the seat of that person.
 *
 * @throws Refusal `room_not_found`, `peer_not_found`
 */
export const revokeSessionToken = async (
  change: Change,
  { accessKey, roomId, sessionToken, peerId }: Checked<typeof revokeContract>,
): Promise<void> => {
  const { tx, organization } = change;
  await useAccessKey(tx, accessKey).execute();
  const room = (await findRoom(tx, organization.id, roomId)) ?? refuse("room_not_found");
  const named = peerId === undefined ? undefined : invitedPerson(accessKey, peerId);
  const revoked = await tx
    .deleteFrom("invitations")
    .where("room_id", "=", room.id)
    .where("access_key_id", "=", accessKey)
    .where((eb) =>
      named === undefined
        ? eb("digest", "=", digestOf(sessionToken ?? ""))
        : eb("person", "=", named),
    )
    .returning("person")
    .execute();
  const person = named ?? revoked[0]?.person;
  const wasInside = person !== undefined && (await shutOutInvited(change, room.id, person));
  if (revoked.length === 0 && !wasInside) {
    refuse("peer_not_found", [], reason("no_such_invitation"));
  }
};

/**
 * The invitation of a session token, and whether it or its access key has expired; undefined once it is
 * revoked, or its access key removed.
 */
export const findInvitation = async (
  db: Queries,
  sessionToken: string,
): Promise<(InvitationRow & { readonly hasEnded: boolean }) | undefined> => {
  const found = await db
    .selectFrom("invitations as i")
    .innerJoin("access_keys as k", "k.id", "i.access_key_id")
    .selectAll("i")
    .select(["k.expires_at as key_expires_at", now().as("currentTime")])
    .where("i.digest", "=", digestOf(sessionToken))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { key_expires_at: keyEnd, currentTime, ...invitation } = found;
  const hasEnded = [invitation.expires_at, keyEnd].some(
    (end) => end !== null && end <= currentTime,
  );
  return { ...invitation, hasEnded };
};

/** Returns whether the invitation with this digest was revoked, alone or with its access key. */
export const isRevoked = async (db: Queries, digest: string): Promise<boolean> => {
  const row = await db
    .selectFrom("invitations")
    .select("digest")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row === undefined;
};

/** Expired invitations, once nobody can be watching a live stream with them either. */
export const oldInvitations: Expiry = {
  table: "invitations",
  key: "digest",
  by: "expires_at",
  until: now(-WATCH_SECONDS * 1000),
};
