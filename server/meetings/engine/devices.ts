import { type Medium, mediums } from "../../../contract/meetings/commands.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { openOrganization, service } from "../../change/organization.ts";
import { type MeetingRow, type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import type { Database } from "../../db/open.ts";
import type { Published } from "../../media/publishing.ts";
import { onNow } from "../seats/allowed.ts";
import { livingSeats } from "../seats/seat.ts";
import { changeSeat } from "../state/inside.ts";
import { findHeld, heldRoom } from "../state/open-meeting.ts";
import { isPublished } from "./rights.ts";

/*
 * Somebody's microphone, camera and screen are on if the engine says that they publish them. What
 * a client reports (`media`) comes earlier or says the same: it holds until the engine has had time to agree.
 */

/** A person is shown with what they publish after this time, whatever their client has reported. */
const UNSAID_MS = 2_000;
/** A device that is reported, and of which the engine gets nothing, counts as on for this long. */
const UNSENT_MS = 15_000;
/** The same after a client has left the engine: it may be connecting again. */
const LEFT_MS = 5_000;

/** A person's devices: which are on. */
export type Devices = Pick<SeatRow, Medium>;

/** The devices of one person as the engine says, beside those that the meeting shows. */
export class PublishedDevices {
  /** The connection of which `#published` is known. */
  #connection = 0;
  #published: Published | undefined;
  #hasLeft = false;
  /** Devices that the engine has seen turned on or off since the meeting was told. */
  readonly #changed = new Set<Medium>();
  /** Since when the meeting shows something else. */
  readonly #since = new Map<Medium, number>();

  /** Takes what the engine says on a connection of the person. */
  take(connection: number, published: Published): void {
    if (connection < this.#connection) return;
    // A client that connects again publishes again in a moment: until then its devices are not off.
    const before = connection === this.#connection ? this.#published : undefined;
    for (const medium of mediums) {
      const is = isPublished(published, medium);
      const was = before !== undefined && isPublished(before, medium);
      if (is !== was) this.#changed.add(medium);
    }
    this.#connection = connection;
    this.#published = published;
    this.#hasLeft = false;
  }

  /** The client has left the engine. */
  leave(connection: number): void {
    if (connection < this.#connection) return;
    this.#hasLeft = true;
    this.#published = { sources: [], hasMedia: true };
  }

  /**
   * The devices that the meeting shows wrongly, with their real state; undefined if nothing is to be changed now.
   *
   * @param shown undefined without a seat
   * @param time in milliseconds
   */
  corrections(shown: Devices | undefined, time: number): Partial<Devices> | undefined {
    const published = this.#published;
    if (published === undefined || shown === undefined) return undefined;
    const wrong = mediums.filter((medium) => {
      const is = isPublished(published, medium);
      if (shown[medium] === is) {
        this.#changed.delete(medium);
        this.#since.delete(medium);
        return false;
      }
      const since = this.#since.get(medium) ?? time;
      this.#since.set(medium, since);
      return this.#changed.has(medium) || time - since >= this.#patience(is, published);
    });
    if (wrong.length === 0) return undefined;
    return Object.fromEntries(wrong.map((medium) => [medium, !shown[medium]]));
  }

  #patience(is: boolean, { hasMedia }: Published): number {
    if (is) return UNSAID_MS;
    if (this.#hasLeft) return LEFT_MS;
    // Without media nothing can be published: the page says that they do not come.
    return hasMedia ? UNSENT_MS : Number.POSITIVE_INFINITY;
  }
}

/** The time that the engine has to carry out a moderator's mute, in milliseconds; what it says meanwhile is from before. */
const MUTING_MS = 2_000;

/** The devices that are on after a correction: those that the person may use, and no moderator has just muted. */
const stillOn = (
  room: Room,
  meeting: Pick<MeetingRow, "presenter">,
  seat: SeatRow,
  devices: Partial<Devices>,
  time: string,
): Devices => {
  const isMuted =
    seat.muted_at !== null && Date.parse(time) - Date.parse(seat.muted_at) < MUTING_MS;
  const asked = { ...seat, ...devices };
  const on = onNow(room, meeting, asked);
  if (!isMuted) return on;
  return {
    audio: on.audio && seat.audio,
    video: on.video && seat.video,
    share: on.share && seat.share,
  };
};

/**
 * Stores which devices of a person are on, and announces it. What was decided before the change began is checked
 * again in it: the room, the role or a moderator may have ended a device meanwhile.
 */
export const storeDevices = (
  database: Database,
  {
    id,
    organization_id,
    meeting_id: meetingId,
  }: Pick<SeatRow, "id" | "organization_id" | "meeting_id">,
  devices: Partial<Devices>,
): Promise<void> =>
  openOrganization(database, organization_id, service).change(async (change) => {
    const held = await findHeld(change.tx, meetingId);
    const seat = await livingSeats(change.tx, meetingId)
      .select(seatColumns)
      .where("id", "=", id)
      .executeTakeFirst();
    if (seat === undefined || held === undefined) return;
    const { meeting, row } = held;
    const on = stillOn(heldRoom(row, meeting), meeting, seat, devices, change.now);
    if (mediums.every((medium) => on[medium] === seat[medium])) return;
    const begins = on.share && !seat.share;
    const facts = { ...on, ...(begins && { share_since: change.now }) };
    await changeSeat({ change, meeting }, id, facts);
  });
