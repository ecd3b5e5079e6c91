import assert from "node:assert/strict";
import { test } from "node:test";
import { askAs, bearer } from "../world/ask.ts";
import { unzip } from "../world/unzip.ts";
import { startWorld } from "../world/world.ts";
import { create, signIn } from "./people.ts";

/* Everything that is stored beside a room's record is in the takeout of its organization. */

const world = await startWorld(test);

/**
 * For each column, what the archive calls it; or, after a hyphen, why it is not there. A column that is
 * missing here fails the test: it needs a decision.
 */
const kinds: Readonly<
  Record<
    string,
    {
      readonly table: "rooms" | "schedules" | "invitees" | "room_links";
      readonly columns: Readonly<Record<string, string>>;
    }
  >
> = {
  rooms: {
    table: "rooms",
    columns: {
      id: "- internal",
      organization_id: "- one archive, one organization",
      room: "room",
      name: "name",
      name_key: "- from name",
      order_key: "- from name",
      type: "roomType",
      state: "roomStatus",
      planned_at: "scheduledDateTime",
      use_key: "- from roomStatus and name",
      created_by: "- in the history",
      created_at: "createdAt",
      updated_at: "updatedAt",
      deleted_at: "inBin",
      form: "- how the record is stored",
      record: "room",
      extras: "- spread over the record",
      waits_for_host: "waitsForHost",
    },
  },
  schedules: {
    table: "schedules",
    columns: {
      room_id: "roomId",
      organization_id: "- one archive, one organization",
      uid: "uid",
      sequence: "sequence",
      starts_at: "startsAt",
      time_zone: "timeZone",
      minutes: "minutes",
      repetition: "repetition",
      ends_at: "endsAt",
      remind_at: "- from the dates",
      removed_at: "removedAt",
      former: "former",
    },
  },
  invitees: {
    table: "invitees",
    columns: {
      id: "- internal",
      organization_id: "- one archive, one organization",
      room_id: "roomId",
      user_id: "userId",
      email: "email",
      invitee: "- from userId and email",
      letter_id: "- the email is among the emails",
    },
  },
  links: {
    table: "room_links",
    columns: {
      code: "code",
      organization_id: "- one archive, one organization",
      room_id: "roomId",
      created_at: "createdAt",
      ended_at: "endedAt",
      is_over: "isOver",
    },
  },
};

test("an organization's takeout has everything stored beside a room's record", async () => {
  const { ask, id, token } = await world.organization("Everything");
  await ask("editOrganization", { ownersMay: "create" });
  const ann = await create(ask);
  const asAnn = askAs(world.url, await signIn(world.open, ann.email, ann.password));
  const { roomSetting } = (await asAnn("openPersonalRoom")).body;
  const roomId = roomSetting.room;
  const waits = await ask("roomDoor", { roomId, waitsForHost: true });
  assert.equal(waits.status, 200, waits.text);
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = await ask("editSchedule", { roomId, startsAt, minutes: 25, userIds: [ann.id] });
  assert.equal(scheduled.status, 200, scheduled.text);
  await ask("getRoomLink", { roomId });

  const response = await fetch(`${world.url}/api/organization/export`, { headers: bearer(token) });
  const files = unzip(Buffer.from(await response.arrayBuffer()));
  const lines = (name: string): readonly Record<string, unknown>[] =>
    (files.get(`${name}.jsonl`) ?? "")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  for (const [name, { table, columns }] of Object.entries(kinds)) {
    const row = await world.database.read
      .selectFrom(table)
      .selectAll()
      .where("organization_id", "=", id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(Object.keys(row).toSorted(), Object.keys(columns).toSorted(), table);
    const [line = {}] = lines(name);
    for (const [column, key] of Object.entries(columns)) {
      if (!key.startsWith("-")) assert.ok(key in line, `${table}.${column}`);
    }
  }
  assert.equal(lines("rooms")[0]?.waitsForHost, true);
  const [person] = lines("people");
  assert.equal(person?.personalRoomId, roomId);
});

test("an archive that meets a row which it cannot read is cut off, and the service goes on", async () => {
  const { ask, id, token, admin } = await world.tenant();
  await ask("createRoom", { name: "Board", roomOwnerId: admin.id });
  await world.database.change((tx) =>
    tx.updateTable("rooms").set({ record: "{" }).where("organization_id", "=", id).execute(),
  );
  const response = await fetch(`${world.url}/api/organization/export`, { headers: bearer(token) });
  assert.equal(response.status, 200);
  await assert.rejects(response.arrayBuffer());
  assert.equal((await ask("GET /api/organization")).status, 200);
});
