import type { DeliveryEvent } from "../../contract/webhooks/events.ts";
import { piecesOf } from "../db/pieces.ts";
import type { DeliveryRow, WebhookRow } from "../db/webhook-tables.ts";
import { uuid7 } from "../lib/id.ts";
import { tracePlace } from "../lib/traced.ts";
import type { ChangeContext } from "./context.ts";
import type { Event } from "./events.ts";
import type { Facts } from "./history.ts";

/** The most rows of one statement: SQLite takes 32,766 values. */
const PIECE = 500;

/** An event with its subject and its data, as a delivery sends them. */
interface NamedEvent {
  readonly type: DeliveryEvent;
  readonly subject: string;
  readonly data: Facts;
}

/** Adds the rooms to events; each room is looked up once. */
const nameRooms = async (
  { tx }: Pick<ChangeContext, "tx">,
  events: readonly Event[],
): Promise<readonly NamedEvent[]> => {
  const rooms = events.flatMap((event) => ("in" in event ? [event.in] : []));
  // If a room is deleted with the end of its meeting, the event of that end names it.
  const named = new Map(
    rooms.flatMap(({ id, room, name }) =>
      room === undefined || name === undefined ? [] : [[id, { room, name }] as const],
    ),
  );
  const unnamed = [...new Set(rooms.map(({ id }) => id))].filter((id) => !named.has(id));
  if (unnamed.length > 0) {
    const found = await tx
      .selectFrom("rooms")
      .select(["id", "room", "name"])
      .where("id", "in", unnamed)
      .execute();
    for (const { id, room, name } of found) named.set(id, { room, name });
  }
  return events.flatMap((event): readonly NamedEvent[] => {
    if (!("in" in event)) return [event];
    const room = named.get(event.in.id);
    if (room === undefined) return [];
    const { type, data, subject = `room:${room.room}` } = event;
    const whose = { roomId: room.room, roomName: room.name };
    return [{ type, subject, data: { ...whose, ...data } }];
  });
};

/** The deliveries to one webhook, as rows. */
const rowsFor = (
  { id: webhook_id, last_number }: Pick<WebhookRow, "id" | "last_number">,
  { organization, now }: Pick<ChangeContext, "organization" | "now">,
  named: readonly NamedEvent[],
): DeliveryRow[] =>
  named.map(({ type, subject, data }, at) => ({
    id: uuid7(),
    organization_id: organization.id,
    webhook_id,
    subject,
    event: type,
    number: Number(last_number) + at + 1,
    body: JSON.stringify({ type, timestamp: now, data }),
    state: "waiting",
    attempts: 0,
    attempts_before: 0,
    due_at: now,
    queued_at: now,
    status: null,
    answer: null,
    milliseconds: null,
    last_error: null,
    last_reason: null,
    created_at: now,
    ended_at: null,
    trace: tracePlace() ?? null,
  }));

/** Queues deliveries of events to a webhook. @returns the IDs of the deliveries */
export const queueFor = async (
  change: Pick<ChangeContext, "tx" | "organization" | "now">,
  webhook: Pick<WebhookRow, "id" | "last_number">,
  named: readonly NamedEvent[],
): Promise<readonly string[]> => {
  const { tx } = change;
  const rows = rowsFor(webhook, change, named);
  const last = rows.at(-1);
  if (last === undefined) return [];
  await tx
    .updateTable("webhooks")
    .set({ last_number: last.number })
    .where("id", "=", webhook.id)
    .execute();
  for (const piece of piecesOf(rows, PIECE)) {
    await tx.insertInto("deliveries").values(piece).execute();
  }
  return rows.map(({ id }) => id);
};

/**
 * Queues what happened in a change for the webhooks that want it, in the change's own transaction:
 * a delivery exists exactly when the change does. The organization's lock keeps them in order.
 */
export const queueDeliveries = async (
  change: Pick<ChangeContext, "tx" | "organization" | "now">,
  events: readonly Event[],
): Promise<void> => {
  if (events.length === 0 || change.organization.webhooks === 0) return;
  const webhooks = await change.tx
    .selectFrom("webhooks")
    .select(["id", "events", "last_number"])
    .where("organization_id", "=", change.organization.id)
    .where("state", "=", "on")
    .orderBy("id")
    .execute();
  const named = await nameRooms(change, events);
  for (const webhook of webhooks) {
    const wanted = new Set<string>(JSON.parse(webhook.events));
    const mine = named.filter(({ type }) => wanted.has(type));
    await queueFor(change, webhook, mine);
  }
};
