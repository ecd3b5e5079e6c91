import { type Kysely, sql } from "kysely";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Tables } from "../db/tables.ts";
import type { DeliveryRow, WebhookRow } from "../db/webhook-tables.ts";
import { lastTrouble, ownTrouble } from "../lib/last-trouble.ts";
import { DELIVERY_LEASE_MS } from "../lib/lease.ts";
import type { PostResult } from "./post.ts";

/** A delivery that one process may send until its lease ends. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  | "id"
  | "organization_id"
  | "webhook_id"
  | "event"
  | "attempts"
  | "attempts_before"
  | "queued_at"
  | "trace"
> & { readonly body: string } & Pick<WebhookRow, "url" | "secret" | "former_secret"> & {
    /** True if the former secret is still valid. */
    readonly isRotating: boolean;
  };

/** How many deliveries a process sends at once: per webhook, and in all. */
const PER_WEBHOOK = 4;
const AT_ONCE = 128;

/** A literal instead of a parameter, so that the index of waiting deliveries is used. */
const waiting = sql.lit("waiting" as const);

/** Deliveries that may be sent now: due, of a webhook that is on, and first of their subject. */
const sendable = (db: Kysely<Tables>) =>
  db
    .selectFrom("deliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhook_id")
    .where("d.state", "=", waiting)
    .where("d.due_at", "<=", now())
    .where("w.state", "=", "on")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries as earlier")
            .select("earlier.id")
            .whereRef("earlier.webhook_id", "=", "d.webhook_id")
            .whereRef("earlier.subject", "=", "d.subject")
            .whereRef("earlier.number", "<", "d.number")
            .where("earlier.state", "=", waiting),
        ),
      ),
    );

/**
 * Webhooks that are on and have due deliveries, the longest due first. The query jumps from one
 * webhook with waiting deliveries to the next, so the backlog of one that is off costs nothing.
 */
const webhooksWithDue = async (db: Kysely<Tables>): Promise<readonly string[]> => {
  const ids = db
    .withRecursive("awaited", (cte) =>
      cte
        .selectFrom("deliveries")
        .select(({ fn }) => fn.min<string | null>("webhook_id").as("id"))
        .where("state", "=", waiting)
        .unionAll(
          cte
            .selectFrom("awaited")
            .where("awaited.id", "is not", null)
            .select(({ selectFrom }) =>
              selectFrom("deliveries")
                .select(({ fn }) => fn.min<string | null>("webhook_id").as("id"))
                .where("state", "=", waiting)
                .whereRef("webhook_id", ">", "awaited.id")
                .as("id"),
            ),
        ),
    )
    .selectFrom("awaited")
    .innerJoin("webhooks as w", "w.id", "awaited.id")
    .where("w.state", "=", "on")
    .select("w.id")
    .select(({ selectFrom }) =>
      selectFrom("deliveries")
        .select(({ fn }) => fn.min("due_at").as("due_at"))
        .where("state", "=", waiting)
        .whereRef("webhook_id", "=", "w.id")
        .as("due_at"),
    );
  const rows = await db
    .selectFrom(ids.as("due"))
    .select("id")
    .where("due_at", "<=", now())
    .orderBy("due_at")
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * Claims what this process may send in addition, the longest due first. Each webhook has only a few
 * at a time, so a slow one delays no others.
 */
export const claimDeliveries = async (
  database: Database,
  underway: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> => {
  const claimed: ClaimedDelivery[] = [];
  for (;;) {
    const busy = new Map<string, number>();
    for (const { webhook_id } of [...underway, ...claimed]) {
      busy.set(webhook_id, (busy.get(webhook_id) ?? 0) + 1);
    }
    const free = AT_ONCE - underway.length - claimed.length;
    if (free <= 0) return claimed;
    const picked: Pick<DeliveryRow, "id" | "attempts">[] = [];
    for (const id of await webhooksWithDue(database.read)) {
      const most = Math.min(PER_WEBHOOK - (busy.get(id) ?? 0), free - picked.length);
      if (most <= 0) continue;
      const due = await sendable(database.read)
        .select(["d.id", "d.attempts"])
        .where("d.webhook_id", "=", id)
        .orderBy("d.due_at")
        .orderBy("d.number")
        .limit(most)
        .execute();
      picked.push(...due);
    }
    // One transaction per delivery: none locks two rows, so they cannot deadlock.
    const claims = await Promise.allSettled(picked.map((one) => claim(database, one)));
    const more = claims.flatMap((one) =>
      one.status === "fulfilled" && one.value !== undefined ? [one.value] : [],
    );
    claimed.push(...more);
    const failed = claims.find((one) => one.status === "rejected");
    // Claimed deliveries are sent even if other claims failed.
    if (failed !== undefined && claimed.length === 0) throw failed.reason;
    if (more.length === 0) return claimed;
  }
};

const claim = (
  database: Database,
  seen: Pick<DeliveryRow, "id" | "attempts">,
): Promise<ClaimedDelivery | undefined> =>
  database.change(async (tx) => {
    const found = await sendable(tx)
      .select(["d.id", "d.organization_id", "d.webhook_id", "d.body", "d.attempts_before"])
      .select(["d.event", "d.trace"])
      .select(["d.queued_at", "w.url", "w.secret", "w.former_secret", now().as("currentTime")])
      .select(({ eb }) => eb("w.former_until", ">", now()).as("rotating"))
      .where("d.id", "=", seen.id)
      .where("d.attempts", "=", seen.attempts)
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const { body, rotating, currentTime, ...delivery } = found;
    const attempts = seen.attempts + 1;
    const isFirst = seen.attempts === delivery.attempts_before;
    // The first try starts the clock: before, it may have waited for an earlier one of its subject.
    const queued_at = isFirst ? currentTime : delivery.queued_at;
    const taken = await tx
      .updateTable("deliveries")
      .set({ attempts, due_at: now(DELIVERY_LEASE_MS), queued_at })
      .where("id", "=", seen.id)
      .where("attempts", "=", seen.attempts)
      .where("state", "=", "waiting")
      .returning("id")
      .executeTakeFirst();
    if (taken === undefined) return undefined;
    return { ...delivery, attempts, queued_at, body: body ?? "", isRotating: Boolean(rotating) };
  });

const mine = <T extends Pick<ClaimedDelivery, "id" | "attempts">>({ id, attempts }: T) => ({
  id,
  attempts,
  state: "waiting" as const,
});

/** The last check before a delivery is sent, some time after the claim. */
export const mayDeliver = async (
  database: Database,
  claimed: ClaimedDelivery,
): Promise<boolean> => {
  const row = await database.read
    .selectFrom("deliveries")
    .select("id")
    .where((eb) => eb.and(mine(claimed)))
    .where("due_at", ">", now())
    .executeTakeFirst();
  return row !== undefined;
};

type Mark = Partial<Pick<DeliveryRow, "state" | "status" | "answer" | "milliseconds">> & {
  readonly last_error?: string | null;
  readonly last_reason?: string | null;
  readonly due_at?: ReturnType<typeof now>;
  readonly ended_at?: ReturnType<typeof now>;
};

/*
 * The functions that mark a delivery return whether they changed its row: one that was removed or
 * claimed by another process keeps its state. They lock the webhook's row before the delivery's, as
 * its removal does, so they cannot deadlock.
 */
const mark = async (
  tx: Kysely<Tables>,
  claimed: ClaimedDelivery,
  values: Mark,
): Promise<boolean> => {
  const marked = await tx
    .updateTable("deliveries")
    .set(values)
    .where((eb) => eb.and(mine(claimed)))
    .returning(["id", "body"])
    .executeTakeFirst();
  if (marked === undefined) return false;
  if (marked.body !== claimed.body) {
    // A person in the body was permanently deleted meanwhile; the answer may name them too.
    await tx.updateTable("deliveries").set({ answer: null }).where("id", "=", claimed.id).execute();
  }
  return true;
};

const triedOf = ({ status, answer, milliseconds, reason }: PostResult) => ({
  status,
  answer,
  milliseconds,
  ...lastTrouble(reason === null ? undefined : ownTrouble(reason)),
});

/** Marks an accepted delivery; its webhook is no longer failing. */
export const markDelivered = (
  database: Database,
  claimed: ClaimedDelivery,
  tried: PostResult,
): Promise<boolean> =>
  database.change(async (tx) => {
    await tx
      .updateTable("webhooks")
      .set({ failing_since: null })
      .where("id", "=", claimed.webhook_id)
      .where("failing_since", "is not", null)
      .execute();
    return mark(tx, claimed, { ...triedOf(tried), state: "delivered", ended_at: now() });
  });

/**
 * Marks a delivery that was not accepted.
 *
 * @param pauseMs the pause before the next try; undefined if the delivery is given up
 */
export const markFailed = (
  database: Database,
  claimed: ClaimedDelivery,
  tried: PostResult,
  pauseMs: number | undefined,
): Promise<boolean> =>
  database.change(async (tx) => {
    await tx
      .updateTable("webhooks")
      .set({ failing_since: now() })
      .where("id", "=", claimed.webhook_id)
      .where("failing_since", "is", null)
      .execute();
    return mark(tx, claimed, {
      ...triedOf(tried),
      ...(pauseMs === undefined ? { state: "failed", ended_at: now() } : { due_at: now(pauseMs) }),
    });
  });

/** Ends the claim; the delivery is due at once. */
export const releaseDelivery = (database: Database, claimed: ClaimedDelivery): Promise<boolean> =>
  database.change((tx) => mark(tx, claimed, { due_at: now() }));
