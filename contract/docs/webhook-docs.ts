import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import { WEBHOOKS } from "../kit/plain.ts";
import type { Delivery, Webhook } from "../webhooks/webhooks.ts";
import { type Example, type MeaningsOf, reasonMeaning } from "./kit.ts";

/*
 * Descriptions of the operations of webhooks, meanings of their answers' fields, and examples. Neither
 * the client nor the console imports this file.
 */

type WebhookOperation =
  | "createWebhook"
  | "listWebhooks"
  | "editWebhook"
  | "removeWebhook"
  | "rotateWebhookSecret"
  | "testWebhook"
  | "listDeliveries"
  | "replayDelivery"
  | "replayDeliveries";

export const webhookDescriptions: Readonly<Record<WebhookOperation, string>> = {
  createWebhook: `Creates a webhook: from now on each of its events is posted to \`url\`, signed as standardwebhooks.com says (docs/webhooks.md). The secret is answered once and cannot be read again. An organization has at most ${WEBHOOKS}.`,
  listWebhooks:
    "Returns the organization's webhooks, oldest first, with their state. Their secrets are never answered again.",
  editWebhook:
    "Changes the fields that are supplied; all others stay. Switching on a webhook that has failed tries its waiting deliveries at once. Events that happen while it is off are not kept for it.",
  removeWebhook: "Removes a webhook with all of its deliveries, those that wait included.",
  rotateWebhookSecret:
    "Makes a new secret. For 24 hours each delivery carries two signatures, by the new secret and by the former one, so that a receiver can change at any time. Rotating again within that day ends the former secret at once.",
  testWebhook:
    "Sends an event of type `test`. What becomes of it is in the list of deliveries. Refuses a webhook that is off.",
  listDeliveries:
    "Returns one page of the deliveries, newest first, with what was sent and what was answered: the status and at most the first 1 kB.",
  replayDelivery:
    "Sends a delivery again, with the same ID and body, so that a receiver recognizes it. A waiting delivery is due at once, after earlier ones of its subject, which are due at once too. Refuses a delivery that is being sent or is due within a minute, and one of a webhook that is off.",
  replayDeliveries:
    "Sends the deliveries of a span of time again, in order, with the same IDs and bodies: the failed ones, or all that have ended.",
};

const webhook: MeaningsOf<Webhook> = {
  id: "The ID of the webhook.",
  url: "Where its events are posted.",
  description: "For people: what it is for.",
  events: "The events that it gets.",
  state:
    "on: events are sent; off: switched off by somebody; failed: switched off by the service, because nothing was accepted for three days, or the receiver answered 410.",
  failingSince: "Since when nothing was accepted: ISO 8601, UTC; null while the last delivery was.",
  formerSecretUntil:
    "Until when deliveries are signed with the former secret too: ISO 8601, UTC; null where there is one secret.",
  waiting: "How many deliveries wait to be accepted.",
  createdAt: "When the webhook was created: ISO 8601, UTC.",
  updatedAt: "When it was last changed: ISO 8601, UTC.",
};
const secret = "The secret for the check of signatures. Returned only once.";

const delivery: MeaningsOf<Delivery> = {
  id: "The ID of the delivery, which receivers get as `webhook-id`. It stays the same however often it is sent.",
  webhookId: "The ID of the webhook.",
  event: "What happened; test: an administrator asked for it.",
  subject: "`room:` and the room ID, `user:` or `recording:` and the ID, or `test`.",
  state:
    "waiting: to be sent; delivered: accepted with a status of 2xx; failed: given up three days after its first try.",
  attempts: "How many times it was sent.",
  dueAt: "When the next try is due: ISO 8601, UTC; null unless it waits.",
  request: "The body that is sent; null once it is erased with its person.",
  answer: {
    is: "The answer to the last try; null where there was none.",
    fields: { status: "The HTTP status.", body: "The first 1,024 bytes, as text." },
  },
  milliseconds: "How long the last try took; null before the first.",
  lastError: "Why the last try failed; null where it did not.",
  lastReason: reasonMeaning("`lastError` as a code with its values; null where there is none."),
  createdAt: "When it happened: ISO 8601, UTC.",
  endedAt: "When it was delivered or given up: ISO 8601, UTC; null while it waits.",
};

export const webhookFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): { readonly [K in WebhookOperation]: MeaningsOf<Reply<Operations[K]>> } => ({
  createWebhook: { webhook: { is: "The new webhook.", fields: { ...webhook, secret } } },
  listWebhooks: { webhooks: { is: "The webhooks, oldest first.", fields: webhook } },
  editWebhook: { webhook: { is: "The webhook after the edit.", fields: webhook } },
  removeWebhook: {},
  rotateWebhookSecret: {
    webhook: { is: "The webhook with its new secret.", fields: { ...webhook, secret } },
  },
  testWebhook: { deliveryId: "The ID of the delivery." },
  listDeliveries: {
    deliveries: { is: "The deliveries on the page.", fields: delivery },
    pagination,
  },
  replayDelivery: {},
  replayDeliveries: { replayed: "How many deliveries are sent again." },
});

const success = true as const;
const id = "0199c2a6-4d1b-7c90-8e2a-5f6b7c8d9e01";
const deliveryId = "0199c2a6-5e2c-7da1-9f3b-6a7c8d9e0f12";
const createdAt = "2026-01-12T09:30:00.000Z";
const url = "https://crm.example.org/parley";
const shown: Webhook = {
  id,
  url,
  description: "Customer records",
  events: ["meetingEnded", "userCreated"],
  state: "on",
  failingSince: null,
  formerSecretUntil: null,
  waiting: 0,
  createdAt,
  updatedAt: createdAt,
};
const revealed = { ...shown, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" };

export const webhookExamples: {
  readonly [K in WebhookOperation]: Example<Operations[K]>;
} = {
  createWebhook: {
    request: { url, events: shown.events, description: shown.description },
    answer: { success, webhook: revealed },
  },
  listWebhooks: { answer: { success, webhooks: [shown] } },
  editWebhook: {
    request: { id, events: shown.events, on: true },
    answer: { success, webhook: shown },
  },
  removeWebhook: { request: { id }, answer: { success } },
  rotateWebhookSecret: {
    request: { id },
    answer: {
      success,
      webhook: { ...revealed, formerSecretUntil: "2026-01-15T09:30:00.000Z" },
    },
  },
  testWebhook: { request: { id }, answer: { success, deliveryId } },
  listDeliveries: {
    request: { page: 1, limit: 25, webhookId: id, state: "delivered" },
    answer: {
      success,
      deliveries: [
        {
          id: deliveryId,
          webhookId: id,
          event: "meetingEnded",
          subject: "room:4815162342",
          state: "delivered",
          attempts: 1,
          dueAt: null,
          request:
            '{"type":"meetingEnded","timestamp":"2026-01-12T09:30:00.000Z","data":{"roomId":"4815162342","roomName":"Board meeting","meetingId":"0199c2a5-03d7-7e16-a2f9-6b4c8e1d7f35","seconds":2710}}',
          answer: { status: 204, body: "" },
          milliseconds: 48,
          lastError: null,
          lastReason: null,
          createdAt,
          endedAt: "2026-01-12T09:30:00.612Z",
        },
      ],
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  replayDelivery: { request: { id: deliveryId }, answer: { success } },
  replayDeliveries: {
    request: { webhookId: id, from: "2026-01-12T00:00:00Z", to: "2026-01-13T00:00:00Z" },
    answer: { success, replayed: 3 },
  },
};
