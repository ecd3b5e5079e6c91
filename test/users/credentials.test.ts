import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { mock, test } from "node:test";
import { hashingCost } from "../../server/access/passwords.ts";
import { startWorld, usualHashingCost } from "../world/world.ts";
import { create } from "./people.ts";

const { database, log, organization } = await startWorld(test, {
  environment: { LOG_LEVEL: "debug" },
});
const { ask, token } = await organization("Credentials");

/** Names, and the beginnings of the usernames derived from them. */
const stems: readonly (readonly [string, string])[] = [
  ["Ann Lee", "ann_lee"],
  ["  José  María ÁLVAREZ-Núñez ", "jose_maria_alvarez_nunez"],
  ["Łukasz Żółć", "lukasz_zolc"],
  ["Jürgen Groß", "jurgen_gross"],
  ["Søren Ærø", "soren_aero"],
  ["Þóra Guðrún", "thora_gudrun"],
  ["Nguyễn Văn Đức", "nguyen_van_duc"],
  ["O'Brien, Pat 3rd", "o_brien_pat_3rd"],
  ["Ａｎｎ　Ｌｅｅ", "ann_lee"],
  ["ﬁnn", "finn"],
  ["王小明 (Xiaoming)", "xiaoming"],
  ["王小明", "user"],
  ["Дмитрий", "user"],
  ["محمد", "user"],
  ["\u{1F600}", "user"],
  ["__proto__", "proto"],
  ["<script>", "script"],
  ["x".repeat(60), "x".repeat(40)],
  [`${"y".repeat(39)} z`, "y".repeat(39)],
];

test("a username is the name in lower-case ASCII words, an underscore and six digits", async (t) => {
  for (const [name, stem] of stems) {
    await t.test(name, async () => {
      const { username } = await create(ask, { name });
      assert.match(username, /^[a-z0-9]+(_[a-z0-9]+)*_\d{6}$/);
      assert.equal(username.slice(0, -7), stem);
    });
  }
});

const many = await Promise.all(Array.from({ length: 40 }, () => create(ask, { role: "many" })));

test("usernames, profile IDs and passwords never repeat and follow no sequence", async () => {
  const { users } = (await ask("POST /api/user/fetchOrgUsers", { role: "many" })).body;
  const distinct = (values: readonly string[]) => assert.equal(new Set(values).size, 40);
  distinct(many.map(({ username }) => username));
  distinct(many.map(({ password }) => password));
  distinct(many.map(({ id }) => id));
  distinct(users.map(({ profileId }: { readonly profileId: string }) => profileId));
  const numbers = many.map(({ username }) => Number(username.slice(-6)));
  const steps = new Set(numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0)));
  assert.ok(steps.size > 30);
});

test("a taken username is replaced, and never answered", async () => {
  const { username } = await create(ask, { name: "Twin" });
  const random = crypto.randomInt;
  let collisions = 0;
  mock.method(crypto, "randomInt", (most: number) => {
    if (most !== 10 ** 6 || collisions === 4) return random(most);
    collisions += 1;
    return Number(username.slice(-6));
  });
  syncBuiltinESMExports();
  try {
    const twin = await create(ask, { name: "Twin" });
    assert.match(twin.username, /^twin_\d{6}$/);
    assert.notEqual(twin.username, username);
    assert.equal(collisions, 4);
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});

test("a generated password has 24 evenly distributed letters and digits that do not look alike", () => {
  const seen = new Set<string>();
  for (const { password } of many) {
    assert.match(password, /^[abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ2-9]{24}$/);
    for (const sign of password) seen.add(sign);
  }
  assert.equal(seen.size, 55);
  for (let at = 0; at < 24; at += 1) {
    const signs = new Set(many.map(({ password }) => password[at]));
    assert.ok(signs.size > 15, `place ${at}`);
  }
});

test("passwords are stored as argon2id of 19 MiB and 2 passes, each with its own salt", async (t) => {
  const cheap = { ...hashingCost };
  Object.assign(hashingCost, usualHashingCost);
  t.after(() => Object.assign(hashingCost, cheap));
  const made = [await create(ask), await create(ask)];
  const rows = await database.read
    .selectFrom("users")
    .select("password_digest")
    .where(
      "id",
      "in",
      made.map(({ id }) => id),
    )
    .execute();
  const salts = rows.map(({ password_digest }) => {
    const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$/.exec(password_digest);
    assert.ok(Number(parts?.[1]) >= 19_456 && Number(parts?.[2]) >= 2, password_digest);
    return parts?.[3];
  });
  assert.notEqual(salts[0], salts[1]);
});

test("no password is in the logs", async () => {
  const { id, password } = await create(ask);
  const { body } = await ask("POST /api/user/adminPwdreset", { userId: id });
  await ask("PUT /api/user/orgUser", { userId: id, password: body.password, name: 5 });
  await ask("POST /api/user/orgUser", `{"password":"${password}"`);
  const logs = log.join("");
  assert.ok(logs.length > 0);
  for (const secret of [password, body.password, token]) {
    assert.ok(!logs.includes(secret));
  }
});
