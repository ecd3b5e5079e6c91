import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asked } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import {
  assertFails,
  assertRefused,
  failure,
  type Refused,
  unstorable,
} from "../world/refusals.ts";
import type { TestOrganization } from "../world/tenant.ts";
import { revoke } from "./people.ts";

/** The promises of both paginated lists, each about its own people. */
export interface PagedList {
  readonly request: Asked;
  readonly revoked: boolean;
  readonly organization: TestOrganization;
}

const sortField = "Invalid sort field. Allowed fields: name, createdAt";
const sortOrder = "Invalid sort order. Must be ASC or DESC";
const page = "Invalid page. Must be a whole number from 1.";
const limit = "Invalid limit. Allowed values: 10, 25, 50, 100";
const text = (from: string, max: number) => `must be text of ${from} ${max} characters`;

const refused: readonly Refused[] = [
  ["role", [undefined, null, "", " "], "role is required.", "role_required"],
  ["role", [5, ["admin"], {}, "x".repeat(2001)], text("1 to", 2000)],
  ["page", [0, -1, 1.5, "1", null, 2 ** 53, [1]], page, "invalid_page"],
  ["limit", [0, 1, 11, 24, 101, "25", null, -10, 10.5], limit, "invalid_limit"],
  [
    "sortBy",
    ["email", "Name", "", null, 1, "__proto__", "constructor"],
    sortField,
    "invalid_sort_field",
  ],
  ["sortOrder", ["asc", "Desc", "", null, 1, "up"], sortOrder, "invalid_sort_order"],
  ["search", [null, 5, ["a"], "x".repeat(201)], text("at most", 200)],
  ["search", unstorable, "must be text without U+0000 and unpaired surrogates"],
];

/** Adds people in this order, revoked ones for the list of revoked people; returns their IDs. */
export const add = async (
  { organization, revoked }: PagedList,
  people: Parameters<typeof addPeople>[1],
): Promise<string[]> => {
  const ids = await addPeople(organization, people);
  if (revoked) await revoke(organization.ask, ...ids);
  return ids;
};

/** The only person with a role in a list, with exactly its keys, except for the random profile ID. */
export const onlyEntry = async ({ request, organization }: PagedList, role: string) => {
  const { status, headers, body } = await organization.ask(request, { role });
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(Object.keys(body), ["success", "users", "pagination"]);
  const [{ profileId, ...entry }, ...more] = body.users;
  assert.match(profileId, /^\d{10}$/);
  assert.deepEqual(more, []);
  return entry;
};

/** The people with a role in a list, and for each whether they are suspended and whether they are revoked. */
export const statesIn = async ({ request, organization }: PagedList, role: string) => {
  const { users, pagination } = (await organization.ask(request, { role })).body;
  assert.equal(pagination.total, users.length);
  return users.map(
    (user: {
      readonly id: string;
      readonly accountSuspended: boolean;
      readonly accountDeleted: boolean;
    }) => [user.id, user.accountSuspended, user.accountDeleted],
  );
};

const named = (...names: string[]) => names.map((name) => ({ name }));

export const pagePromises = (list: PagedList): void => {
  const { request } = list;
  const { ask } = list.organization;
  const pageOf = async (more: object) => (await ask(request, more)).body;
  const idsOf = async (more: object): Promise<string[]> =>
    (await pageOf(more)).users.map(({ id }: { readonly id: string }) => id);

  test("wrong parameters are refused by name with the exact text", async (t) => {
    await assertRefused(t, (more) => ask(request, { role: "moderator", ...more }), refused);
  });

  test("the interface's texts come before those of role, page and limit", async () => {
    const message = sortField;
    await assertFails(
      ask(request, { limit: 7, page: 0, sortBy: "x", sortOrder: "y" }),
      400,
      failure("invalid_sort_field", message, [
        { field: "sortBy", message },
        { field: "sortOrder", message: sortOrder },
        { field: "role", message: "role is required." },
        { field: "page", message: page },
        { field: "limit", message: limit },
      ]),
    );
  });

  test("the defaults are page 1, limit 25, by name, ascending, no search", async () => {
    const role = "defaults";
    const many = Array.from({ length: 26 }, (_, n) => ({ role, name: `P ${90 - n}` }));
    const ids = await add(list, many);
    const first = await pageOf({ role });
    assert.deepEqual(first.pagination, { page: 1, limit: 25, total: 26, totalPages: 2 });
    const byName = ids.toReversed();
    assert.deepEqual(
      first.users.map(({ id }: { readonly id: string }) => id),
      byName.slice(0, 25),
    );
    assert.deepEqual(await idsOf({ role, page: 2 }), byName.slice(25));
  });

  test("every row is on exactly one page, even with equal names, in both orders", async () => {
    const role = "ties";
    const ids = await add(
      list,
      Array.from({ length: 23 }, (_, n) => ({ role, name: ["Kim", "kim", "ＫＩＭ"][n % 3] ?? "" })),
    );
    for (const sortBy of ["name", "createdAt"]) {
      for (const [order, expected] of [
        ["ASC", ids] as const,
        ["DESC", ids.toReversed()] as const,
      ]) {
        const walked: string[] = [];
        for (const at of [1, 2, 3]) {
          walked.push(...(await idsOf({ role, sortBy, sortOrder: order, limit: 10, page: at })));
        }
        assert.deepEqual(walked, expected, `${sortBy} ${order}`);
      }
    }
  });

  test("names are ordered by their folded key, byte for byte", async () => {
    const role = "order";
    const sorted = ["10", "9", "anna", "Bert", "ｃａｒｌ", "Z", "Äpfel", "øre", "Ωmega", "李"];
    const shuffled = sorted.toSorted((a, b) => (a.length === b.length ? 0 : b.length - a.length));
    await add(
      list,
      named(...shuffled).map((person) => ({ ...person, role })),
    );
    const { users } = await pageOf({ role });
    assert.deepEqual(
      users.map(({ name }: { readonly name: string }) => name),
      sorted,
    );
  });

  test("all four page sizes are accepted, and a page beyond the end is empty", async () => {
    const role = "sizes";
    await add(list, [{ role }]);
    for (const size of [10, 25, 50, 100]) {
      const { users, pagination } = await pageOf({ role, limit: size });
      assert.equal(users.length, 1);
      assert.deepEqual(pagination, { page: 1, limit: size, total: 1, totalPages: 1 });
    }
    for (const at of [2, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const { users, pagination } = await pageOf({ role, limit: 100, page: at });
      assert.deepEqual(users, []);
      assert.deepEqual(pagination, { page: at, limit: 100, total: 1, totalPages: 1 });
    }
    const none = await pageOf({ role: "nobody has it" });
    assert.deepEqual(none.pagination, { page: 1, limit: 25, total: 0, totalPages: 0 });
  });

  test("several roles are joined by commas, with and without a search", async () => {
    const [a, b] = await add(list, [
      { role: "left role", name: "Lena" },
      { role: "right", name: "Lenb" },
    ]);
    for (const search of ["", "len"]) {
      assert.deepEqual(await idsOf({ role: "left role,right", search }), [a, b]);
      assert.deepEqual(await idsOf({ role: " right , left role ,right,", search }), [a, b]);
      assert.deepEqual(await idsOf({ role: "right,unknown", search }), [b]);
      for (const role of ["left", "Right", "__proto__", ",", " , "]) {
        assert.deepEqual(await idsOf({ role, search }), [], role);
      }
    }
  });

  test("an unknown parameter is named", async () => {
    const { headers } = await ask(request, { role: "x", sortby: "name", pageSize: 5 });
    assert.equal(headers.get("parley-ignored"), "sortby, pageSize");
  });
};
