import type { Change, Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Chore } from "../users/mender.ts";
import { deleteFromBin } from "./bin.ts";

/** Small enough for a short change. */
const PIECE = 5;

const due = (db: Queries) => db.selectFrom("bin").where("ends_at", "<=", now());

/** Deletes the next entries of a bin that are due. */
const sweepPiece = async (change: Change): Promise<void> => {
  // Checked again under the organization's row: an entry may have been restored just now.
  const rows = await due(change.tx)
    .select("id")
    .where("organization_id", "=", change.organization.id)
    .orderBy("ends_at")
    .limit(PIECE)
    .execute();
  if (rows.length === 0) return;
  await deleteFromBin(
    change,
    rows.map(({ id }) => id),
  );
};

/** Deletes the entries of a bin permanently once their days are over. */
export const sweepBin: Chore = {
  organizations: async (read) => {
    const rows = await due(read).select("organization_id").distinct().execute();
    return rows.map(({ organization_id }) => organization_id);
  },
  piece: ({ change }) => change(sweepPiece),
};
