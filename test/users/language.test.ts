import assert from "node:assert/strict";
import { test } from "node:test";
import { pageLanguages } from "../../contract/kit/languages.ts";
import { askAs } from "../world/ask.ts";
import { assertRefused } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, signIn } from "./people.ts";

/* The language that people have chosen: beside their records, which have none. */

const { url, open, tenant } = await startWorld(test);
const { ask } = await tenant();

const languageOf = async (userId: string) => {
  const { body } = await ask("findUsers", { userIds: [userId], withLanguages: true });
  return body.languages;
};

test("an administrator sets a person's language, which no record has and the person sees", async (t) => {
  const person = await create(ask, { language: "uk" });
  assert.ok(!("language" in person));
  assert.deepEqual(await languageOf(person.id), [{ userId: person.id, language: "uk" }]);
  const edited = await ask("editUser", { userId: person.id, language: "pt-BR" });
  assert.ok(!("language" in edited.body.user));
  const askMe = askAs(url, await signIn(open, person.email, person.password));
  assert.equal((await askMe("fetchAccount")).body.account.language, "pt-BR");
  await ask("editUser", { userId: person.id, name: "Another Name" });
  assert.deepEqual(await languageOf(person.id), [{ userId: person.id, language: "pt-BR" }]);
  const refused = `must be one of ${pageLanguages.join(", ")}`;
  await assertRefused(t, (more) => ask("PUT /api/user/orgUser", { userId: person.id, ...more }), [
    ["language", ["pt", 1, ""], refused],
  ]);
});

test("the history says who changed a language, and it is taken back", async () => {
  const person = await create(ask);
  await ask("editUser", { userId: person.id, language: "tr" });
  const { entries } = (await ask("listHistory", { subjectId: person.id })).body;
  const [{ number, before, after }] = entries;
  assert.deepEqual([before, after], [{ language: null }, { language: "tr" }]);
  assert.equal((await ask("undoChange", { number })).status, 200);
  assert.deepEqual(await languageOf(person.id), [{ userId: person.id, language: null }]);
});

test("an organization has a language of its own, English before it chooses one", async () => {
  const { body } = await ask("getOrganization");
  assert.equal(body.organization.settings.language, "en");
  assert.equal((await ask("editOrganization", { language: "ar" })).body.settings.language, "ar");
  assert.equal((await ask("fetchBrand")).body.brand.language, "ar");
});

test("the language that a request accepts changes no text of the interface", async () => {
  const refused = (headers: Record<string, string>) =>
    open("POST /api/session", { login: "", password: 1 }, headers);
  const { body } = await refused({ "accept-language": "de, ar;q=0.9" });
  assert.ok(body.errors.length > 0);
  assert.deepEqual(body, (await refused({})).body);
});
