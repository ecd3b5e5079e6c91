import { type Medium, mediums } from "../../../contract/meetings/commands.ts";
import { openOrganization, service } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import type { Database } from "../../db/open.ts";
import type { Published } from "../../media/publishing.ts";
import { isPublished } from "../people/rights.ts";
import { changeSeat } from "../state/inside.ts";

/*
 * Whether somebody's microphone, camera and screen are on is what the engine says that they publish. What
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

/** What the engine says about the devices of one person, beside what the meeting shows. */
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
   * What the meeting shows wrongly, as it is; undefined if nothing is to be changed now.
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

/** Stores which devices of a person are on, and announces it. */
export const storeDevices = (
  database: Database,
  { id, organization_id, meeting_id }: SeatRow,
  devices: Partial<Devices>,
): Promise<void> =>
  openOrganization(database, organization_id, service).change(async (change) => {
    const seat = await change.tx
      .selectFrom("seats")
      .select(mediums)
      .where("id", "=", id)
      .where("left_at", "is", null)
      .executeTakeFirst();
    if (seat === undefined) return;
    if (mediums.every((medium) => (devices[medium] ?? seat[medium]) === seat[medium])) return;
    const begins = devices.share === true && !seat.share;
    const facts = { ...devices, ...(begins && { share_since: change.now }) };
    await changeSeat({ change, meeting: { id: meeting_id } }, id, facts);
  });
