import { type Kysely, sql } from "kysely";
import type { Checked } from "../../contract/kit/operation.ts";
import type {
  Delivery,
  listDeliveries as listing,
  replayDeliveries as replaying,
} from "../../contract/webhooks/webhooks.ts";
import { queueFor } from "../change/deliveries.ts";
import { namedBy } from "../change/events.ts";
import type { Change, Organization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Tables } from "../db/tables.ts";
import type { DeliveryRow } from "../db/webhook-tables.ts";
import { lastReasonOf } from "../lib/last-trouble.ts";
import { DELIVERY_LEASE_MS } from "../lib/lease.ts";
import { refuse } from "../lib/refusal.ts";
import { findWebhook } from "./webhooks.ts";

const present = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  event: row.event,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.state === "waiting" ? row.due_at : null,
  request: row.body,
  answer: row.status === null ? null : { status: row.status, body: row.answer ?? "" },
  milliseconds: row.milliseconds,
  lastError: row.last_error,
  lastReason: lastReasonOf(row),
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

/**
 * One page of an organization's deliveries, newest first, and the total. Bodies are long, so the
 * IDs are found before the rows are fetched.
 */
export const listDeliveries = async (
  { scan, id }: Organization,
  { page, limit, webhookId, state, event }: Checked<typeof listing>,
): Promise<{ readonly deliveries: Delivery[]; readonly total: number }> => {
  let found = scan.selectFrom("deliveries").where("organization_id", "=", id);
  if (webhookId !== undefined) found = found.where("webhook_id", "=", webhookId);
  if (state !== undefined) found = found.where("state", "=", state);
  if (event !== undefined) found = found.where("event", "=", event);
  const count = await found
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .executeTakeFirstOrThrow();
  const total = Number(count.count);
  // No query for a page beyond the end, even one so large that the product is inexact.
  const offset = (page - 1) * limit;
  if (offset >= total) return { deliveries: [], total };
  const ids = found
    .select("id as page_id")
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset);
  const rows = await scan
    .selectFrom(ids.as("page"))
    .innerJoin("deliveries", "deliveries.id", "page.page_id")
    .selectAll("deliveries")
    .orderBy("created_at", "desc")
    .orderBy("number", "desc")
    .orderBy("id", "desc")
    .execute();
  return { deliveries: rows.map(present), total };
};

/** A webhook that is on. @throws Refusal `webhook_not_found`, `webhook_off` */
const webhookThatIsOn = async ({ tx, organization }: Change, id: string) => {
  const webhook = await findWebhook(tx, organization.id, id);
  return webhook.state === "on" ? webhook : refuse("webhook_off");
};

/**
 * Queues a test event.
 *
 * @returns the ID of its delivery
 * @throws Refusal `webhook_not_found`, `webhook_off`
 */
export const testWebhook = async (change: Change, id: string): Promise<string> => {
  const webhook = await webhookThatIsOn(change, id);
  const data = { webhookId: id, by: namedBy(change.caller) };
  const [deliveryId] = await queueFor(change, webhook, [{ type: "test", subject: "test", data }]);
  if (deliveryId === undefined) throw new Error("A test event was not queued.");
  change.leaveWork("deliveries");
  return deliveryId;
};

/** The values of a repeated delivery: the same body, tried as long as a new one. */
const again = () => ({
  state: "waiting" as const,
  due_at: now(),
  queued_at: now(),
  attempts_before: sql<number>`attempts`,
  ended_at: null,
});

/**
 * Sends a delivery again. A waiting one becomes due now, with those of its subject before it, so
 * that they stay in order.
 *
 * @throws Refusal `delivery_not_found`, `webhook_off`, `delivery_waits` if it is being sent, or is
 * due so soon that it may be
 */
export const replayDelivery = async (change: Change, id: string): Promise<void> => {
  const { tx, organization } = change;
  const row = await tx
    .selectFrom("deliveries")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "=", id)
    .where("body", "is not", null)
    .executeTakeFirst();
  if (row === undefined) return refuse("delivery_not_found");
  await webhookThatIsOn(change, row.webhook_id);
  change.leaveWork("deliveries");
  const sent = tx.updateTable("deliveries").set(again());
  if (row.state !== "waiting") {
    await sent.where("id", "=", id).execute();
    return;
  }
  const { numUpdatedRows } = await sent
    .where("webhook_id", "=", row.webhook_id)
    .where("subject", "=", row.subject)
    .where("number", "<=", row.number)
    .where("state", "=", "waiting")
    // An earlier time may be the lease of a delivery that is being sent.
    .where("due_at", ">", now(DELIVERY_LEASE_MS))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) refuse("delivery_waits");
};

/**
 * Sends the deliveries of a span of time again.
 *
 * @returns how many there are
 * @throws Refusal `webhook_not_found`, `webhook_off`
 */
export const replayDeliveries = async (
  change: Change,
  { webhookId, from, to, onlyFailed }: Checked<typeof replaying>,
): Promise<number> => {
  const webhook = await webhookThatIsOn(change, webhookId);
  const replayed = await change.tx
    .updateTable("deliveries")
    .set(again())
    .where("webhook_id", "=", webhook.id)
    .where("created_at", ">=", new Date(from).toISOString())
    .where("created_at", "<", new Date(to).toISOString())
    .where("body", "is not", null)
    .where("state", "in", onlyFailed ? ["failed"] : ["failed", "delivered"])
    .executeTakeFirstOrThrow();
  change.leaveWork("deliveries");
  return Number(replayed.numUpdatedRows);
};

/** The state of all deliveries: how many wait and since when, and how many webhooks fail. */
export const deliveryState = async (
  db: Kysely<Tables>,
): Promise<{
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly failedWebhooks: number;
}> => {
  const { waiting, oldest, at } = await db
    .selectFrom("deliveries")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("waiting"),
      fn.min("created_at").as("oldest"),
      now().as("at"),
    ])
    .where("state", "=", sql.lit("waiting" as const))
    .executeTakeFirstOrThrow();
  const failed = await db
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("state", "=", "failed")
    .executeTakeFirstOrThrow();
  return {
    waiting: Number(waiting),
    oldestSeconds: oldest === null ? 0 : (Date.parse(at) - Date.parse(oldest)) / 1000,
    failedWebhooks: Number(failed.count),
  };
};
