import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { openOrganization, type Queries, service } from "../../change/organization.ts";
import { isUnavailable } from "../../db/errors.ts";
import { type MeetingRow, type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import type { Database } from "../../db/open.ts";
import { type Lookup, prepared, together } from "../../db/prepared.ts";
import { digestOf } from "../../lib/digest.ts";
import { CONNECTIONS } from "../../media/credit.ts";
import { askOccupancy, moveSeat, occupancyFrom } from "../seats/places.ts";
import { begin, entrySet, greet } from "../state/admission.ts";
import { heldIn } from "../state/open-meeting.ts";
import { openBuckets } from "../state/rate.ts";
import { settleHeld, settleMeeting } from "../state/running.ts";
import { AWAY_MS, WAITING_MS } from "./claim-seat.ts";

/*
 * Somebody is inside while the meeting socket or the connection to the media engine is open. Each
 * connection has a number, so that the end of an old one cannot affect a newer one.
 */

/** A connection of somebody with a seat. */
export interface Connected {
  readonly seat: Pick<SeatRow, "id" | "meeting_id" | "room_id" | "person" | "ticket_digest">;
  readonly meeting: MeetingRow;
  readonly organizationId: string;
  readonly connection: number;
}

type Kind = "socket" | "media";

const columns = {
  socket: { process: "process", connection: "connection", other: "media_process" },
  media: { process: "media_process", connection: "media_connection", other: "process" },
} as const;

/** People who wait have no place in the media engine. */
const livingMedia = ["claimed", "inside", "away"] as const;

/** The states in which a seat may connect: its ticket opens nothing in other states. */
const living = { socket: ["waiting", ...livingMedia], media: livingMedia } as const;

type TicketRow = Pick<
  SeatRow,
  "ticket_digest" | "organization_id" | "meeting_id" | "person" | "state"
> &
  Pick<MeetingRow, "media">;

/** People who come in the same moment are looked up together. */
const byTicket: Lookup<TicketRow> = {
  parts: 1,
  keyOf: ({ ticket_digest }) => [ticket_digest],
  query: (db, digest) =>
    db
      .selectFrom("seats")
      .innerJoin("meetings", "meetings.id", "seats.meeting_id")
      .select(["seats.ticket_digest", "seats.organization_id", "seats.meeting_id"])
      .select(["seats.person", "seats.state", "meetings.media"])
      .where(digest("seats.ticket_digest")),
};

const mayConnectIn = (kind: Kind, state: SeatRow["state"]): boolean =>
  (living[kind] as readonly SeatRow["state"][]).includes(state);

/** The seat that a ticket opens, before it is looked up again in a change. */
export const lookAtTicket = (
  { find }: Pick<Database, "find">,
  ticket: string,
): Promise<TicketRow | undefined> => find(byTicket, [digestOf(ticket)]);

/** The seat of a ticket, if it may connect now. */
const seatOfTicket = async (
  database: Database,
  ticket: string,
  kind: Kind,
): Promise<TicketRow | undefined> => {
  const seat = await lookAtTicket(database, ticket);
  return seat && mayConnectIn(kind, seat.state) ? seat : undefined;
};

const askSeat = prepared<null, { readonly digest: string }, SeatRow>((db, _, { digest }) =>
  db.selectFrom("seats").select(seatColumns).where("ticket_digest", "=", digest),
);

const takeConnection = prepared<
  { readonly kind: Kind; readonly enters: boolean },
  { readonly id: string; readonly processId: string },
  never
>((tx, { kind, enters }, { id, processId }) => {
  const { process, connection } = columns[kind];
  return tx
    .updateTable("seats")
    .set((eb) => ({
      [process]: processId,
      [connection]: eb(connection, "+", 1),
      lease_until: null,
      ...(enters ? entrySet(eb) : {}),
    }))
    .where("id", "=", id);
});

const connect = async (
  database: Database,
  ticket: string,
  processId: string,
  kind: Kind,
): Promise<Connected | undefined> => {
  const digest = digestOf(ticket);
  const known = await seatOfTicket(database, ticket, kind);
  if (known === undefined) return undefined;
  const { organization_id: organizationId, meeting_id: meetingId } = known;
  // Under the organization's lock: the seat may have ended meanwhile.
  const readAgain = async (tx: Queries) => {
    const [[seat], [meeting], [row], counted] = await together(
      tx,
      askSeat.statement(tx, null, { digest }),
      ...heldIn(tx, meetingId),
      askOccupancy.statement(tx, null, { meetingId }),
    );
    return { seat, meeting, row, counted };
  };
  return openOrganization(database, organizationId, service).change(
    async (change, { seat, meeting, row, counted }) => {
      if (!seat || !meeting || !row || !mayConnectIn(kind, seat.state)) return undefined;
      const { tx, send } = change;
      const enters = seat.state !== "waiting";
      send(takeConnection.statement(tx, { kind, enters }, { id: seat.id, processId }));
      const [begun] =
        enters && meeting.started_at === null ? await begin(tx, null, { id: meetingId }) : [];
      const current = { ...meeting, ...begun };
      if (enters) await greet(change, [seat], current, begun !== undefined);
      const moved = enters ? moveSeat(counted, seat, "inside") : counted;
      await settleHeld(change, { meeting: current, row }, occupancyFrom(moved));
      const connection = seat[columns[kind].connection] + 1;
      return { seat, meeting: current, organizationId, connection };
    },
    readAgain,
  );
};

/** The pause before the database is asked again to store the end of a connection, in milliseconds. */
const AGAIN_MS = 1_000;

/** The least time to come back after a loss, in milliseconds: this process may have stood still itself. */
const BACK_MS = 5_000;

/** Called when the database cannot be reached, so that the end is stored later. */
type OnLate = (error: unknown) => void;

/** Retries until the end is stored: nobody else would give the seat up while this process lives. */
const disconnect = async (
  database: Database,
  connected: Connected,
  kind: Kind,
  silentMs: number,
  onLate: OnLate,
): Promise<void> => {
  for (;;) {
    try {
      // The seat may be gone, deleted with its organization.
      if (await isKept(database, connected)) await storeEnd(database, connected, kind, silentMs);
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onLate(error);
    }
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
};

const isKept = async ({ read }: Database, { seat: { id } }: Connected): Promise<boolean> =>
  (await read.selectFrom("seats").select("id").where("id", "=", id).executeTakeFirst()) !==
  undefined;

const storeEnd = (
  database: Database,
  { seat, organizationId, connection: number }: Connected,
  kind: Kind,
  silentMs: number,
): Promise<void> =>
  openOrganization(database, organizationId, service).change(async (change) => {
    const { process, connection, other } = columns[kind];
    const lost = now(-silentMs);
    const closed = await change.tx
      .updateTable("seats")
      .set(({ eb, ref }) => ({
        [process]: null,
        // The seat's other connection may have been active later.
        last_seen: eb.case().when("last_seen", ">", lost).then(ref("last_seen")).else(lost).end(),
      }))
      .where("id", "=", seat.id)
      .where(connection, "=", number)
      .where("left_at", "is", null)
      .where("state", "<>", "leaving")
      .where(process, "is not", null)
      .returning([other, "state"])
      .executeTakeFirst();
    if (closed === undefined || closed[other] !== null) return;
    await loseRows(change.tx, [seat.id], now(Math.max(AWAY_MS - silentMs, BACK_MS)));
    await settleMeeting(change, seat.meeting_id);
  });

/**
 * Starts the leases of seats without a connection: people inside become away, others keep waiting, for longer.
 */
export const loseRows = async (
  tx: Queries,
  ids: readonly string[],
  lease: RawBuilder<string>,
): Promise<void> => {
  await tx
    .updateTable("seats")
    .set({
      lease_until: sql<string>`case state when 'waiting' then ${now(WAITING_MS)} else ${lease} end`,
      state: sql<SeatRow["state"]>`case state when 'inside' then 'away' else state end`,
    })
    .where("id", "in", ids)
    .where("process", "is", null)
    .where("media_process", "is", null)
    .where("left_at", "is", null)
    .where("state", "<>", "leaving")
    .execute();
};

/**
 * Connects the meeting socket of a ticket's seat: the person is inside, or keeps waiting. Earlier
 * sockets of the seat no longer count.
 *
 * @returns undefined if the ticket is unknown or its seat has ended
 */
export const connectSeat = (
  database: Database,
  ticket: string,
  processId: string,
): Promise<Connected | undefined> => connect(database, ticket, processId, "socket");

/**
 * The meeting socket has closed: the seat is kept for `AWAY_MS`, unless another connection has it.
 *
 * @param silentMs the time since the last sign of the browser, which counts as part of it
 */
export const disconnectSeat = (
  database: Database,
  connected: Connected,
  silentMs = 0,
  onLate: OnLate = () => {},
): Promise<void> => disconnect(database, connected, "socket", silentMs, onLate);

/** Connects a ticket's seat to the media engine. @returns undefined as `connectSeat` does */
export const connectMedia = (
  database: Database,
  ticket: string,
  processId: string,
): Promise<Connected | undefined> => connect(database, ticket, processId, "media");

/** The connection to the media engine has closed; see `disconnectSeat`. */
export const disconnectMedia = (
  database: Database,
  connected: Connected,
  silentMs = 0,
  onLate: OnLate = () => {},
): Promise<void> => disconnect(database, connected, "media", silentMs, onLate);

/**
 * Finds whose ticket it is, if it may connect to the media engine now.
 *
 * @returns one person in one meeting, in whatever seat
 */
export const personOfMediaTicket = async (
  database: Database,
  ticket: string,
): Promise<string | undefined> => {
  const seat = await seatOfTicket(database, ticket, "media");
  return seat?.media === "livekit" ? `${seat.meeting_id} ${seat.person}` : undefined;
};

const mayConnectAgain = openBuckets(CONNECTIONS);

/**
 * Counts that a ticket opens the meeting socket: everybody else sees who connects, and who is away.
 *
 * @returns whether its person may open another one now
 */
export const mayConnect = async (database: Database, ticket: string): Promise<boolean> => {
  const seat = await seatOfTicket(database, ticket, "socket");
  return seat === undefined || mayConnectAgain(`${seat.meeting_id} ${seat.person}`);
};
