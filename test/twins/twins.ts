import type { Twin } from "./twin.ts";

/** Leaves the order of texts to PostgreSQL's own collation: it is not that of bytes. */
export const ownOrder: Twin = {
  name: "leaves the order of texts to the database",
  replaced: [{ file: "db/postgres-schema.ts", lines: 'text collate "C"', by: "text" }],
};
