import assert from "node:assert/strict";
import { test } from "node:test";
import { meetingColumns, seatColumns } from "../../server/db/meeting-tables.ts";
import { allRoomColumns } from "../../server/db/tables.ts";
import { emptyDatabase } from "../world/empty-database.ts";

test("kept queries that read whole rows list every column of their table", async (t) => {
  const { read } = await emptyDatabase(t);
  const tables = await read.introspection.getTables();
  const listed = { meetings: meetingColumns, seats: seatColumns, rooms: allRoomColumns };
  for (const [name, columns] of Object.entries(listed)) {
    const found = tables.find((table) => table.name === name)?.columns.map((column) => column.name);
    assert.deepEqual([...columns].sort(), found?.sort(), name);
  }
});
