import type { UpdateObject } from "kysely";
import { type Change, openOrganization, service } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { Tables } from "../db/tables.ts";
import { waitForNextTry } from "./again.ts";

/*
 * A process that makes or finishes a recording holds its row by a lease. Every change of the row
 * checks that it still does: a process frozen for too long has lost it. Uploads of complete
 * recordings have leases of their own (upload.ts).
 */

/** How long a process holds a recording without renewing. */
export const MAKING_LEASE_MS = 15_000;
/** The pause before a recording that could not be finished is retried. */
const AGAIN_MS = 60_000;

/** The rows that this process holds. */
export interface Hold {
  /** Takes a queued recording; undefined if another process was faster, or it no longer waits. */
  takeQueued(row: Pick<RecordingRow, "id" | "organization_id">): Promise<RecordingRow | undefined>;
  /** Takes a recording that no process holds any more; undefined if another was faster. */
  takeLost(row: RecordingRow): Promise<RecordingRow | undefined>;
  /**
   * Changes a recording that this process holds.
   *
   * @param from changes it only in this state
   * @param also called within the same change
   * @returns undefined if the process no longer holds it, or it is in another state
   */
  set(
    row: Pick<RecordingRow, "id" | "organization_id">,
    update: UpdateObject<Tables, "recordings">,
    more?: {
      readonly from?: RecordingRow["state"];
      readonly also?: (change: Change, row: RecordingRow) => Promise<void>;
    },
  ): Promise<RecordingRow | undefined>;
  /** The current row, whichever process holds it; undefined if it is gone. */
  find(id: string): Promise<RecordingRow | undefined>;
  /**
   * Renews the leases of the recordings on which this process works. Other leases run out, such as
   * that of a recording whose end the database missed, and a sweep finishes it.
   */
  renew(ids: readonly string[]): Promise<void>;
  /** Lets a recording that could not begin wait for its next try. @returns whether there is one */
  tryAgain(row: RecordingRow): Promise<boolean>;
  /** Gives a recording back, to be retried later. */
  postpone(row: Pick<RecordingRow, "id" | "organization_id">): Promise<void>;
  /** Ends all leases, so that any process can take the recordings at once. */
  release(): Promise<void>;
}

export const openHold = (database: Database, processId: string): Hold => {
  const inOrganization = <T>(id: string, rule: (change: Change) => Promise<T>): Promise<T> =>
    openOrganization(database, id, service).change(rule);
  const held = { process: processId, lease_until: now(MAKING_LEASE_MS) };

  return {
    takeQueued: ({ id, organization_id }) =>
      inOrganization(organization_id, async ({ tx, announce }) => {
        const row = await tx
          .updateTable("recordings")
          .set({ ...held, state: "starting", error: null })
          .where("id", "=", id)
          .where("state", "=", "queued")
          .returningAll()
          .executeTakeFirst();
        if (row) announce(row.meeting_id);
        return row;
      }),

    takeLost: ({ id, organization_id }) =>
      inOrganization(organization_id, ({ tx }) =>
        tx
          .updateTable("recordings")
          .set(held)
          .where("id", "=", id)
          .where("lease_until", "<=", now())
          .returningAll()
          .executeTakeFirst(),
      ),

    set: ({ id, organization_id }, update, { from, also } = {}) =>
      inOrganization(organization_id, async (change) => {
        const row = await change.tx
          .updateTable("recordings")
          .set(update)
          .where("id", "=", id)
          .where("process", "=", processId)
          .$if(from !== undefined, (query) => query.where("state", "=", from ?? "starting"))
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await also?.(change, row);
        change.announce(row.meeting_id);
        return row;
      }),

    find: (id) =>
      database.read.selectFrom("recordings").selectAll().where("id", "=", id).executeTakeFirst(),

    tryAgain: (row) =>
      inOrganization(row.organization_id, (change) => waitForNextTry(change, row, processId)),

    postpone: async (row) => {
      await inOrganization(row.organization_id, ({ tx }) =>
        tx
          .updateTable("recordings")
          .set({ process: null, lease_until: now(AGAIN_MS) })
          .where("id", "=", row.id)
          .where("process", "=", processId)
          .execute(),
      );
    },

    renew: async (ids) => {
      if (ids.length === 0) return;
      await database.change(async (tx) => {
        await tx
          .updateTable("recordings")
          .set({ lease_until: held.lease_until })
          .where("id", "in", ids)
          .where("process", "=", processId)
          .where("lease_until", "is not", null)
          .where("complete", "=", false)
          .execute();
      });
    },

    release: () =>
      database.change(async (tx) => {
        await tx
          .updateTable("recordings")
          .set({ lease_until: now() })
          .where("process", "=", processId)
          .where("lease_until", "is not", null)
          .where("complete", "=", false)
          .execute();
      }),
  };
};
