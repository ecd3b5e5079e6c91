import assert from "node:assert/strict";
import type { World } from "../world/world.ts";

/** The whole stored row of an account or a room. */
export const readOnlyOf = async (
  { database }: World,
  table: "users" | "rooms",
  id: string,
): Promise<Record<string, unknown>> => {
  const rows = await (table === "users"
    ? database.read.selectFrom("users").selectAll().where("id", "=", id).execute()
    : database.read.selectFrom("rooms").selectAll().where("room", "=", id).execute());
  const [row] = rows as Record<string, unknown>[];
  assert.ok(row);
  return row;
};
