// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { emailAddresses } from "../world/corpora.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { create, newPerson, revoke } from "./people.ts";

const { organization } = await startWorld(test);
const { ask } = await organization("Addresses");
const request = "POST /api/user/orgUser";
const taken = failure("email_taken", "Email already exists. Try again with a different email.");

/** Spellings of one address. */
const classes: readonly (readonly string[])[] = [
  ["Ann@x.example.org", "ANN@X.EXAMPLE.ORG", "ann@x.example.org"],
  [
    "a@b\u00fccher.example",
    "A@bu\u0308cher.example",
    "a@xn--bcher-kva.example",
    "a@BÜCHER.Example",
  ],
  ["k@kelvin.example", "k@\u212aelvin.example", "K@KELVIN.example"],
  ["w@wide.example", "w@ｗｉｄｅ.example", "w@wide．example", "w@wide。example"],
  ["s@straße.example", "s@xn--strae-oqa.example"],
];

test("addresses compare by NFC, lower case and the domain in ASCII, and are kept as typed", async (t) => {
  for (const [first = "", ...others] of classes) {
    await t.test(first, async () => {
      const { id, email } = await create(ask, { email: first });
      assert.equal(email, first);
      for (const other of others) {
        await assertFails(ask(request, newPerson({ email: other })), 409, taken);
        const { body } = await ask("PUT /api/user/orgUser", { userId: id, email: other });
        assert.equal(body.user.email, other);
      }
      await revoke(ask, id);
      await assertFails(ask(request, newPerson({ email: first })), 409, taken);
      await ask("POST /api/user/reactivateOrgUser", { email: others[0] });
      const { body } = await ask("POST /api/user/findOrgUsers", { userIds: [id] });
      assert.equal(body.users[0].accountDeleted, false);
    });
  }
});

test("simultaneous spellings of one address make one person", async () => {
  const forms = ["R@x.example", "r@X.example", "R@x.EXAMPLE", "r@ｘ.example"];
  const many = [...forms, ...forms, ...forms];
  const answers = await Promise.all(many.map((email) => ask(request, newPerson({ email }))));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, many.length - 1);
});

test("similar addresses are not treated as equal", async () => {
  for (const email of ["a.b@n.example", "ab@n.example", "a+b@n.example", "a.b@m.n.example"]) {
    assert.equal((await create(ask, { email })).email, email);
  }
});

const l63 = "l".repeat(63);
const longest = `${"a".repeat(64)}@${l63}.${l63}.${"d".repeat(57)}.org`;

test("an address of 254 characters is accepted, none longer", async () => {
  assert.equal(longest.length, 254);
  assert.equal((await create(ask, { email: longest })).email, longest);
  for (const email of [
    `a${longest}`,
    longest.replace(".org", "s.org"),
    `${"a".repeat(65)}@b.org`,
  ]) {
    assert.equal((await ask(request, newPerson({ email }))).status, 400, email);
  }
});

const noAddress: readonly string[] = [
  "ann",
  "@example.org",
  "ann@",
  "ann@localhost",
  "ann@@example.org",
  "a b@example.org",
  "ann@example.org\r\nBcc: x@example.org",
  "ann@example.org\n",
  "a\r@example.org",
  "ann@exam\tple.org",
  "ann@example.org,bo@example.org",
  "ann@example.org;bo@example.org",
  "Ann <ann@example.org>",
  "<ann@example.org>",
  "ann@example.org>",
  "(x)ann@example.org",
  '"a b"@example.org',
  "ann@[127.0.0.1]",
  "ann@127.0.0.1",
  "ann@1.2.3.4",
  "ann@0x7f.1",
  "ann@example..org",
  ".ann@example.org",
  "ann.@example.org",
  "a..b@example.org",
  "ann@-example.org",
  "ann@example-.org",
  "ann@example.org/path",
  "ann@example.org:25",
  "ann@example.org?x",
  "ann@exa#mple.org",
  "jö@example.org",
  "\u212aelvin@example.org",
  "ann@exa\u200bmple.org",
  "ann@example.org\u2028",
  "ann@xn--.org",
];

test("anything but a plain mailbox is refused", async () => {
  for (const email of noAddress) {
    const { status, body } = await ask(request, newPerson({ email }));
    assert.deepEqual([status, body.errors?.[0]?.field], [400, "email"], JSON.stringify(email));
  }
});

test("every address of the corpus is accepted or refused as listed", async () => {
  for (const { address, accepted } of emailAddresses()) {
    const { status, body } = await ask(request, newPerson({ email: address }));
    assert.equal(status, accepted ? 201 : 400, JSON.stringify(address));
    if (accepted) assert.equal(body.user.email, address);
    else assert.equal(body.errors[0].field, "email", JSON.stringify(address));
  }
});
