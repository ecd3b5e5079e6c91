import {
  type DeliveryEvent,
  type EventGroup,
  eventGroups,
  webhookEvents,
} from "../../contract/webhooks/events.ts";
import { t } from "../texts/index.ts";

/** An event with its group, in words. */
export const sayEvent = (event: DeliveryEvent): string => {
  const { groups, events, eventOf } = t.webhooks;
  const group = (Object.keys(groups) as EventGroup[]).find((one) =>
    eventGroups[one].some((word) => word === event),
  );
  return group === undefined ? events[event] : eventOf(groups[group], events[event]);
};

/** How many events a webhook gets. */
export const sayEventCount = (count: number): string =>
  count === webhookEvents.length
    ? t.webhooks.eventsAll
    : t.webhooks.eventCount(count, webhookEvents.length);
