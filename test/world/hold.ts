import { Client } from "pg";

/**
 * Keeps a transaction with this statement open on PostgreSQL.
 *
 * @returns a function that ends it
 */
export const hold = async (
  databaseUrl: string,
  statement: string,
): Promise<() => Promise<void>> => {
  const holder = new Client({ connectionString: databaseUrl });
  // After a failure, the end of the database ends its connection.
  holder.on("error", () => {});
  await holder.connect();
  await holder.query("begin");
  await holder.query(statement);
  return () => holder.end();
};
