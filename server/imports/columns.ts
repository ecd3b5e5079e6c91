import type { ImportKind } from "../../contract/imports/imports.ts";
import type { Change, Organization, Queries } from "../change/organization.ts";
import { digestOf } from "../lib/digest.ts";
import { foldHeading } from "./sheets/headings.ts";

/*
 * An organization remembers how the columns of a file were assigned: the next file with the same
 * headings is read the same way, unless the request assigns them.
 */

/** The field that each column of a file fills, or null. */
export type Assigned = readonly (string | null)[];

/** The most files that an organization remembers; the least recently used one goes. */
const MOST = 200;

const keyOf = (headings: readonly string[]): string =>
  digestOf(JSON.stringify(headings.map(foldHeading)));

/** The remembered columns of a file with these headings. */
export const rememberedColumns = async (
  { id, read }: Pick<Organization, "id" | "read">,
  kind: ImportKind,
  headings: readonly string[],
): Promise<Assigned | undefined> => {
  const row = await read
    .selectFrom("import_columns")
    .select("columns")
    .where("organization_id", "=", id)
    .where("kind", "=", kind)
    .where("headings", "=", keyOf(headings))
    .executeTakeFirst();
  return row && JSON.parse(row.columns);
};

const forgetOldest = async (tx: Queries, organizationId: string): Promise<void> => {
  const old = await tx
    .selectFrom("import_columns")
    .select(["kind", "headings"])
    .where("organization_id", "=", organizationId)
    .orderBy("used_at", "desc")
    .offset(MOST)
    .limit(MOST)
    .execute();
  for (const { kind, headings } of old) {
    await tx
      .deleteFrom("import_columns")
      .where("organization_id", "=", organizationId)
      .where("kind", "=", kind)
      .where("headings", "=", headings)
      .execute();
  }
};

/** Remembers the columns of files with these headings. */
export const rememberColumns = async (
  { tx, organization, now }: Change,
  kind: ImportKind,
  headings: readonly string[],
  columns: Assigned,
): Promise<void> => {
  const assigned = { columns: JSON.stringify(columns), used_at: now };
  await tx
    .insertInto("import_columns")
    .values({ organization_id: organization.id, kind, headings: keyOf(headings), ...assigned })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "kind", "headings"]).doUpdateSet(assigned),
    )
    .execute();
  await forgetOldest(tx, organization.id);
};
