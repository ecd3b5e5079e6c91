import assert from "node:assert/strict";
import type { Delivery, Webhook } from "../../contract/webhooks/webhooks.ts";
import type { Ask } from "../world/ask.ts";
import type { Tenant } from "../world/tenant.ts";

export const make = async (ask: Ask, url: string, events: readonly string[]) => {
  const { status, text, body } = await ask("createWebhook", { url, events });
  assert.equal(status, 201, text);
  return body.webhook as Webhook & { readonly secret: string };
};

/** The deliveries of an organization, newest first. */
export const deliveries = async (ask: Ask, wanted: object = {}): Promise<Delivery[]> =>
  (await ask("listDeliveries", { limit: 100, ...wanted })).body.deliveries;

/** Creates a room owned by an administrator. */
export const createRoom = async ({ ask, admin }: Tenant, name: string): Promise<void> => {
  const { status, text } = await ask("createRoom", { name, roomOwnerId: admin.id });
  assert.equal(status, 201, text);
};
