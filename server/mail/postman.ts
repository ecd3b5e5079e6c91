import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { type Log, startWorker, type Worker } from "../lib/worker.ts";
import { type ClaimedLetter, claimLetters } from "./claims.ts";
import { openConcurrencyLimit } from "./concurrency-limit.ts";
import { openDelivery } from "./delivery.ts";
import { carryLetter, type PostmanNeeds } from "./round.ts";
import { removeOver } from "./tidy.ts";
import { Verdicts } from "./verdicts.ts";

/** Delivers letters; `tidy` also removes the files of letters that are gone. */
export type Postman = Worker;

const LOOK_MS = 3_000;

/** Starts delivering the letters of the outbox. Any number of postmen may work on one database. */
export const startPostman = (given: {
  readonly database: Database;
  readonly seal: Seal;
  readonly config: Pick<
    Config,
    "smtp" | "dataDir" | "mailFrom" | "mailRetrySeconds" | "mailFileDays" | "publicUrl"
  >;
  readonly log: Log;
}): Postman => {
  const { database, config, log } = given;
  const delivery = openDelivery(config);
  const bag: PostmanNeeds = { ...given, delivery, verdicts: new Verdicts() };
  const limit = openConcurrencyLimit(delivery, log, () => worker.wake());
  const worker = startWorker<ClaimedLetter>({
    lookMs: LOOK_MS,
    claim: async (underway) => {
      const free = limit.width() - underway.length;
      return free > 0 ? claimLetters(database, free) : [];
    },
    carry: async (letter, since, stop) => limit.report(await carryLetter(bag, letter, since, stop)),
    removeOld: (stopping) => removeOver(database, config, stopping),
    log,
    faults: {
      claim: "Emails cannot be looked up.",
      carry: "An email cannot be marked; it is tried again later.",
      removeOld: "Old emails cannot be removed.",
    },
  });
  return {
    ...worker,
    stop(graceMs) {
      const stopped = worker.stop(graceMs);
      limit.close();
      return stopped;
    },
  };
};
