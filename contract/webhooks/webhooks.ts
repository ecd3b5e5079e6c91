import { z } from "zod";
import {
  choice,
  dateTime,
  flag,
  id,
  instant,
  pathId,
  spanOfTime,
  textField,
  webAddress,
  webLink,
} from "../kit/fields.ts";
import { lastReason } from "../kit/last-reason.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { limitTo, pagination, queryPage, sentPage } from "../kit/pages.ts";
import { type CarriedReason, says } from "../kit/reasons.ts";
import { deliveryEvents, webhookEvents } from "./events.ts";

/*
 * Webhooks: the service notifies another one of what happens, as specified by standardwebhooks.com. Parley's
 * own operations, for administrators and access keys.
 */

const webhooks = { group: "Webhooks", access: "administrator", failure: "message" } as const;

const named = { title: "Webhook" } as const;
const webhook = z
  .strictObject({
    id: z.string(),
    url: webLink(),
    description: z.string(),
    events: z.array(z.enum(webhookEvents)),
    /**
     * failed: switched off by the service, after three days in which no delivery was accepted, or after a 410.
     */
    state: z.enum(["on", "off", "failed"]),
    /** The time since which no delivery was accepted; null: the last delivery was. */
    failingSince: instant().nullable(),
    /** Until when deliveries are also signed with the former secret; null: only with the current one. */
    formerSecretUntil: instant().nullable(),
    waiting: z.int(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta(named);
/** A webhook, without its secret. */
export type Webhook = z.output<typeof webhook>;
const withSecret = webhook.extend({ secret: z.string() }).meta(named);

const eventList = z
  .array(choice(webhookEvents), { error: says("not_list", { of: "events" }) })
  .min(1, { error: says("too_few", { min: 1, of: "event" }) })
  .max(webhookEvents.length, { error: says("repeated", { of: "event" }) })
  .transform((events) => [...new Set(events)])
  .describe("The events that the webhook gets.");
const address = (required?: CarriedReason) =>
  webAddress(required).describe(
    "The http or https address to which events are posted: on the public Internet, or allowed by the operator.",
  );
const purpose = "For people: what it is for.";
export const webhookDescription = textField(200, { shown: "line" }).describe(purpose);
const webhookId = pathId().describe("The ID of the webhook.");
const deliveryId = pathId().describe("The ID of the delivery.");

export const createWebhook = operation({
  ...webhooks,
  id: "createWebhook",
  fresh: "always",
  changes: true,
  method: "POST",
  path: "/api/webhook",
  summary: "Create a webhook; its secret is shown only once",
  in: "body",
  input: z.object({
    url: address(says("required")),
    events: eventList,
    description: webhookDescription.default(""),
  }),
  reply: success({ webhook: withSecret }),
  status: 201,
  refusals: ["webhook_limit"],
});

export const listWebhooks = operation({
  ...webhooks,
  id: "listWebhooks",
  method: "GET",
  path: "/api/webhook",
  summary: "The webhooks, never their secrets",
  in: "nothing",
  input: nothing,
  reply: success({ webhooks: z.array(webhook) }),
  status: 200,
  refusals: [],
});

export const editWebhook = operation({
  ...webhooks,
  id: "editWebhook",
  fresh: "sometimes",
  changes: true,
  method: "PUT",
  path: "/api/webhook",
  summary: "Change a webhook, or switch it on or off",
  in: "body",
  input: z.object({
    id: id().describe("The ID of the webhook."),
    url: address().optional(),
    events: eventList.optional(),
    description: textField(200).describe(purpose).optional(),
    on: flag().optional().describe("Whether events are sent. Deliveries that wait stay."),
  }),
  reply: success({ webhook }),
  status: 200,
  refusals: ["webhook_not_found"],
});

export const removeWebhook = operation({
  ...webhooks,
  id: "removeWebhook",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/webhook/:id",
  summary: "Remove a webhook with its deliveries",
  in: "path",
  input: z.object({ id: webhookId }),
  reply: success({}),
  status: 200,
  refusals: ["webhook_not_found"],
});

export const rotateWebhookSecret = operation({
  ...webhooks,
  id: "rotateWebhookSecret",
  changes: true,
  method: "POST",
  path: "/api/webhook/:id/rotateSecret",
  summary: "A new secret, shown only once; the former one counts for a day",
  in: "path",
  input: z.object({ id: webhookId }),
  reply: success({ webhook: withSecret }),
  status: 200,
  refusals: ["webhook_not_found"],
});

export const testWebhook = operation({
  ...webhooks,
  id: "testWebhook",
  changes: true,
  method: "POST",
  path: "/api/webhook/:id/test",
  summary: "Send a test event",
  in: "path",
  input: z.object({ id: webhookId }),
  reply: success({ deliveryId: z.string() }),
  status: 200,
  refusals: ["webhook_not_found", "webhook_off"],
});

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
const delivery = z
  .strictObject({
    id: z.string(),
    webhookId: z.string(),
    event: z.enum(deliveryEvents),
    subject: z.string(),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    /** When the next try is due; null once it has ended. */
    dueAt: instant().nullable(),
    request: z.string().nullable(),
    /** The answer to the last try; null: none arrived. */
    answer: z.strictObject({ status: z.int(), body: z.string() }).nullable(),
    /** How long the last try took; null before the first. */
    milliseconds: z.int().nullable(),
    lastError: z.string().nullable(),
    lastReason: lastReason.nullable(),
    createdAt: instant(),
    endedAt: instant().nullable(),
  })
  .meta({ title: "Delivery" });
/** One event for one webhook, and its result. */
export type Delivery = z.output<typeof delivery>;

const size = limitTo(100);
const deliveryPage = z.object({
  page: queryPage,
  limit: size.taken,
  webhookId: textField(128).optional().describe("Only deliveries of this webhook."),
  state: choice(deliveryStates).optional().describe("Only deliveries in this state."),
  event: choice(deliveryEvents).optional().describe("Only deliveries of this event."),
});

export const listDeliveries = operation({
  ...webhooks,
  // Deliveries reveal everything that happens.
  scope: "everything",
  id: "listDeliveries",
  compressed: "always",
  method: "GET",
  path: "/api/webhook/delivery/paginated",
  summary: "What was sent and answered, newest first",
  in: "query",
  input: deliveryPage,
  sent: deliveryPage.extend({ page: sentPage, limit: size.sent }),
  reply: success({ deliveries: z.array(delivery), pagination }),
  status: 200,
  refusals: [],
});

export const replayDelivery = operation({
  ...webhooks,
  id: "replayDelivery",
  changes: true,
  method: "POST",
  path: "/api/webhook/delivery/:id/replay",
  summary: "Send a delivery again, or one that waits now",
  in: "path",
  input: z.object({ id: deliveryId }),
  reply: success({}),
  status: 200,
  refusals: ["delivery_not_found", "delivery_waits", "webhook_off"],
});

export const replayDeliveries = operation({
  ...webhooks,
  id: "replayDeliveries",
  changes: true,
  method: "POST",
  path: "/api/webhook/replay",
  summary: "Send the deliveries of a span of time again",
  in: "body",
  input: z
    .object({
      webhookId: id().describe("The ID of the webhook."),
      from: dateTime().describe("Events that happened at this time or later."),
      to: dateTime().describe("Events that happened before this time."),
      onlyFailed: flag().default(true).describe("false: those that were delivered, too."),
    })
    .check(spanOfTime),
  reply: success({ replayed: z.int() }),
  status: 200,
  refusals: ["webhook_not_found", "webhook_off"],
});
