import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { keepHistory, userSubject } from "../../server/change/history.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import type { UserRow } from "../../server/db/tables.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { addHeldMeeting } from "../world/held.ts";
import { until } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";

/*
 * How the history is exported, what a person's file contains, and how long the history, meetings and emails
 * are kept.
 */

const world = await startWorld(test);

const entriesOf = async (ask: Ask, wanted: object = {}): Promise<HistoryEntry[]> =>
  (await ask("listHistory", { limit: 1000, ...wanted })).body.entries;

const verifiedOf = (id: string) => verifyHistory(openOrganization(world.database, id, operator));

test("the history is exported as JSON lines, with every entry of the list in order", async () => {
  const { ask, admin, change } = await world.tenant();
  const named = { name: '"quoted" and 😀', roomAgenda: "Line\nbreak", roomOwnerId: admin.id };
  const { room } = (await ask("createRoom", named)).body.roomSetting;
  // More than two of the pieces in which the service reads it.
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

test("the history is exported as a table in which no cell is a formula", async () => {
  const { ask, admin } = await world.tenant();
  const { ask: others } = await world.tenant();
  await others("createRoom", { name: "Of others", roomOwnerId: admin.id });
  await ask("createRoom", { name: "=2+3", room: "formula", roomOwnerId: admin.id });
  await ask("editRoom", { room: "formula", roomOwnerId: admin.id, name: "+plus" });
  const file = await ask("exportHistory", { format: "csv", subjectId: "formula" });
  assert.equal(file.headers.get("content-type"), "text/csv; charset=utf-8");
  const [head, edited, created, ...rest] = file.text.split("\r\n");
  assert.match(head ?? "", /^number,at,kind,actorKind,actorId,actorName,address,subjectKind,/);
  assert.match(edited ?? "", /,roomEdited,.*,'\+plus,formula,"{""name"":""=2\+3""}",/);
  assert.match(created ?? "", /,roomCreated,.*,'=2\+3,formula,,/);
  assert.deepEqual(rest, [""]);
  const nothing = await ask("exportHistory", { format: "csv", search: "nothing is called so" });
  assert.deepEqual(nothing.text, `${head}\r\n`);
  const wrong = await ask("exportHistory", { format: "xml" });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, "format"]);
});

test("a person's history is what the person did, and what was done to the account", async () => {
  const { ask, admin, tokenOf, addPerson } = await world.tenant();
  const ann = await addPerson("history-of-ann@example.org", { admin: true, name: "Ann" });
  const authorization = `Bearer ${await tokenOf(ann.id)}`;
  await ask("createRoom", { name: "Of Ann", roomOwnerId: ann.id }, { authorization });
  await ask("createRoom", { name: "Of another", roomOwnerId: admin.id });
  await ask("suspendRestoreUser", { userId: ann.id, action: "suspend" });
  const kinds = (await entriesOf(ask, { personId: ann.id })).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["userSuspended", "roomCreated", "userCreated"]);

  // More than one piece of a file; entries about what they did to themselves appear once.
  await ask("suspendRestoreUser", { userId: ann.id, action: "restore" });
  const own = { authorization: `Bearer ${await tokenOf(ann.id)}` };
  for (let n = 0; n < 30; n += 1) {
    await ask("editUser", { userId: ann.id, location: `Place ${n}` }, own);
    await ask("editUser", { userId: admin.id, location: `Place ${n}` });
  }
  const listed = await entriesOf(ask, { personId: ann.id });
  assert.equal(new Set(listed.map(({ number }) => number)).size, 34);
  assert.equal(listed.length, 34);
  const entriesIn = ({ text }: { readonly text: string }) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  assert.deepEqual(entriesIn(await ask("exportHistory", { personId: ann.id })), listed);
  const page = (await ask("listHistory", { personId: ann.id, page: 4, limit: 10 })).body;
  assert.deepEqual([page.entries, page.pagination.total], [listed.slice(30), 34]);
  const made = listed[32];
  const both = { personId: ann.id, roomId: made?.subject.roomId, search: "ann" };
  assert.deepEqual(await entriesOf(ask, both), [made]);
});

const DAY_MS = 86_400_000;

/**
 * A history that begins with entries of the given ages, one per change: earlier entries are removed as if
 * they had been too old.
 */
const beginWith = ({ change }: Tenant, ages: readonly number[], about: UserRow): Promise<unknown> =>
  change(async (begun) => {
    const { tx, organization } = begun;
    await tx.deleteFrom("history").where("organization_id", "=", organization.id).execute();
    const { history_number, history_digest } = organization;
    await tx
      .updateTable("organizations")
      .set({ history_before: history_number, history_before_digest: history_digest })
      .where("id", "=", organization.id)
      .execute();
    let end = { id: organization.id, history_number, history_digest };
    for (const age of ages) {
      const now = new Date(Date.now() - age * DAY_MS).toISOString();
      const renamed = { kind: "userEdited", subject: userSubject(about) } as const;
      const told = { ...renamed, before: { name: "X" }, after: { name: `${age} days ago` } };
      end = { ...end, ...keepHistory({ ...begun, organization: end, now }, [told]) };
    }
  });

test("everything about a permanently deleted person is erased, and the chain stays valid", async () => {
  const { ask, id, admin, addPerson, tokenOf } = await world.tenant();
  const person = await addPerson("erase-me@example.org", { admin: true, name: "Erasable Name" });
  const { room } = (
    await askAs(world.url, await tokenOf(person.id))("createRoom", {
      name: "Theirs",
      roomOwnerId: admin.id,
    })
  ).body.roomSetting;
  await ask("revokeUsers", [{ userId: person.id }]);
  await ask("deleteUsers", [person.id]);
  const text = JSON.stringify(await entriesOf(ask));
  assert.ok(!text.match(/erase-me|Erasable/), text);
  const [made] = await entriesOf(ask, { subjectId: room });
  assert.deepEqual(made?.actor, { kind: "user", id: person.id, name: null, address: null });
  assert.deepEqual([made?.subject.name, made?.erased], ["Theirs", true]);
  const { broken, erased } = await verifiedOf(id);
  assert.equal(broken, null);
  assert.ok(erased > 0);
  const rows = await world.database.read.selectFrom("history").selectAll().execute();
  assert.ok(!JSON.stringify(rows).match(/erase-me|erasable/i));
  // A part that is not about the person is not in their file.
  await world.database.change((tx) =>
    tx
      .updateTable("history")
      .set({ facts: null })
      .where("organization_id", "=", id)
      .where("number", "=", made?.number ?? 0)
      .execute(),
  );
  assert.deepEqual((await verifiedOf(id)).broken, {
    number: made?.number,
    what: "what happened was altered",
  });
});

test("entries end after the organization's retention, and the chain of the others stays valid", async () => {
  const [mine, other] = [await world.tenant(), await world.tenant()];
  const { ask, id } = mine;
  // More than two of the pieces in which the service removes them.
  const ages = [...Array.from({ length: 450 }, () => 31), 29, 31];
  for (const tenant of [mine, other]) await beginWith(tenant, ages, tenant.admin);
  const verified = () => verifiedOf(id);
  const before = await verified();
  const all = (await ask("listHistory", { kind: "userEdited" })).body.pagination.total;
  assert.equal(all, 452);
  for (const historyDays of [0, 1.5, 4000, "30"]) {
    const refused = await ask("editOrganization", { historyDays });
    assert.equal(refused.body.errors[0].field, "historyDays");
  }
  await ask("editOrganization", { historyDays: 30 });
  await until("the old ones are gone", async () => {
    return (await ask("listHistory", { kind: "userEdited" })).body.pagination.total === 2;
  });
  // Entries are removed only from the beginning, even if a clock was set back.
  const left = await entriesOf(ask, { kind: "userEdited" });
  assert.deepEqual(
    left.map(({ after }) => after?.name),
    ["31 days ago", "29 days ago"],
  );
  const after = await verified();
  assert.equal(after.broken, null);
  assert.equal(after.before, before.before + 450);
  // Other entries of its change might have been removed.
  const [tooOld] = left;
  const undone = await ask("undoChange", { number: tooOld?.number });
  assert.equal(undone.body.code, "entry_not_found");
  const others = (await other.ask("listHistory", { kind: "userEdited" })).body.pagination.total;
  assert.equal(others, 452);
  await world.database.change((tx) =>
    tx
      .deleteFrom("history")
      .where("organization_id", "=", id)
      .where("number", "=", after.before + 1)
      .execute(),
  );
  assert.equal((await verified()).broken?.what, "entries before this one are missing");
});

test("meetings end after the organization's retention, with attendance, chat and transcript", async () => {
  const { ask, admin, id, change } = await world.tenant();
  const { room } = (await ask("createRoom", { name: "Held", roomOwnerId: admin.id })).body
    .roomSetting;
  const add = (meetingId: string, days: number) =>
    change(({ tx }) =>
      addHeldMeeting(tx, {
        organizationId: id,
        room,
        meetingId,
        userId: admin.id,
        name: "Administrator",
        at: new Date(Date.now() - days * DAY_MS),
      }),
    );
  const old = Array.from({ length: 25 }, (_, n) => `old-${n}`);
  for (const meetingId of old) await add(meetingId, 31);
  await add("young", 29);
  await ask("editOrganization", { meetingDays: 30 });
  const meetings = async () => (await ask("listMeetings", { roomId: room })).body.meetings;
  await until("the old ones are gone", async () => (await meetings()).length === 1);
  assert.equal((await meetings())[0].meetingId, "young");
  const { read } = world.database;
  for (const table of ["seats", "chat", "captions", "runs"] as const) {
    const rows = await read.selectFrom(table).select("meeting_id").execute();
    const left = rows.map(({ meeting_id }) => meeting_id);
    assert.deepEqual(
      left.filter((one) => /^(?:old|young)/.test(one)),
      ["young"],
      table,
    );
  }
  // Recordings have a separate retention.
  assert.equal((await ask("listRecordings", { roomId: room })).body.pagination.total, 26);
});

test("emails older than the organization's retention leave the list", async () => {
  const mine = await world.tenant();
  const other = await world.tenant();
  const loginUrl = "https://example.org/";
  const total = async ({ ask }: Tenant) => (await ask("listLetters", {})).body.pagination.total;
  for (const { ask, id, change } of [mine, other]) {
    for (const name of ["waiting", "old", "young"]) {
      const email = `${name}@${id}.example.org`;
      const { user } = (await ask("createUser", { email, name, loginUrl })).body;
      if (name === "young") continue;
      const created_at = new Date(Date.now() - 11 * DAY_MS).toISOString();
      // In the state in which the postman leaves it; a waiting letter is not due.
      const state =
        name === "old"
          ? ({ state: "refused", ended_at: created_at } as const)
          : ({ state: "waiting", due_at: "2999-01-01T00:00:00.000Z" } as const);
      await until("the postman is done with it", async () => {
        const found = (await ask("listLetters", { search: email })).body.letters;
        return found[0]?.state === "sent";
      });
      await change(({ tx }) =>
        tx
          .updateTable("letters")
          .set({ ...state, created_at })
          .where("user_id", "=", user.id)
          .execute(),
      );
    }
  }
  const { settings } = (await mine.ask("editOrganization", { letterDays: 10 })).body;
  assert.equal(settings.letterDays, 10);
  await until("the old one is gone", async () => (await total(mine)) === 2);
  const left = (await mine.ask("listLetters", { state: "waiting" })).body.letters;
  assert.match(left[0].recipient, /^waiting@/);
  assert.equal(await total(other), 3);
});
