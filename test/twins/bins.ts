import type { Twin } from "./twin.ts";

/** Restores rooms without checking the limit. */
export const restoresBeyond: Twin = {
  name: "restores rooms beyond the limit",
  replaced: [
    {
      file: "bin/bin.ts",
      lines: "if (max_rooms !== null && used_rooms + entries.length > max_rooms)",
      by: "if (false)",
    },
  ],
};

/** Lets the job that removes former people from their rooms also handle people in the bin. */
export const mendsResting: Twin = {
  name: "removes resting people from their rooms",
  replaced: [
    {
      file: "users/former.ts",
      lines: `.where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("bin").select("bin.id").whereRef("bin.user_id", "=", "users.id"))),
    )`,
      by: "",
    },
  ],
};

/** Assumes that an entry is still in the bin, though another request may have taken it out. */
export const trustsEntries: Twin = {
  name: "does not look whether an entry is still in the bin",
  replaced: [
    {
      file: "bin/bin.ts",
      lines: "if (taken.length === wanted.length) return taken;",
      by: "if (taken.length >= 0) return taken;",
    },
  ],
};

/** Leaves rooms that are being handed over to the job that removes former people from their rooms. */
export const dropsHandedOver: Twin = {
  name: "drops the owner of rooms that are being handed over",
  replaced: [
    {
      file: "users/former.ts",
      lines: `.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("hand_overs").select("heirs").whereRef("hand_overs.user_id", "=", "users.id"),
        ),
      ),
    )`,
      by: "",
    },
  ],
};
