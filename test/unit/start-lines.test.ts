import assert from "node:assert/strict";
import { test } from "node:test";
import { addressLines, firstStartLines, startTexts } from "../../server/cli/start-block.ts";

const made = {
  organization: { id: "o1", name: "Acme" },
  admin: { email: "ann@example.org", username: "ann_1", password: "p" },
  passwordGenerated: true,
  accessKey: { accessKey: "k", secretAccessKey: "s" },
} as Parameters<typeof firstStartLines>[1];
const addresses = {
  ...{ console: null, interface: "http://a/api", documentation: "http://a/docs" },
  openApi: "http://a/openapi.json",
} as unknown as Parameters<typeof addressLines>[1];

test("P-LANG-6: the start prints in the language of the terminal, and in English without one", () => {
  const english = startTexts({});
  assert.equal(
    firstStartLines(english, made)[0],
    "Parley made its first organization. The following is shown only this once:",
  );
  assert.equal(addressLines(english, addresses, [])[0], "Parley is ready.");
  for (const environment of [{ LANG: "C" }, { LC_ALL: "POSIX" }, { LANG: "zh_TW.UTF-8" }]) {
    assert.deepEqual(startTexts(environment), english);
  }
  const german = startTexts({ LANG: "fr_FR.UTF-8", LC_MESSAGES: "de_AT.UTF-8@euro" });
  assert.equal(german.password, "Passwort");
  assert.deepEqual(startTexts({ LC_ALL: "de_DE", LANG: "fr_FR" }), german);
  assert.notDeepEqual(addressLines(german, addresses, []), addressLines(english, addresses, []));
});
