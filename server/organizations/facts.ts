import type { Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { outboxState } from "../mail/outbox.ts";
import { captureState } from "../meetings/captures/queue.ts";
import { countRecorders } from "../meetings/captures/recording-rules.ts";
import { countInside, countPeople } from "../meetings/seats/places.ts";
import { deliveryState } from "../webhooks/deliveries.ts";

/** Imports that are checked or carried out now, and the age of the oldest. */
const importState = async (db: Queries) => {
  const { open, oldest, at } = await db
    .selectFrom("imports")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("open"),
      fn.min("created_at").as("oldest"),
      now().as("at"),
    ])
    .where("state", "in", ["checking", "running"])
    .executeTakeFirstOrThrow();
  const oldestSeconds = oldest === null ? 0 : (Date.parse(at) - Date.parse(oldest)) / 1000;
  return { open: Number(open), oldestSeconds };
};

/**
 * How the whole installation does, as its database says it: what GET /metrics and `parley doctor` tell an operator. An
 * organization's overview reads its own part by the same queries.
 */
export const installationFacts = async (db: Queries) => ({
  meetings: await countInside(db),
  people: await countPeople(db),
  letters: await outboxState(db),
  deliveries: await deliveryState(db),
  imports: await importState(db),
  captures: await captureState(db),
  recorders: await countRecorders(db),
});

export type InstallationFacts = Awaited<ReturnType<typeof installationFacts>>;
