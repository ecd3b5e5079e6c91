import type { Twin } from "./twin.ts";

/** Makes codes of which a part is always the same. */
export const shortensCodes: Twin = {
  name: "makes codes with fewer random letters",
  replaced: [
    {
      file: "meetings/links.ts",
      lines: "[...randomBytes(12)]",
      by: "[...randomBytes(8), ...randomBytes(4).map((byte) => byte & 7)]",
    },
  ],
};
