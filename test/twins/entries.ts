import type { Twin } from "./twin.ts";

/** Writes entries of the history in separate changes, whatever becomes of the changes that they describe. */
export const entriesApart: Twin = {
  name: "writes the history apart from its change",
  replaced: [
    {
      file: "change/organization.ts",
      lines: "happened.push(...what);",
      by: `const apart = async (tx, send) => {
            const [row] = await takeRow(tx, null, { id });
            keepHistory({ ...change, tx, send, organization: row }, what);
          };
          void database.change(apart, id).catch(() => {});`,
    },
  ],
};
