import type { Logger } from "pino";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { type Looks, startLooks } from "../looks.ts";
import { type Organization, openOrganization, type Queries, service } from "../organization.ts";
import { eraseDeliveries } from "../webhooks/forget.ts";
import { goneForGood, mendPiece } from "./former.ts";

/** Work in pieces, each of short changes. The remaining work follows from the stored rows, so a kill loses nothing. */
export interface Chore {
  /** The organizations in which there is something to do. */
  readonly organizations: (read: Queries) => Promise<readonly string[]>;
  /** Does the next piece. A long one asks whether it is to stop; the next start does it again. */
  readonly piece: (organization: Organization, stopping: () => boolean) => Promise<unknown>;
}

/** Mends the next piece, and erases what webhooks were sent of those of whom nothing else is left. */
const mendNext = async (organization: Organization, stopping: () => boolean): Promise<void> => {
  const ready = await organization.change((change) => mendPiece(change));
  if (ready === undefined || ready.length === 0) return;
  if (!(await eraseDeliveries(organization, ready, stopping))) return;
  await organization.change(({ tx }) =>
    tx.deleteFrom("users").where("id", "in", ready).where("gone_at", "is not", null).execute(),
  );
};

/** Removes former people from the rooms that name them. */
export const mendFormer: Chore = {
  organizations: async (read) => {
    const rows = await goneForGood(read).select("organization_id").distinct().execute();
    return rows.map(({ organization_id }) => organization_id);
  },
  piece: mendNext,
};

/** Another process may have died in the middle of its work. */
const LOOK_MS = 60_000;

/**
 * Starts to do, behind the requests, what is too long for one of them, also what an earlier run left. It
 * stops after the current piece, and the next start does the rest. Any number of processes may run one.
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
            // It does not keep the others waiting; the next look tries it again.
            log.warn({ err }, "what is left in an organization is done later");
            failures.add(id);
          }
          await rest(performance.now() - from);
        }
      }
    }
    // The log still has the erased pages.
    if (worked) await database.forget();
  };

  return startLooks({
    everyMs: LOOK_MS,
    look: mendAll,
    onError: (err) => log.warn({ err }, "what is left is done later"),
  });
};
