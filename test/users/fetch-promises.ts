import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, type Refused, unstorable } from "../world/refusals.ts";
import { add, type PagedList } from "./page-promises.ts";

const text = "must be text of 1 to 2000 characters";

const refused: readonly Refused[] = [
  ["role", [null, "", "  ", 5, ["admin"], {}, "x".repeat(2001)], text],
  ["role", unstorable, "must be text without U+0000 and unpaired surrogates"],
];

/** The promises of both unpaginated lists, each about its own people. */
export const fetchPromises = (list: PagedList): void => {
  const { request } = list;
  const { ask } = list.organization;
  const idsOf = async (more?: object): Promise<string[]> =>
    (await ask(request, more)).body.users.map(({ id }: { readonly id: string }) => id);

  test("an invalid role is refused by name", async (t) => {
    await assertRefused(t, (more) => ask(request, more), refused);
  });

  test("a list without people is empty", async () => {
    assert.deepEqual((await ask(request, { role: "nobody" })).body, { success: true, users: [] });
  });

  test("a role filters, several are joined by commas, and without a role or a body everybody is listed", async () => {
    const [a = "", b = "", c = ""] = await add(list, [
      { role: "one", name: "A" },
      { role: "two", name: "B" },
      { role: "three", name: "C" },
    ]);
    assert.deepEqual(await idsOf({ role: "one" }), [a]);
    assert.deepEqual(await idsOf({ role: " three , one" }), [a, c]);
    for (const role of ["One", "on", ",", "__proto__"]) assert.deepEqual(await idsOf({ role }), []);
    for (const body of [{}, undefined]) {
      const all = await idsOf(body);
      assert.ok([a, b, c].every((id) => all.includes(id)));
    }
  });

  test("page, limit, sort and search are ignored, and named", async () => {
    await add(list, [
      { role: "whole", name: "B" },
      { role: "whole", name: "A" },
    ]);
    const paging = { page: 0, limit: 1, sortBy: "x", sortOrder: "DESC", search: "B" };
    const { status, headers, body } = await ask(request, { role: "whole", ...paging });
    assert.equal(status, 200);
    assert.deepEqual(
      body.users.map(({ name }: { readonly name: string }) => name),
      ["A", "B"],
    );
    assert.equal(headers.get("parley-ignored"), "page, limit, sortBy, sortOrder, search");
  });

  test("three hundred people are streamed completely and in order, equal names by ID", async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ role: "crowd", name: `P ${n % 7}` }));
    const ids = await add(list, many);
    const { headers, body } = await ask(request, { role: "crowd" });
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(headers.get("content-length"), null);
    const expected = ids
      .map((id, n) => ({ id, name: `P ${n % 7}` }))
      .sort((a, b) => (a.name + a.id < b.name + b.id ? -1 : 1));
    assert.deepEqual(
      body.users.map(({ id, name }: { readonly id: string; readonly name: string }) => ({
        id,
        name,
      })),
      expected,
    );
  });
};
