import type { Database } from "../../server/db/open.ts";

/** Lets an access key expire: the service accepts no end in the past. */
export const endKey = (database: Database, accessKey: string): Promise<unknown> =>
  database.change((tx) =>
    tx
      .updateTable("access_keys")
      .set({ expires_at: "2020-01-01T00:00:00.000Z" })
      .where("id", "=", accessKey)
      .execute(),
  );
