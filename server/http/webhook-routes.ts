import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { isAmong } from "../lib/networks.ts";
import * as deliveries from "../webhooks/deliveries.ts";
import * as webhooks from "../webhooks/webhooks.ts";
import { changing, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

export const webhookRoutes = ({
  config,
  seal,
}: Pick<Service, "config" | "seal">): readonly Route[] => {
  const isAllowed = isAmong(config.allowedNetworks);
  return [
    changing(o.createWebhook, ({ input }) => ({
      rule: (change) => webhooks.createWebhook(change, input, { seal, isAllowed }),
      answer: (webhook) => ({ ...ok, webhook }),
    })),
    scoped(o.listWebhooks, async ({ organization }) => ({
      ...ok,
      webhooks: await webhooks.listWebhooks(organization),
    })),
    changing(o.editWebhook, ({ input }) => ({
      rule: (change) => webhooks.editWebhook(change, input, isAllowed),
      answer: (webhook) => ({ ...ok, webhook }),
    })),
    changing(o.removeWebhook, ({ input }) => ({
      rule: (change) => webhooks.removeWebhook(change, input.id),
      answer: () => ok,
    })),
    changing(o.rotateWebhookSecret, ({ input }) => ({
      rule: (change) => webhooks.rotateSecret(change, input.id, seal),
      answer: (webhook) => ({ ...ok, webhook }),
    })),
    changing(o.testWebhook, ({ input }) => ({
      rule: (change) => deliveries.testWebhook(change, input.id),
      answer: (deliveryId) => ({ ...ok, deliveryId }),
    })),
    scoped(o.listDeliveries, async ({ input, organization }) => {
      const { deliveries: page, total } = await deliveries.listDeliveries(organization, input);
      return { ...ok, deliveries: page, pagination: paginate(input, total) };
    }),
    changing(o.replayDelivery, ({ input }) => ({
      rule: (change) => deliveries.replayDelivery(change, input.id),
      answer: () => ok,
    })),
    changing(o.replayDeliveries, ({ input }) => ({
      rule: (change) => deliveries.replayDeliveries(change, input),
      answer: (replayed) => ({ ...ok, replayed }),
    })),
  ];
};
