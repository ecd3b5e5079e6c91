// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask } from "../world/ask.ts";
import { naughtyStrings } from "../world/corpora.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

const found = async (ask: Ask, search: string): Promise<string[]> => {
  const { status, body, text } = await ask("listRooms", { search, limit: 1000 });
  assert.equal(status, 200, text);
  return body.roomSettings.map(({ name }: { readonly name: string }) => name);
};

test("P-INP-7: every character in a search is literal", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  const signs = ["%", "_", "\\", "'", '"', "*", "?", "[", "]", "^", ".", "--", ";", "$", "(", "%%"];
  const names = [...signs, "\\%", "\\_", "\\\\", "a%b", "a_b", "a\\b", "axb", "ab", "%a", "a%"];
  for (const name of names) await ask("createRoom", { name, roomOwnerId: admin.id });
  for (const search of [...names, "%b", "_b", "\\b", "a", "b"]) {
    const expected = names.filter((name) => name.includes(search));
    assert.deepEqual((await found(ask, search)).sort(), expected.sort(), search);
  }
});

test("P-INP-7: a search ignores case, beyond ASCII too", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  const alike: [string, ...string[]][] = [
    ["Ännchen", "ännchen", "ÄNNCHEN", "A\u0308NN", "nnch"],
    ["ΑΘΗΝΑ", "αθηνα", "Αθη"],
    ["Москва", "москва", "МОСКВА", "СКВ"],
    ["\u212Aelvin", "kelvin", "KELVIN", "\u212A"],
    ["ﬁne", "fine", "FINE"],
    ["Ｗｉｄｅ", "wide", "WIDE"],
    ["Ǆungla", "ǆungla", "ǅungla"],
    ["\u{10400}deseret", "\u{10428}deseret"],
  ];
  for (const [name] of alike) await ask("createRoom", { name, roomOwnerId: admin.id });
  for (const [name, ...searches] of alike) {
    for (const search of searches) assert.deepEqual(await found(ask, search), [name], search);
  }
});

test("P-INP-7: a search finds what people mean, in every script", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  const alike: [string, ...string[]][] = [
    ["Hauptstraße", "HAUPTSTRASSE", "hauptstrasse", "STRAẞE"],
    ["Μαρία Ωδείο ΟΔΟΣ", "ΜΑΡΙΑ", "μαρια", "ωδειο", "οδός"],
    ["İzmir", "izmir", "İZMİR", "IZMIR", "ızmır"],
    ["DIYARBAKIR", "diyarbakır", "diyarbakir"],
    ["Müller", "muller", "MULLER", "Mu\u0308ller", "Müller"],
    ["Jose Nunez", "José Núñez", "jose nunez"],
    ["Łódź", "lodz", "ŁODZ"],
    ["Øystein Ægir", "oystein aegir", "ØYSTEIN"],
    ["Þórdís", "thordis"],
    ["ﬃnity", "ffinity", "FFINITY"],
    ["\uab70\uab9c", "\u13a0\u13cc", "\u13a0\uab9c"],
    ["Ёлка", "елка", "ЁЛКА"],
    ["مُحَمَّد", "محمد", "محـــمد"],
    ["أحمد علی کریم", "احمد", "علي", "كريم"],
    ["شَلوم می\u200cخواهم", "میخواهم", "می\u200cخواهم"],
    ["שָׁלוֹם", "שלום", "שלומ"],
    ["ガンダム", "がんだむ", "ｶﾞﾝﾀﾞﾑ"],
    ["एकीकरण", "एकीकरण"],
    ["٢٠٢٦", "2026", "۲۰۲۶"],
    ["O’Neil–Smith", "o'neil-smith"],
    ["soft\u00adhyphen", "softhyphen"],
    ["heart ❤\ufe0f", "heart ❤"],
  ];
  for (const [name] of alike) await ask("createRoom", { name, roomOwnerId: admin.id });
  for (const [name, ...searches] of alike) {
    for (const search of [name, ...searches]) {
      assert.deepEqual(await found(ask, search), [name], `${search} finds ${name}`);
    }
  }
  // Other letters stay other letters.
  for (const search of ["カンタム", "एकाकरण", "Miller"]) {
    assert.deepEqual(await found(ask, search), [], search);
  }
});

test("P-INP-7: characters around a pasted search, address, code or key are ignored", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, accessKey } = await world.tenant();
  const { body } = await ask("createRoom", { name: "Board room", roomOwnerId: admin.id });
  assert.deepEqual(await found(ask, "\u00a0board room\r\n"), ["Board room"]);
  assert.deepEqual(await found(ask, `${" ".repeat(300)}board`), ["Board room"]);
  const people = await ask("listUsers", { role: "admin", search: ` ${admin.email}\n` });
  assert.equal(people.body.users.length, 1);
  const owned = await ask("listRooms", { userFilter: ` ${admin.id} ` });
  assert.equal(owned.body.roomSettings.length, 1);
  const { accessKey: key, secretAccessKey } = accessKey;
  const given = { accessKey: `${key}\n`, secretAccessKey: `\t${secretAccessKey} ` };
  const { status } = await world.open("getAuthToken", given);
  assert.equal(status, 200);
  const { room } = body.roomSetting;
  assert.equal((await ask("fetchInvitation", { roomId: `${room}\n` })).status, 200);
});

test("P-INP-7: no search is slow, a database error, or longer than 200 characters", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson } = await world.tenant();
  await ask("createRoom", { name: `${"a".repeat(199)}b`, roomOwnerId: admin.id });
  await addPerson("x@example.org", { name: "%".repeat(200) });
  const nasty = ["a".repeat(200), "%".repeat(200), "_".repeat(200), "\\".repeat(200), "(a+)+$"];
  const dice = rollDice(t);
  for (const search of [
    ...nasty,
    ...dice.shuffled(naughtyStrings()).slice(0, count(60, 515, 30)),
  ]) {
    const fits = [...search].length <= 200 && !search.includes("\0") && search.isWellFormed();
    // The service runs in this process: elapsed time says little on a busy machine.
    const begun = process.cpuUsage();
    const rooms = await ask("listRooms", { search });
    const people = await ask("listUsers", { role: "moderator", search });
    assert.deepEqual([rooms.status, people.status], fits ? [200, 200] : [400, 400], search);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 2_000_000, search);
  }
  const long = await ask("listRooms", { search: "x".repeat(10_000) });
  assert.equal(long.status, 400);
  assert.equal(long.body.errors[0].field, "search");
});

test("P-INP-8: pages and limits that are not whole numbers from 1 are refused with the contract's text", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  for (const name of ["a", "b", "c"]) await ask("createRoom", { name, roomOwnerId: admin.id });
  const numbers = [
    "0",
    "-1",
    "1.5",
    "1e3",
    "1e308",
    "NaN",
    "Infinity",
    "0x10",
    " 1",
    "1 ",
    "+1",
    "1,2",
    "--1",
    "9007199254740993",
    "9223372036854775808",
    "99999999999999999999",
    "null",
    "true",
    "[]",
    "٣",
  ];
  for (const wrong of numbers) {
    for (const field of ["page", "limit"]) {
      const { status, body } = await ask("listRooms", { [field]: wrong });
      assert.deepEqual([status, body.error], [400, "Invalid pagination parameters"], wrong);
      assert.equal(body.errors[0].field, field);
      assert.equal((await ask("listLetters", { [field]: wrong })).status, 400, wrong);
    }
  }
  const twice = await ask("listRooms", { page: ["1", "2"] });
  assert.deepEqual([twice.status, twice.body.error], [400, "Invalid pagination parameters"]);
  for (const wrong of [0, -1, 1.5, 1e308, 2 ** 53, "1", null, true, [], [1], {}]) {
    const page = await ask("listUsers", { role: "x", page: wrong });
    assert.deepEqual([page.status, page.body.code], [400, "invalid_page"], `${wrong}`);
    const limit = await ask("listUsers", { role: "x", limit: wrong });
    assert.deepEqual([limit.status, limit.body.code], [400, "invalid_limit"], `${wrong}`);
  }
  for (const page of ["2147483648", "4294967297", "9007199254740991"]) {
    for (const limit of ["1", "25", "2147483647", "9007199254740991"]) {
      const { status, body } = await ask("listRooms", { page, limit });
      assert.deepEqual([status, body.roomSettings, body.pagination.total], [200, [], 3], page);
      assert.equal(body.pagination.page, Number(page));
    }
  }
  const beyond = await ask("listUsers", {
    role: "admin",
    page: Number.MAX_SAFE_INTEGER,
    limit: 100,
  });
  assert.deepEqual([beyond.status, beyond.body.users, beyond.body.pagination.total], [200, [], 1]);
  const all = await ask("listRooms", { limit: "9007199254740991" });
  assert.deepEqual([all.body.roomSettings.length, all.body.pagination.totalPages], [3, 1]);
  for (const same of ["1", "01", "0000000001"]) {
    assert.equal((await ask("listRooms", { page: same })).body.pagination.page, 1);
  }
});
