import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Authenticated } from "../../access/tokens.ts";
import type { Queries } from "../../change/organization.ts";
import { callerPerson, guestPerson, invitedBy, userPerson } from "../../db/person-keys.ts";
import type { UserRow } from "../../db/tables.ts";
import { hasPassword } from "../../records/room-secrets.ts";
import { findUser } from "../../records/user-queries.ts";
import { seatsOf } from "../seats/places.ts";
import { isHigher } from "../seats/role-limits.ts";
import type { InvitationRow } from "./invitations.ts";

/** A person who asks to enter a room. */
export interface Visitor {
  /** As in `seats.person`. */
  readonly person: string;
  /** The account in the room's organization; null for others. */
  readonly userId: string | null;
  /** The name by which the service knows them. */
  readonly name: string | null;
  /**
   * host: an owner, an administrator or an access key; member: another person of the organization;
   * invited: by an application; guest: anyone with the link.
   */
  readonly kind: "host" | "member" | "invited" | "guest";
  /** The role in the invitation; undefined for others. */
  readonly role: PeerType | undefined;
  /** The highest role that moderators of the running meeting have left them; undefined: none was taken. */
  readonly limit?: PeerType | undefined;
  /** The person's metadata, as in `seats`. */
  readonly metadata?: string | null;
  /** As in `invitations`. */
  readonly lobby?: boolean | null;
  readonly returnUrl?: string | null;
}

/** The credentials of a visitor. */
export interface Papers {
  readonly auth: Authenticated | undefined;
  readonly invitation: InvitationRow | undefined;
  /** The digest of the guest's cookie. */
  readonly guest: string;
}

/** The role of somebody of the organization at the door of its room. */
export const kindOfUser = (
  { owners }: Pick<Room, "owners">,
  { id, admin }: Pick<UserRow, "id" | "admin">,
): "host" | "member" => (admin || owners.includes(id) ? "host" : "member");

/** As whom somebody probably stands at the door, before the database is asked. */
export const likelyPerson = (
  organizationId: string,
  { auth, invitation, guest }: Papers,
): string => {
  if (invitation) return invitation.person;
  if (auth?.organizationId !== organizationId) return guestPerson(guest);
  return callerPerson(auth.caller);
};

/** Identifies the visitor at the door of a room. A person of another organization is a guest. */
export const visitorOf = async (
  db: Queries,
  organizationId: string,
  room: Pick<Room, "owners">,
  { auth, invitation, guest }: Papers,
): Promise<Visitor> => {
  if (invitation) {
    const { person, peer_name: name, role, metadata, lobby, return_url: returnUrl } = invitation;
    return { person, name, role, userId: null, kind: "invited", metadata, lobby, returnUrl };
  }
  const stranger: Visitor = {
    person: guestPerson(guest),
    userId: null,
    name: null,
    kind: "guest",
    role: undefined,
  };
  if (auth?.organizationId !== organizationId) return stranger;
  const { userId, accessKey, admin } = auth.caller;
  if (userId === null) {
    if (accessKey === null) return stranger;
    return { ...stranger, person: invitedBy(accessKey), kind: "host" };
  }
  const user = await findUser(db, organizationId, userId);
  if (!user) return stranger;
  return {
    person: userPerson(userId),
    userId,
    name: user.name,
    role: undefined,
    kind: kindOfUser(room, { id: userId, admin }),
  };
};

/** The role that people usually take in a room; participantType is free text. */
const usualRole = ({ participantType, roomType }: Room): PeerType => {
  const said = participantType?.trim().toLowerCase();
  if (said === "viewer" || said === "attendee") return "viewer";
  if (said === "participant" || said === "presenter") return "participant";
  return roomType === "event" ? "viewer" : "participant";
};

/** The roles that a visitor may take: the highest one and those below it, the usual one first. */
export const rolesFor = (room: Room, { kind, role, limit }: Visitor): readonly PeerType[] => {
  const own = role ?? usualRole(room);
  const left = limit !== undefined && isHigher(own, limit) ? limit : own;
  const roles = peerTypes.slice(peerTypes.indexOf(kind === "host" ? "moderator" : left));
  const limits = seatsOf(room);
  // If a room has no seats of the usual role, the next role becomes the first.
  return [...roles.filter((one) => limits[one] > 0), ...roles.filter((one) => limits[one] === 0)];
};

/** The roles to offer: those with seats, or all if the room has no seats at all. */
export const offeredRoles = (room: Room, visitor: Visitor): readonly PeerType[] => {
  const roles = rolesFor(room, visitor);
  const limits = seatsOf(room);
  const seated = roles.filter((one) => limits[one] > 0);
  return seated.length > 0 ? seated : roles;
};

/** Returns whether a visitor has to give the room's password. */
export const needsPassword = (room: Room, { kind }: Pick<Visitor, "kind">): boolean =>
  hasPassword(room) && (kind === "member" || kind === "guest");

/** The one who has to let a visitor in: a moderator, or a host who comes; undefined: nobody. */
export type WaitsFor = "moderator" | "host" | undefined;

/** Returns whether a visitor waits for a host: moderators, and people of the organization, are hosts. */
export const awaitsHosts = ({
  kind,
  role,
  lobby,
}: Pick<Visitor, "kind" | "role" | "lobby">): boolean =>
  kind === "guest" || (kind === "invited" && role !== "moderator" && lobby !== false);

/** Returns whether a moderator has to let a visitor in. */
export const waitsOutside = (
  { authenticationRequired }: Room,
  { kind, lobby }: Pick<Visitor, "kind" | "lobby">,
): boolean => lobby ?? (authenticationRequired && kind === "guest");
