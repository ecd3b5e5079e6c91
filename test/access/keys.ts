import type { Database } from "../../server/db/open.ts";

/** Lets the time of an access key be over: the service accepts no end that is past. */
export const endKey = (database: Database, accessKey: string): Promise<unknown> =>
  database.change((tx) =>
    tx
      .updateTable("access_keys")
      .set({ expires_at: "2020-01-01T00:00:00.000Z" })
      .where("id", "=", accessKey)
      .execute(),
  );
