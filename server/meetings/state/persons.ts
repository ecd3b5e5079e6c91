import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";

/*
 * The one place that tells people from captures, which receive a meeting to record, stream or
 * transcribe it: a capture has a seat, but it is in no list and no count, and it neither begins a
 * meeting nor keeps one open. Queries say it with `where("role", "in", peerTypes)`.
 */

/** A seat of a person. */
export type PersonSeat = SeatRow & { readonly role: PeerType };

/** The roles of captures. */
export type CaptureRole = Exclude<SeatRow["role"], PeerType>;

const people: ReadonlySet<string> = new Set(peerTypes);

/** Whether a role is that of a person. */
export const isPersonal = (role: SeatRow["role"]): role is PeerType => people.has(role);

/** Whether a seat is that of a person. */
export const isPerson = <S extends Pick<SeatRow, "role">>(
  seat: S,
): seat is S & { readonly role: PeerType } => isPersonal(seat.role);
