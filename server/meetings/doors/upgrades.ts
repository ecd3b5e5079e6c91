import { Refusal, refuse } from "../../lib/refusal.ts";
import { mayPromote, oneTakesPart } from "../seats/allowed.ts";
import { limitRole } from "../seats/role-limits.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { publishPeer } from "../state/events.ts";
import {
  changeSeat,
  type Inside,
  type ModerationRule,
  type OwnRule,
  PRESENT,
  seatOf,
  seatsIn,
} from "../state/inside.ts";
import { changeRole } from "./claim-seat.ts";

const none = { upgrade: null, upgrade_at: null } as const;

/**
 * Returns whether one more upgrade fits: open requests, offers and viewers who take part count together
 * (noOfUpgradeRequests).
 *
 * @throws Refusal `upgrade_limit`
 */
const checkLimit = async (inside: Inside): Promise<void> => {
  const used = (await seatsIn(inside, PRESENT)).filter(
    ({ upgraded, upgrade }) => upgraded || upgrade !== null,
  );
  if (used.length >= inside.room.noOfUpgradeRequests) refuse("upgrade_limit");
};

const begin = async (inside: Inside, seat: PersonSeat, upgrade: "asked" | "offered") => {
  if (seat.role !== "viewer" || seat.second) refuse("peer_not_found");
  if (seat.upgrade === upgrade) return;
  if (seat.upgrade === null) await checkLimit(inside);
  await changeSeat(inside, seat.id, { upgrade, upgrade_at: inside.change.now });
  if (upgrade === "asked") publishPeer(inside.change, "upgradeAsked", seat);
};

/** A running meeting, without the person who acts. */
type Running = Pick<Inside, "change" | "room" | "meeting">;

/** The viewers who take part, longest first. */
const takingPart = async (inside: Running): Promise<readonly PersonSeat[]> =>
  (await seatsIn(inside, PRESENT))
    .filter(({ upgraded }) => upgraded)
    .toSorted((one, other) => ((one.upgrade_at ?? "~") < (other.upgrade_at ?? "~") ? -1 : 1));

/** Lets a viewer take part. @throws Refusal `seats_full`, `upgrade_limit` */
const upgradeSeat = async (inside: Inside, seat: PersonSeat): Promise<void> => {
  const { change, room } = inside;
  // The limit may have been lowered since the request or the offer.
  const { length } = await takingPart(inside);
  const isFull = oneTakesPart(room) && length > 0;
  if (isFull || length >= room.noOfUpgradeRequests) refuse("upgrade_limit");
  await changeRole(change, seat, "participant");
  await limitRole(change.tx, seat, "participant");
  await changeSeat(inside, seat.id, { upgrade: null, upgrade_at: change.now, upgraded: true });
  publishPeer(change, "upgradeAccepted", { ...seat, role: "participant" });
};

/** Makes a person who took part a viewer again. @throws Refusal `seats_full` */
const demoteSeat = async (inside: Running, seat: PersonSeat): Promise<void> => {
  await changeRole(inside.change, seat, "viewer");
  await changeSeat(inside, seat.id, { ...none, upgraded: false, ...silent });
};

/**
 * Applies the limit of one viewer who takes part: the longest stays, the others become viewers
 * again. A person without a free viewer's seat keeps taking part.
 */
export const keepFirstUpgrade = async (inside: Running): Promise<void> => {
  const [, ...others] = await takingPart(inside);
  for (const seat of others) {
    try {
      await demoteSeat(inside, seat);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
};

/** A moderator answers a request, offers an upgrade, or takes one back. */
export const upgradeRequest: ModerationRule<"upgradeRequest"> = async (
  inside,
  { peerId, action },
) => {
  const seat = await seatOf(inside, peerId);
  switch (action) {
    case "accept":
      if (seat.upgrade !== "asked") refuse("peer_not_found");
      return upgradeSeat(inside, seat);
    case "refuse":
      if (seat.upgrade === "asked") publishPeer(inside.change, "upgradeRefused", seat);
      return seat.upgrade === null ? undefined : changeSeat(inside, seat.id, none);
    case "offer":
      // The request came while they were about to offer.
      return seat.upgrade === "asked" ? upgradeSeat(inside, seat) : begin(inside, seat, "offered");
    case "demote":
      if (!seat.upgraded) refuse("peer_not_found");
      await limitRole(inside.change.tx, seat, "viewer");
      return demoteSeat(inside, seat);
  }
};

/** An owner becomes a moderator. @throws Refusal `not_in_this_room`, `seats_full` */
export const promote: OwnRule<"promote"> = async (inside, seat) => {
  if (!mayPromote(inside.room, seat)) refuse("not_in_this_room");
  await changeRole(inside.change, seat, "moderator");
  await changeSeat(inside, seat.id, { ...none, upgraded: false });
};

/** All devices of a person are off. */
export const silent = { audio: false, video: false, share: false } as const;

/** A viewer asks to take part, withdraws the request, or answers an offer. */
export const upgrade: OwnRule<"upgrade"> = async (inside, seat, { action }) => {
  switch (action) {
    case "ask":
      // The offer came while they were about to ask.
      if (seat.upgrade === "offered") return upgradeSeat(inside, seat);
      if (inside.room.noOfUpgradeRequests === 0) refuse("upgrade_limit");
      return begin(inside, seat, "asked");
    case "withdraw":
    case "decline":
      return seat.upgrade === null ? undefined : changeSeat(inside, seat.id, none);
    case "take":
      if (seat.upgrade !== "offered") refuse("peer_not_found");
      return upgradeSeat(inside, seat);
  }
};
