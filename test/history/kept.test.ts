import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history.ts";
import type { Ask } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

/* How the history leaves as a file. */

const world = await startWorld(test);

const entriesOf = async (ask: Ask, wanted: object = {}): Promise<HistoryEntry[]> =>
  (await ask("listHistory", { limit: 1000, ...wanted })).body.entries;

test("the history leaves as JSON lines: every entry that the list has, in its order", async () => {
  const { ask, admin, change } = await world.tenant();
  const name = 'Line\nbreak, "quoted" and 😀';
  const { room } = (await ask("createRoom", { name, roomOwnerId: admin.id })).body.roomSetting;
  // More than two of the pieces in which it is read.
  await change(async ({ happened }) =>
    happened(
      ...Array.from({ length: 60 }, (_, days) => ({
        kind: "recordingShared" as const,
        subject: { kind: "recording" as const, id: "one", name: "One" },
        after: { days },
      })),
    ),
  );
  const listed = await entriesOf(ask);
  assert.ok(listed.length > 60);
  const file = await ask("exportHistory", {});
  assert.equal(file.headers.get("content-type"), "application/jsonl");
  assert.equal(file.headers.get("content-disposition"), 'attachment; filename="history.jsonl"');
  const lines = file.text.split("\n");
  assert.equal(lines.pop(), "");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    listed,
  );
  const ofRoom = await ask("exportHistory", { subjectId: room, kind: "roomCreated,roomEdited" });
  assert.deepEqual(
    ofRoom.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    await entriesOf(ask, { subjectId: room }),
  );
  assert.equal((await ask("exportHistory", { search: "nothing is called so" })).text, "");
});

test("the history leaves as a table in which no cell is a formula", async () => {
  const { ask, admin } = await world.tenant();
  const { ask: others } = await world.tenant();
  await others("createRoom", { name: "Of others", roomOwnerId: admin.id });
  await ask("createRoom", { name: "=2+3", room: "formula", roomOwnerId: admin.id });
  await ask("editRoom", { room: "formula", roomOwnerId: admin.id, name: "+plus" });
  const file = await ask("exportHistory", { format: "csv", subjectId: "formula" });
  assert.equal(file.headers.get("content-type"), "text/csv; charset=utf-8");
  const [head, edited, created, ...rest] = file.text.split("\r\n");
  assert.match(head ?? "", /^number,at,kind,actorKind,actorId,actorName,address,subjectKind,/);
  assert.match(edited ?? "", /,roomEdited,.*,'\+plus,"{""name"":""=2\+3""}",/);
  assert.match(created ?? "", /,roomCreated,.*,'=2\+3,,/);
  assert.deepEqual(rest, [""]);
  const nothing = await ask("exportHistory", { format: "csv", search: "nothing is called so" });
  assert.deepEqual(nothing.text, `${head}\r\n`);
  const wrong = await ask("exportHistory", { format: "xml" });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, "format"]);
});

test("the history of a person is what they did, and what was done to their account", async () => {
  const { ask, admin, tokenOf, addPerson } = await world.tenant();
  const ann = await addPerson("history-of-ann@example.org", { admin: true, name: "Ann" });
  const authorization = `Bearer ${await tokenOf(ann.id)}`;
  await ask("createRoom", { name: "Of Ann", roomOwnerId: ann.id }, { authorization });
  await ask("createRoom", { name: "Of another", roomOwnerId: admin.id });
  await ask("suspendRestoreUser", { userId: ann.id, action: "suspend" });
  const kinds = (await entriesOf(ask, { personId: ann.id })).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["userSuspended", "roomCreated", "userCreated"]);
});
