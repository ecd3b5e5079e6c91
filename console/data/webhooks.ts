import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Input } from "../../contract/kit/operation.ts";
import type { Delivery, listDeliveries, Webhook } from "../../contract/webhooks/webhooks.ts";
import { parley } from "../kit/client.ts";

export type { Delivery, Webhook };

/** Deliveries change state while a page is open. */
const LOOK_MS = 5_000;

export const useWebhooks = () =>
  useQuery({
    queryKey: ["webhooks"],
    queryFn: async ({ signal }) => (await parley.listWebhooks({}, { signal })).webhooks,
    refetchInterval: LOOK_MS,
  });

export const useDeliveries = (asked: Input<typeof listDeliveries>) =>
  useQuery({
    queryKey: ["deliveries", asked],
    queryFn: ({ signal }) => parley.listDeliveries(asked, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });
