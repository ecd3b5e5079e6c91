import type { Change } from "../organization.ts";
import { linesAbout, type Told } from "./about.ts";

/** Why a line is refused whose person is erased. */
export const ERASED = "Its person was deleted permanently.";

/**
 * Erases what imports have of people who are deleted for good. What was to be carried out still is
 * refused then. Call it before the history is erased.
 */
export const eraseLines = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  people: readonly Told[],
): Promise<void> => {
  for await (const { of, lines } of linesAbout(tx, organization.id, people)) {
    if (lines.length === 0) continue;
    await tx
      .updateTable("import_lines")
      .set(({ eb }) => ({
        given: null,
        changes: null,
        reason: eb.case().when("reason", "is not", null).then(ERASED).end(),
        // The name of a room stays.
        ...(of.kind === "users" ? { name: null } : {}),
      }))
      .where("import_id", "=", of.id)
      .where(
        "line",
        "in",
        lines.map(({ line }) => line),
      )
      .execute();
  }
};
