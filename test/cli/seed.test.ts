import assert from "node:assert/strict";
import { test } from "node:test";
import { issueToken } from "../../server/access/tokens.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { activeOf } from "../../server/cli/seeding/people.ts";
import { seed } from "../../server/cli/seeding/seed.ts";
import { createOrganization, setOrganization } from "../../server/organizations/organizations.ts";
import { countsByRole } from "../../server/records/user-counters.ts";
import { type Asked, askAs } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { startWorld } from "../world/world.ts";

const asked = { rooms: 2300, users: 700, ownersMax: 3, seed: 5 };
const { url, database } = await startWorld(test);

const newOrganization = async (name: string, plan = {}) => {
  const { id } = await database.change((tx, send) => createOrganization({ tx, send }, name, plan));
  return openOrganization(database, id, operator);
};

const rowOf = (id: string) =>
  database.read
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

const count = async (table: "rooms" | "users" | "room_owners", id: string): Promise<number> => {
  const { total } = await database.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("organization_id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(total);
};

test("counters equal the actual numbers, and lists see every piece", async () => {
  const organization = await newOrganization("Counted");
  const made = await seed(organization, asked);
  const row = await rowOf(organization.id);
  assert.equal(await count("rooms", organization.id), asked.rooms);
  assert.equal(await count("users", organization.id), asked.users);
  assert.equal(await count("room_owners", organization.id), made.owners);
  assert.equal(row.used_rooms, asked.rooms);
  assert.equal(row.used_users, asked.users - made.revoked);

  const people = await database.read
    .selectFrom("users")
    .select(["role", "account_deleted"])
    .where("organization_id", "=", organization.id)
    .execute();
  const real = [...new Set(people.map(({ role }) => role))].sort().map((role) => {
    const revoked = people.filter((one) => one.role === role && one.account_deleted).length;
    const active = people.filter((one) => one.role === role && !one.account_deleted).length;
    return { role, active, revoked };
  });
  assert.deepEqual(countsByRole(row), real);
});

test("every list matches the contract and is complete", async () => {
  const organization = await newOrganization("Listed");
  const made = await seed(organization, asked);
  const { token } = await database.change(async (tx) => {
    const { id: userId } = await tx
      .selectFrom("users")
      .select("id")
      .where("organization_id", "=", organization.id)
      .where("admin", "=", true)
      .executeTakeFirstOrThrow();
    return issueToken(tx, { organizationId: organization.id, userId }, "access");
  });
  const send = askAs(url, token);
  const ask = async (request: Asked, body?: unknown) => {
    const answer = await send(request, body);
    assert.equal(answer.status, 200);
    return answer.body;
  };
  for (const sortBy of ["name", "createdAt", "updatedAt"]) {
    const path = `/api/roomSetting/paginated?sortBy=${sortBy}&limit=${asked.rooms}`;
    const { roomSettings, pagination } = await ask(`GET ${path}`);
    assert.equal(roomSettings.length, asked.rooms);
    assert.equal(pagination.total, asked.rooms);
  }
  const active = await ask("POST /api/user/fetchOrgUsers", {});
  assert.equal(active.users.length, asked.users - made.revoked);
  const revoked = await ask("POST /api/user/fetchDeletedOrgUsers", {});
  assert.equal(revoked.users.length, made.revoked);
  const role = [...new Set(active.users.map((user: { readonly role: string }) => user.role))].join(
    ",",
  );
  const page = { role, limit: 100 };
  const first = await ask("POST /api/user/fetchOrgUsersWithPagination", page);
  assert.equal(first.pagination.total, asked.users - made.revoked);
  const gone = await ask("POST /api/user/fetchDeletedOrgUsersWithPagination", page);
  assert.equal(gone.pagination.total, made.revoked);

  // The busiest people each own one room in ten.
  const owned = await database.read
    .selectFrom("room_owners")
    .select(({ fn }) => ["user_id", fn.countAll<number>().as("rooms")])
    .where("organization_id", "=", organization.id)
    .groupBy("user_id")
    .execute();
  const most = owned.toSorted((one, two) => Number(two.rooms) - Number(one.rooms))[0];
  assert.ok(Number(most?.rooms) >= asked.rooms / 10);
  const filtered = await ask(`GET /api/roomSetting/paginated?userFilter=${most?.user_id}`);
  assert.equal(filtered.pagination.total, Number(most?.rooms));
});

test("the same seed makes the same people and rooms, also beside earlier ones", async () => {
  const names = async (name: string, seed_: number) => {
    const organization = await newOrganization(name);
    await seed(organization, { rooms: 60, users: 40, ownersMax: 2, seed: seed_ });
    const read = (table: "rooms" | "users") =>
      database.read
        .selectFrom(table)
        .select("name")
        .where("organization_id", "=", organization.id)
        .orderBy("id")
        .execute();
    return [await read("users"), await read("rooms")];
  };
  const first = await names("First", 7);
  assert.deepEqual(await names("Second", 7), first);
  assert.notDeepEqual(await names("Third", 8), first);
});

test("the same seed adds as many again each time", async () => {
  const organization = await newOrganization("Again");
  const times = 25;
  for (let time = 0; time < times; time += 1) {
    await seed(organization, { rooms: 2, users: 2, ownersMax: 2, seed: 9 });
  }
  assert.equal(await count("rooms", organization.id), 2 * times);
  assert.equal(await count("users", organization.id), 2 * times);
});

test("real people neither own nor create seeded rooms", async () => {
  const organization = await newOrganization("Real");
  const [real = ""] = await addPeople(organization, [{}]);
  await database.change((tx) =>
    tx.updateTable("users").set({ admin: true }).where("id", "=", real).execute(),
  );
  await assert.rejects(
    seed(organization, { rooms: 10, users: 0, ownersMax: 3, seed: 1 }),
    /give --users too/,
  );
  await seed(organization, { rooms: 300, users: 5, ownersMax: 3, seed: 1 });
  await seed(organization, { rooms: 300, users: 0, ownersMax: 3, seed: 2 });
  for (const [table, column] of [
    ["room_owners", "user_id"],
    ["rooms", "created_by"],
  ] as const) {
    const rows = await database.read.selectFrom(table).selectAll().execute();
    assert.ok(rows.length > 0);
    assert.ok(
      rows.every((row) => row[column as keyof typeof row] !== real),
      table,
    );
  }
});

test("the plan's limits refuse with the interface's texts, and nothing is created", async () => {
  const small = { rooms: 100, users: 62, ownersMax: 3, seed: 1 };
  const organization = await newOrganization("Limited", {
    max_rooms: 99,
    max_users: activeOf(62) - 1,
  });
  await assert.rejects(seed(organization, small), {
    message: "Agent creation limit reached, please upgarde your plan",
  });
  await organization.change((change) => setOrganization(change, { max_users: activeOf(62) }));
  await assert.rejects(seed(organization, small), {
    message: "Room creation limit reached, please upgrade your plan",
  });
  assert.equal(await count("users", organization.id), 0);
  assert.equal((await rowOf(organization.id)).used_users, 0);
  await seed(organization, { ...small, rooms: 99 });
  assert.equal((await rowOf(organization.id)).used_rooms, 99);
});

test("rooms without anybody to own them are refused", async () => {
  const organization = await newOrganization("Nobody");
  const none = { rooms: 10, users: 0, ownersMax: 3, seed: 1 };
  await assert.rejects(seed(organization, none), /give --users too/);
  assert.equal(await count("rooms", organization.id), 0);
});
