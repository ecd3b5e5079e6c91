import type { Queries } from "../change/organization.ts";
import type { ImportRow, LineRow } from "../db/import-tables.ts";
import { withoutErased } from "../users/forget-imports.ts";
import { type IdAndEmail, soughtOf, tellingOf } from "../users/import-telling.ts";

/** The most lines that one query reads. */
const PIECE = 1000;

/** Lines of one import that mention a person. */
interface LinesAbout {
  readonly of: Pick<ImportRow, "id" | "kind" | "name" | "created_at">;
  readonly lines: readonly (LineRow & {
    /** True if the line is about the person, and does not only name them as an owner of a room. */
    readonly isTheirs: boolean;
  })[];
}

/** An organization's import lines that mention a person, in pieces. */
export async function* linesAbout(
  db: Queries,
  organizationId: string,
  person: IdAndEmail,
): AsyncGenerator<LinesAbout> {
  const telling = tellingOf(await soughtOf(db, organizationId, [person]));
  const without = await withoutErased(db, organizationId);
  const imports = await db
    .selectFrom("imports")
    .select(["id", "kind", "name", "created_at"])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const of of imports) {
    const shown = without(of);
    for (let last = -1, read = PIECE; read === PIECE; ) {
      const lines = await db
        .selectFrom("import_lines")
        .selectAll()
        .where("import_id", "=", of.id)
        .where("line", ">", last)
        .orderBy("line")
        .limit(PIECE)
        .execute();
      read = lines.length;
      last = lines.at(-1)?.line ?? last;
      const about = lines.flatMap((line) => {
        const how = telling(of.kind, line);
        return how === undefined ? [] : [{ ...shown(line), isTheirs: how === "theirs" }];
      });
      yield { of, lines: about };
    }
  }
}
