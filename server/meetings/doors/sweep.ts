import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import { openOrganization, type Queries, service } from "../../change/organization.ts";
import { isUnavailable } from "../../db/errors.ts";
import { type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { type Database, isOnlyService } from "../../db/open.ts";
import { prepared } from "../../db/prepared.ts";
import { SILENT_MS } from "../../lib/lease.ts";
import { type Looks, startLooks } from "../../lib/looks.ts";
import { isOnNoNode } from "../../media/engine.ts";
import { finishLeaving, releaseSeats } from "../state/release.ts";
import { loseProcess, removeOldRows } from "./lost-processes.ts";
import { Renewals } from "./renewals.ts";

const LOOK_MS = 1_000;
/** The shortest time between two looks that announcements ask for. */
const PAUSE_MS = 40;
/** How long people have to come back after a restart of the only process, in milliseconds. */
const AFTER_RESTART_MS = 45_000;
const TIDY_MS = 60_000;
/** The pause before the media engine is asked again to let somebody go, in milliseconds. */
const AGAIN_MS = 2_000;
/**
 * How long after a person has gone the seat is freed even if no node of the media engine answers for
 * them, in milliseconds. A node that cannot be reached for that long may still have them; when it is
 * back, they are removed as people without a seat (reconcile.ts).
 */
const GHOST_MS = 30_000;
/** Few enough seats for a short change, and few enough removals at once for the media engine. */
const PIECE = 50;

/** Removes somebody from the media engine. */
export interface Remover {
  /** Resolves once the person is certainly not there; see `MediaEngine`. */
  remove(meetingId: string, seatId: string): Promise<void>;
}

export interface SweepOptions {
  readonly processId: string;
  /** Undefined if no media engine is configured. */
  readonly engine?: Remover | undefined;
  readonly log: Pick<Logger, "warn">;
  /** Called when other processes have declared this one dead: the people on its sockets must reconnect. */
  readonly onForgotten?: () => void;
}

/** How long somebody had been gone when the removal was due, in milliseconds, by the database's clock. */
const goneFor = ({ last_seen, lease_until }: SeatRow): number =>
  Date.parse(lease_until ?? "") - Date.parse(last_seen ?? lease_until ?? "");

/**
 * Renews the leases of people without a connection: nobody could come back while no service ran. After a
 * restore nobody can come back at all: there the digest of each ticket is the seat's ID (backup/settle.ts).
 */
const keepAway = async (tx: Queries): Promise<void> => {
  await tx
    .updateTable("seats")
    .set({ lease_until: now(AFTER_RESTART_MS) })
    .where("state", "in", ["waiting", "claimed", "away"])
    .where("lease_until", "<", now(AFTER_RESTART_MS))
    .whereRef("ticket_digest", "<>", "id")
    .execute();
};

const processIds = ({ read }: Database) => read.selectFrom("processes").select("id");

/** Seats whose lease has run out. */
const due = (db: Queries) =>
  db
    .selectFrom("seats")
    .select(seatColumns)
    .where("lease_until", "<=", now())
    .where("left_at", "is", null)
    .orderBy("lease_until");

// Every announcement asks both. PostgreSQL plans them once where nothing is left out.
interface Excluding {
  readonly isAll: boolean;
}

const askDue = prepared<Excluding, { readonly failed: readonly string[] }, SeatRow>(
  (db, _, { failed }) =>
    due(db)
      // With a parameter SQLite would prepare it each time: an index has this condition.
      .where("state", "<>", sql.lit("leaving" as const))
      .$if(failed.length > 0, (query) => query.where("organization_id", "not in", failed))
      .limit(PIECE),
  ({ isAll }) => isAll,
);

const askLeaving = prepared<
  Excluding,
  { readonly processId: string; readonly underWay: readonly string[] },
  SeatRow
>(
  (db, _, { processId, underWay }) =>
    due(db)
      .where("state", "=", "leaving")
      .$if(underWay.length > 0, (query) => query.where("id", "not in", underWay))
      .where(({ or, eb }) =>
        or([eb("media_process", "is", null), eb("media_process", "=", processId)]),
      )
      .limit(PIECE - underWay.length),
  ({ isAll }) => isAll,
);

/**
 * Renews this process's row in `processes`, ends seats whose lease has run out, and marks the seats of silent
 * processes as lost. Every process does so: each seat is looked up again under the organization's lock.
 */
class Sweeper {
  readonly #database: Database;
  readonly #options: SweepOptions;
  #renewals = new Renewals(0);
  /** Organizations whose change has failed: their turn comes again once less is due in the others. */
  readonly #failed = new Set<string>();
  /** Removals that are under way, by seat. */
  readonly #removals = new Map<string, Promise<void>>();

  constructor(database: Database, options: SweepOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Registers this process, and marks the seats of the one that served this SQLite database before it as lost. */
  async begin(): Promise<void> {
    const database = this.#database;
    const { processId } = this.#options;
    await this.#register();
    // As the only service of this database: every other process is dead, whatever the clock says.
    if (isOnlyService(database)) {
      await this.#loseDead(processIds(database).where("id", "=", processId), AFTER_RESTART_MS);
      await database.change(keepAway);
    }
    this.#renewals = new Renewals(performance.now());
  }

  /** Does once what is to be done. */
  async look(): Promise<void> {
    const at = performance.now();
    if (this.#renewals.isDue(at)) await this.#keepUp(at);
    await this.#sweepDue();
    await this.#removeLeaving();
  }

  /** Gives up the seats of this process, so that its people may come back elsewhere. */
  async end(): Promise<void> {
    const { processId, log } = this.#options;
    await Promise.all(this.#removals.values());
    // If that fails, the other processes notice that this one is silent.
    await loseProcess(this.#database, processId).catch((err: unknown) =>
      log.warn({ err }, "the seats of this process are given up later"),
    );
  }

  #register(): Promise<void> {
    return this.#database.change(async (tx) => {
      const row = { id: this.#options.processId, alive_at: now() };
      // The commit of an earlier try may have been lost on its way back only.
      await tx
        .insertInto("processes")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
    });
  }

  /** @returns whether this process was still known */
  #renew(): Promise<boolean> {
    return this.#database.change(async (tx) => {
      const row = await tx
        .updateTable("processes")
        .set({ alive_at: now() })
        .where("id", "=", this.#options.processId)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  /** Renews the row of this process, and gives up the seats of those that have not renewed theirs. */
  async #keepUp(at: number): Promise<void> {
    const { onForgotten } = this.#options;
    try {
      if (!(await this.#renew())) {
        await this.#register();
        onForgotten?.();
      }
    } catch (error) {
      this.#renewals.failed();
      throw error;
    }
    this.#renewals.succeeded(at);
    if (!this.#renewals.mayJudge) return;
    await this.#loseDead(processIds(this.#database).where("alive_at", ">", now(-SILENT_MS)));
  }

  /** Marks the seats of dead processes as lost: of all but the living ones. */
  async #loseDead(living: ReturnType<typeof processIds>, leaseMs?: number): Promise<void> {
    const database = this.#database;
    const { processId } = this.#options;
    const silent = await processIds(database)
      .where("id", "not in", living)
      .where("id", "<>", processId)
      .execute();
    const holding = await database.read
      .selectFrom("seats")
      .select("process as id")
      .where("process", "is not", null)
      .where("process", "not in", living)
      .where("process", "<>", processId)
      .union((eb) =>
        eb
          .selectFrom("seats")
          .select("media_process as id")
          .where("media_process", "is not", null)
          .where("media_process", "not in", living)
          .where("media_process", "<>", processId),
      )
      .execute();
    const dead = new Set([...silent, ...holding].map(({ id }) => id ?? ""));
    for (const id of dead) {
      await loseProcess(database, id, leaseMs).catch((err: unknown) =>
        this.#logOrEnd(err, "seats of a dead process are given up later"),
      );
    }
  }

  /**
   * Logs a failure of one organization, for which others do not wait. A database that does not answer ends
   * the look instead: one timeout after another would delay the renewal of this process's row.
   */
  #logOrEnd(err: unknown, what: string): void {
    if (isUnavailable(err)) throw err;
    this.#options.log.warn({ err }, what);
  }

  /** Ends seats whose lease has run out. */
  async #sweepDue(): Promise<void> {
    const failed = this.#failed;
    const shape = { isAll: failed.size === 0 };
    const seats = await askDue(this.#database.read, shape, { failed: [...failed] });
    if (seats.length < PIECE) failed.clear();
    for (const [id, here] of Map.groupBy(seats, ({ organization_id }) => organization_id)) {
      const ids = here.map(({ id }) => id);
      await this.#endDue(id, ids).catch((err: unknown) => {
        failed.add(id);
        this.#logOrEnd(err, "seats of an organization end later");
      });
    }
  }

  #endDue(organizationId: string, ids: readonly string[]): Promise<void> {
    return openOrganization(this.#database, organizationId, service).change(async (change) => {
      const still = await change.tx
        .selectFrom("seats")
        .selectAll()
        .where("id", "in", ids)
        .where("lease_until", "<=", now())
        .where("left_at", "is", null)
        .where("state", "<>", "leaving")
        .execute();
      await releaseSeats(change, still, "lost", "last seen");
    });
  }

  /**
   * Asks the media engine to let go of people whose seats have ended. Nothing waits for that: an engine
   * that does not answer must delay neither the renewal of this process's row nor other seats. A person
   * whose connection another living process holds is removed by that process, which alone knows whether a
   * connection is in progress.
   */
  async #removeLeaving(): Promise<void> {
    const { processId, log } = this.#options;
    const underWay = [...this.#removals.keys()];
    if (underWay.length >= PIECE) return;
    const shape = { isAll: underWay.length === 0 };
    const seats = await askLeaving(this.#database.read, shape, { processId, underWay });
    for (const seat of seats) {
      const removal = this.#empty(seat)
        .catch((err: unknown) => log.warn({ err }, "a seat is emptied later"))
        .finally(() => this.#removals.delete(seat.id));
      this.#removals.set(seat.id, removal);
    }
  }

  /** Frees a seat once the media engine has let the person go. */
  async #empty(seat: SeatRow): Promise<void> {
    const { engine, log } = this.#options;
    const organization = openOrganization(this.#database, seat.organization_id, service);
    try {
      // A seat that was `leaving` in a backup has no connection to this service's engine.
      if (seat.media_connection > 0) await engine?.remove(seat.meeting_id, seat.id);
    } catch (err) {
      if (!isOnNoNode(err) || goneFor(seat) < GHOST_MS) {
        log.warn({ err }, "the media engine has not let somebody go; tried again");
        await organization.change(async ({ tx }) => {
          const again = { lease_until: now(AGAIN_MS) };
          await tx.updateTable("seats").set(again).where("id", "=", seat.id).execute();
        });
        return;
      }
      log.warn("a node of the media engine has died with somebody's connection");
    }
    await organization.change((change) => finishLeaving(change, seat));
  }
}

/** The sweep of one process. */
export interface Sweep {
  /** Stops; the people of this process may come back elsewhere. */
  stop(): Promise<void>;
}

/**
 * Starts to sweep. Resolves once this process may take seats, and the seats of the process that served
 * this SQLite database before it are marked as lost.
 */
export const startSweep = async (database: Database, options: SweepOptions): Promise<Sweep> => {
  const { engine, log } = options;
  const sweeper = new Sweeper(database, options);
  await sweeper.begin();
  const sweeping: Looks = startLooks({
    everyMs: LOOK_MS,
    look: async () => {
      await sweeper.look();
      await sleep(PAUSE_MS);
    },
    onError: (err) => log.warn({ err }, "seats of meetings are swept later"),
  });
  // By itself: after a flood it takes a while, and nothing above may wait for it.
  const tidying = startLooks({
    everyMs: TIDY_MS,
    look: (stopping) => removeOldRows(database, stopping),
    onError: (err) => log.warn({ err }, "what is left of meetings is removed later"),
  });
  // The media engine lets go of people as soon as the end of their seats is announced.
  const unlisten = engine && database.announcements.listen(sweeping.wake);
  return {
    async stop() {
      await unlisten?.();
      await Promise.all([sweeping.stop(), tidying.stop()]);
      await sweeper.end();
    },
  };
};
