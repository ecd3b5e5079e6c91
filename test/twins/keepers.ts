import type { Twin } from "./twin.ts";

/** Counts what could not be erased as erased. */
export const forgetsErasures: Twin = {
  name: "forgets what it could not erase",
  replaced: [
    {
      file: "recordings/erase.ts",
      lines: "left += 1;",
      by: 'await database.change((tx) => tx.deleteFrom("erasures").where("id", "=", due.id).execute());',
    },
  ],
};

/** Counts a folder as erased once one machine has erased it. */
export const forgetsMachines: Twin = {
  name: "erases folders on one machine only",
  replaced: [
    {
      file: "recordings/erase.ts",
      lines: 'if (store === "folder" && isShared) {',
      by: "if (isShared === undefined) {",
    },
  ],
};

/** Says that a recording is in the store before it is. */
export const movesFirst: Twin = {
  name: "moves recordings before they are uploaded",
  replaced: [
    {
      file: "recordings/upload.ts",
      lines: "await s3.erase(folder.path); await putAll(uploading, row, s3);",
      by: "void putAll(uploading, row, s3).catch(() => {});",
    },
  ],
};
