import { neverMends } from "./former-owners.ts";
import type { Twin } from "./twin.ts";

/** Never cleans up rooms, and counts former owners in the list of rooms without an owner. */
export const countsFormerOwners: Twin = {
  name: "counts former owners",
  replaced: [
    ...neverMends.replaced,
    { file: "rooms/list.ts", lines: '.where("users.account_deleted", "=", false)', by: "" },
  ],
};
