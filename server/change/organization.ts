import type { LeftWork } from "../db/bell.ts";
import type { Database } from "../db/open.ts";
import { prepared, settled } from "../db/prepared.ts";
import type { OrganizationRow } from "../db/tables.ts";
import { meter } from "../lib/measured.ts";
import { noteInSpan } from "../lib/traced.ts";
import type { Caller, ChangeContext, Queries } from "./context.ts";
import { queueDeliveries } from "./deliveries.ts";
import { type Event, eventOf } from "./events.ts";
import { type Happened, keepHistory } from "./history.ts";

export type { Caller, Queries } from "./context.ts";

/** The argument of every rule. */
export interface Change extends ChangeContext {
  /** Adds to the organization's history, with the commit. */
  readonly happened: (...what: readonly Happened[]) => void;
  /** Queues an event of a meeting for the webhooks that want it, with the commit. */
  readonly publish: (event: Event) => void;
  /**
   * Notifies the processes of the service, after the commit, of a change that people in this meeting
   * see.
   */
  readonly announce: (meetingId: string) => void;
  /** Starts, after the commit, the work in the background that the change has left. */
  readonly leaveWork: (work: LeftWork) => void;
}

/**
 * The time of a change to something last changed at `last`. It is always later, even within one
 * millisecond or after the clock was set back, so that each version has its own time.
 */
export const timeAfter = ({ now }: Pick<Change, "now">, last: string): string =>
  now > last ? now : new Date(Date.parse(last) + 1).toISOString();

/** The change, whose entries in the history become parts of the whole for which this entry stands. */
export const asPart = (change: Change, whole: number | null): Change => ({
  ...change,
  happened: (...what) => change.happened(...what.map((one) => ({ ...one, partOf: whole }))),
});

/**
 * The change with the organization's row as a rule has left it: the next rule counts from its counters.
 */
export const renewed = async (change: Change): Promise<Change> => {
  const { tx, organization } = change;
  const row = await tx
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", organization.id)
    .executeTakeFirstOrThrow();
  return { ...change, organization: row };
};

/** One organization in one request: every query and every change is scoped to it. */
export interface Organization {
  readonly id: string;
  readonly caller: Caller;
  /** Queries outside a change. */
  readonly read: Queries;
  /** Queries outside a change that walk over very many rows: they do not block other callers. */
  readonly scan: Queries;
  /** One row by its key, outside a change. */
  readonly find: Database["find"];
  /**
   * Runs a rule in one transaction that first takes the organization's row, so that limits,
   * read-modify-write and letters need no further locks. Returns once it is durable.
   *
   * @param ahead what the rule reads first: it travels with the row, and runs once that is locked
   */
  change<T, Read = undefined>(
    rule: (change: Change, read: Read) => Promise<T>,
    ahead?: (tx: Queries) => Promise<Read>,
  ): Promise<T>;
  /** Runs a rule as `change` does, and undoes everything that it did. Only what it returns is left. */
  attempt<T>(rule: (change: Change) => Promise<T>): Promise<T>;
}

/** The operator at the command line: may do everything, and has no account. */
export const operator: Caller = {
  userId: null,
  accessKey: null,
  admin: true,
  scope: "everything",
  name: "operator",
};

/** The service itself: does in the background what follows from people's requests. */
export const service: Caller = { ...operator, name: "Parley", isService: true };

/** An unknown caller: a stranger, or a person who has not signed in yet. */
export const nobody: Caller = { ...operator, admin: false, name: "" };

/** A class because a getter of an object would be made again, slowly, for each request. */
class Opened implements Organization {
  readonly #scan: Database["scan"];
  readonly id: string;
  readonly caller: Caller;
  readonly read: Queries;
  readonly find: Database["find"];
  readonly change: Organization["change"];
  readonly attempt: Organization["attempt"];

  constructor(
    { read, scan, find }: Database,
    own: Pick<Organization, "id" | "caller" | "change" | "attempt">,
  ) {
    this.#scan = scan;
    this.id = own.id;
    this.caller = own.caller;
    this.read = read;
    this.find = find;
    this.change = own.change;
    this.attempt = own.attempt;
  }

  get scan(): Queries {
    return this.#scan(this.id);
  }
}

// A write instead of `select for update`: the same statement for both databases.
const takeRow = prepared<null, { readonly id: string }, OrganizationRow>((tx, _, { id }) =>
  tx
    .updateTable("organizations")
    .set((eb) => ({ used_rooms: eb.ref("used_rooms") }))
    .where("id", "=", id)
    .returning(["id", "name", "name_key", "plan", "max_rooms", "max_users", "created_at"])
    .returning(["used_rooms", "used_users", "users_by_role", "settings"])
    .returning(["history_number", "history_digest"])
    .returning(["history_before", "history_before_digest", "webhooks"]),
);

/** More about a request than its caller. */
interface Asking {
  /**
   * The caller as it is under the organization's row; throws a Refusal when it has lost its rights. Omitted for a
   * caller without a token.
   */
  readonly lookAgain?: (tx: Queries) => Promise<Caller>;
  /** Where the request comes from. */
  readonly address?: string | null;
}

/** The organization of this ID, as this caller sees it. */
export const openOrganization = (
  database: Database,
  id: string,
  known: Caller,
  { lookAgain = async () => known, address = null }: Asking = {},
): Organization => {
  const change: Organization["change"] = async <T, Read>(
    rule: (change: Change, read: Read) => Promise<T>,
    ahead?: (tx: Queries) => Promise<Read>,
  ): Promise<T> => {
    const changed = new Set<string>();
    const left = new Set<LeftWork>();
    const result = await database.change(async (tx, send) => {
      const asked = performance.now();
      // They travel together: the later statements run once the row is locked.
      const [[organization], caller, read] = await settled([
        takeRow(tx, null, { id }),
        lookAgain(tx),
        ahead?.(tx),
      ]);
      meter("lock", performance.now() - asked);
      noteInSpan("locked");
      if (organization === undefined) throw new Error(`There is no organization ${id}.`);
      const happened: Happened[] = [];
      const events: Event[] = [];
      const change: Change = {
        tx,
        send,
        organization,
        caller,
        now: new Date().toISOString(),
        address,
        happened: (...what) => {
          happened.push(...what);
          events.push(...what.flatMap((one) => eventOf(one, caller) ?? []));
        },
        publish: (event) => events.push(event),
        announce: (meetingId) => changed.add(meetingId),
        leaveWork: (work) => left.add(work),
      };
      const result = await rule(change, read as Read);
      await queueDeliveries(change, events);
      keepHistory(change, happened);
      return result;
    }, id);
    database.announcements.announce([...changed]);
    for (const work of left) database.leftWork.ring(work);
    return result;
  };
  return new Opened(database, {
    id,
    caller: known,
    change,
    attempt: async <T>(rule: (change: Change) => Promise<T>) => {
      const undone = new Error("It was only attempted.");
      const found: T[] = [];
      try {
        await change(async (attempted) => {
          found.push(await rule(attempted));
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw error;
      }
      return found[0] as T;
    },
  });
};
