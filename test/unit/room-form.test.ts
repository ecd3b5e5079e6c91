import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf, ROOM_FORM } from "../../contract/rooms/record.ts";
import { allSettings, initialSettings, secretSettings } from "../../contract/rooms/settings.ts";

test("the form of rooms changes with any setting's name, order or default", () => {
  const entries = Object.entries(initialSettings);
  const forms = [
    initialSettings,
    { ...initialSettings, noOfInterpreters: 0 },
    Object.fromEntries(entries.slice(1)),
    Object.fromEntries(entries.toReversed()),
    ...entries.map(([name, value]) => ({ ...initialSettings, [name]: `other than ${value}` })),
    ...entries.map(([name]) =>
      Object.fromEntries(entries.map(([other, value]) => [other === name ? "x" : other, value])),
    ),
  ].map(formOf);
  assert.equal(new Set(forms).size, forms.length);
  assert.equal(forms[0], ROOM_FORM);
  for (const form of forms) assert.ok(Number.isInteger(form) && form >= 0 && form < 2 ** 31);
});

test("no setting named like a secret or a password is shown in the history", () => {
  const called = Object.entries(allSettings)
    .filter(([, { create }]) => /\bsecrets?\b|\bpassword that\b/.test(create.description ?? ""))
    .map(([name]) => name);
  assert.deepEqual([...secretSettings], called);
  assert.ok(called.length > 5);
});
