import type { ImportKind } from "../../contract/imports/imports.ts";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Change } from "../change/organization.ts";
import { piecesOf } from "../db/pieces.ts";
import { refuseField } from "../lib/refusal.ts";
import type { FileContent } from "./sheets/read.ts";

/*
 * Without names nobody can be created, and without owners no room; existing ones can be changed. So
 * a file without such a column is refused as a whole if nothing in it exists.
 */

/** How many values one query looks up. */
const PIECE = 500;

/** Returns whether some of these values belong to people or rooms of the organization. */
const someExist = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  kind: ImportKind,
  values: readonly string[],
): Promise<boolean> => {
  for (const some of piecesOf(values, PIECE)) {
    const found =
      kind === "users"
        ? await tx
            .selectFrom("users")
            .select("id")
            .where("organization_id", "=", organization.id)
            .where(({ eb, or }) => or([eb("email_key", "in", some), eb("id", "in", some)]))
            .limit(1)
            .executeTakeFirst()
        : await tx
            .selectFrom("rooms")
            .select("room")
            .where("organization_id", "=", organization.id)
            .where("room", "in", some)
            .limit(1)
            .executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
};

/** Refuses a file once if every line would be refused for lack of the same column. */
export const refuseWithoutNames = async (
  change: Pick<Change, "tx" | "organization">,
  kind: ImportKind,
  { lines }: FileContent,
  field: "text" | "file",
): Promise<void> => {
  const needed = kind === "users" ? "name" : "roomOwnerId";
  if (lines.some(({ given }) => given[needed] !== undefined)) return;
  const values = lines.flatMap(({ given: { email, id, room } }) => {
    const key = typeof email === "string" ? emailKey(email) : undefined;
    return [key, id, room].filter((one) => typeof one === "string");
  });
  // Nothing to look up: each line says what is wrong with it.
  if (kind === "users" && values.length === 0) return;
  if (await someExist(change, kind, values)) return;
  refuseField(field, "file_without_column", { column: needed });
};
