import assert from "node:assert/strict";
import { test } from "node:test";
import { add, type PagedList } from "./page-promises.ts";

/** Searches that find one of these names, and not the others. */
const names: Readonly<Record<string, readonly string[]>> = {
  "100%_sure": ["100%_", "%", "100%_SURE"],
  "back\\slash": ["\\", "K\\S"],
  "quote'\"d": ["'", '"', "E'\"D"],
  Straße: ["straß", "STRAß"],
  "ÅSA Çelik": ["åsa", "A\u030asa", "çEL", "ｃ\u0327elik"],
  "ΜΑΡΊΑ Παπαδοπούλου": ["μαρία", "παπα", "ΠΑΠΑΔΟΠΟΎΛΟΥ"],
  Σωσάννα: ["σωσ", "ΣΩΣ", "Σωσ"],
  ΟΔΥΣΣΕΥΣ: ["οδυσσευς", "ΕΥΣ", "ευσ", "υς"],
  Дмитрий: ["дмит", "ТРИЙ"],
  "İnci Kelvin \u212a": ["İNCI", "elvin k", "ELVIN \u212a"],
  ﬁnland: ["fin", "ﬁ", "FINL"],
  王小明: ["小", "王小明"],
  "#{7*7}{{x}}": ["#{7*7}", "{{X}}"],
  "[a-z]*": ["[a", "z]*"],
};

export const searchPromises = (list: PagedList): void => {
  const { request, revoked } = list;
  const { ask } = list.organization;
  const role = "found";
  const find = async (search: string): Promise<string[]> => {
    const { users, pagination } = (await ask(request, { role, search })).body;
    assert.equal(pagination.total, users.length);
    return users.map(({ name }: { readonly name: string }) => name);
  };

  test("a search finds names literally and whatever their case, in every script", async (t) => {
    await add(
      list,
      Object.keys(names).map((name) => ({ name, role })),
    );
    for (const [name, searches] of Object.entries(names)) {
      for (const search of searches) {
        await t.test(`${search} finds ${name}`, async () => {
          assert.deepEqual(await find(search), [name]);
        });
      }
    }
    for (const nothing of ["%%", "_%", "1_0", ".*", "100% sure", "x".repeat(200)]) {
      assert.deepEqual(await find(nothing), [], nothing);
    }
    assert.equal((await find("")).length, Object.keys(names).length);
  });

  test("a search covers name, email and username, and nothing else", async () => {
    const seen = { role: "seen", location: "atlantis" };
    const email = `Who.${revoked ? "Was" : "Is"}@BÜCHER.example`;
    const [id = ""] = await add(list, [{ ...seen, name: "Nemo", email }]);
    const { username } = (await ask(request, { role: "seen" })).body.users[0];
    const digits = username.slice(-7);
    for (const search of ["nem", "WHO.", "bücher.EX", digits, username.toUpperCase()]) {
      const { body } = await ask(request, { role: "seen", search });
      assert.equal(body.pagination.total, 1, search);
    }
    for (const search of ["atlantis", id, "seen"]) {
      assert.equal((await ask(request, { role: "seen", search })).body.pagination.total, 0, search);
    }
  });

  test("a search counts its own total over all pages", async () => {
    const needles = Array.from({ length: 11 }, (_, n) => ({ name: `Needle ${n}` }));
    await add(
      list,
      [...needles, { name: "Hay" }].map((person) => ({ ...person, role: "counted" })),
    );
    const { body } = await ask(request, { role: "counted", search: "needle", limit: 10, page: 2 });
    assert.equal(body.users.length, 1);
    assert.deepEqual(body.pagination, { page: 2, limit: 10, total: 11, totalPages: 2 });
  });
};
