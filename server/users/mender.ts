import type { Logger } from "pino";
import {
  type Organization,
  openOrganization,
  type Queries,
  service,
} from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { type Looks, startLooks } from "../lib/looks.ts";
import { eraseDeliveries } from "../webhooks/forget.ts";
import { goneForGood, mendPiece } from "./former.ts";

/** Work in pieces, each of short changes. The stored rows say what is left to do, so a kill loses nothing. */
export interface Chore {
  /** The organizations in which there is something to do. */
  readonly organizations: (read: Queries) => Promise<readonly string[]>;
  /** Does the next piece. A long piece asks whether to stop; the next start repeats it. */
  readonly piece: (organization: Organization, stopping: () => boolean) => Promise<unknown>;
}

/**
 * Mends the next piece, and erases the sent deliveries about people of whom nothing else is left.
 */
const mendNext = async (organization: Organization, stopping: () => boolean): Promise<void> => {
  const ready = await organization.change((change) => mendPiece(change));
  if (ready === undefined || ready.length === 0) return;
  if (!(await eraseDeliveries(organization, ready, stopping))) return;
  await organization.change(({ tx }) =>
    tx.deleteFrom("users").where("id", "in", ready).where("gone_at", "is not", null).execute(),
  );
};

/** Erases what is left of former people: in rooms, words, the history and deliveries. */
export const mendFormer: Chore = {
  organizations: async (read) => {
    const rows = await goneForGood(read).select("organization_id").distinct().execute();
    return rows.map(({ organization_id }) => organization_id);
  },
  piece: mendNext,
};

/** How often it looks without being woken: another process may have died in the middle of its work. */
const LOOK_MS = 60_000;

/**
 * Starts to do, in the background, the work that is too long for a request, including what an earlier run
 * left. It stops after the current piece, and the next start does the rest. Any number of processes may
 * run one.
 */
export const startMender = (
  database: Database,
  log: Pick<Logger, "warn">,
  chores: readonly Chore[],
): Looks => {
  const mendAll = async (stopping: () => boolean): Promise<void> => {
    const failed = new Map(chores.map((chore) => [chore, new Set<string>()]));
    let worked = false;
    for (let found = true; found; ) {
      found = false;
      for (const [chore, failures] of failed) {
        const waiting = await chore.organizations(database.read);
        for (const id of waiting.filter((one) => !failures.has(one))) {
          if (stopping()) return;
          found = true;
          worked = true;
          const from = performance.now();
          try {
            await chore.piece(openOrganization(database, id, service), stopping);
          } catch (err) {
            // Other organizations do not wait for this one, which the next look tries again.
            log.warn({ err }, "what is left in an organization is done later");
            failures.add(id);
          }
          await rest(performance.now() - from);
        }
      }
    }
    // The database's log still contains the erased pages.
    if (worked) await database.forget();
  };

  return startLooks({
    everyMs: LOOK_MS,
    look: mendAll,
    onError: (err) => log.warn({ err }, "what is left is done later"),
  });
};
