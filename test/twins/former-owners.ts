import type { erasePeople } from "../../server/history/forget.ts";
import type { recordOf } from "../../server/records/rooms.ts";
import type { findUser } from "../../server/records/user-queries.ts";
import type { withoutErased } from "../../server/users/forget-imports.ts";
import type { mendPiece } from "../../server/users/former.ts";
import type { startMender } from "../../server/users/mender.ts";
import { throughFindUser } from "./open-doors.ts";
import type { Twin } from "./twin.ts";

/** Removes a former owner from all rooms in one change. */
export const mendsAtOnce: Twin = {
  name: "mends all rooms at once",
  replaced: [
    {
      file: "users/former.ts",
      export: "mendPiece",
      by:
        (real: typeof mendPiece): typeof mendPiece =>
        async (change) => {
          for (;;) {
            const ready = await real(change);
            if (ready !== undefined) return ready;
          }
        },
    },
  ],
};

/**
 * Cleans up what the deletion itself does, and nothing afterwards: answers given in the meantime can be
 * checked.
 */
export const neverMends: Twin = {
  name: "never mends rooms",
  replaced: [
    {
      file: "users/mender.ts",
      export: "startMender",
      by: (): typeof startMender => () => ({ wake: () => {}, stop: async () => {} }),
    },
  ],
};

/** The same, and returns records as they are stored. */
export const showsFormerOwners: Twin = {
  name: "shows former owners",
  replaced: [
    ...neverMends.replaced,
    {
      file: "records/rooms.ts",
      export: "recordOf",
      by:
        (real: typeof recordOf): typeof recordOf =>
        (row) =>
          real(row),
    },
  ],
};

/** The same, and still finds former people. */
export const knowsFormerPeople: Twin = {
  name: "knows former people",
  replaced: [
    ...neverMends.replaced,
    {
      file: "records/user-queries.ts",
      export: "findUser",
      by: (): typeof findUser => (db, organizationId, id) =>
        db
          .selectFrom("users")
          .selectAll()
          .where("organization_id", "=", organizationId)
          .where("id", "=", id)
          .executeTakeFirst(),
    },
    throughFindUser,
  ],
};

/** The same, and reads lines of imports as they are stored. */
export const showsErasedLines: Twin = {
  name: "shows lines of imports that are to be erased",
  replaced: [
    ...neverMends.replaced,
    {
      file: "users/forget-imports.ts",
      export: "withoutErased",
      by: (): typeof withoutErased => async () => () => (line) => line,
    },
  ],
};

/** Assumes that the deletion has erased a history with very many entries. */
export const leavesEntries: Twin = {
  name: "takes very many entries for erased",
  replaced: [
    {
      file: "history/forget.ts",
      export: "erasePeople",
      by:
        (real: typeof erasePeople): typeof erasePeople =>
        async (change, ids) => {
          await real(change, ids);
          return false;
        },
    },
  ],
};

/** Cleans up only after a deletion while it runs. */
export const forgetsAtStart: Twin = {
  name: "does not look for former owners at its start",
  replaced: [
    {
      file: "users/mender.ts",
      export: "startMender",
      by:
        (real: typeof startMender): typeof startMender =>
        (...given) => {
          let mender: ReturnType<typeof startMender> | undefined;
          return {
            wake() {
              mender ??= real(...given);
              mender.wake();
            },
            stop: async () => mender?.stop(),
          };
        },
    },
  ],
};
