import { now } from "../db/now.ts";
import { DAY_MS } from "../lib/durations.ts";
import { firstIdAt } from "../lib/id.ts";
import { startWorker, type Worker } from "../lib/worker.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claims.ts";
import { carryDelivery, type SenderNeeds } from "./round.ts";

/** How often it looks by itself: the delay for events of other processes. */
const LOOK_MS = 1_000;
const PIECE = 200;

/** Removes deliveries that are older than WEBHOOK_DAYS, and secrets that no longer count. */
const removeOld = async (
  { database, config }: Pick<SenderNeeds, "database" | "config">,
  stopping: () => boolean,
): Promise<void> => {
  await database.change((tx) =>
    tx
      .updateTable("webhooks")
      .set({ former_secret: null, former_until: null })
      .where("former_until", "<=", now())
      .execute(),
  );
  const before = firstIdAt(Date.now() - config.webhookDays * DAY_MS);
  while (!stopping()) {
    const old = await database.read
      .selectFrom("deliveries")
      .select("id")
      .where("id", "<", before)
      .orderBy("id")
      .limit(PIECE)
      .execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await database.change((tx) => tx.deleteFrom("deliveries").where("id", "in", ids).execute());
  }
};

/** Starts sending the deliveries of webhooks. Any number of processes may, on one database. */
export const startSender = (bag: SenderNeeds): Worker =>
  startWorker<ClaimedDelivery>({
    lookMs: LOOK_MS,
    claim: (underway) => claimDeliveries(bag.database, underway),
    carry: (delivery, since, stop) => carryDelivery(bag, delivery, since, stop),
    removeOld: (stopping) => removeOld(bag, stopping),
    log: bag.log,
    faults: {
      claim: "Deliveries of webhooks cannot be looked up.",
      carry: "A delivery of a webhook cannot be marked; it is tried again later.",
      removeOld: "Old deliveries of webhooks cannot be removed.",
    },
  });
