// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ask } from "../world/ask.ts";
import { names, naughtyStrings } from "../world/corpora.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { isName } from "./shown.ts";

/** Characters that no text field stores: U+0000 and lone surrogates. */
const unstorable = ["\0", "a\0b", "\ud800", "a\udc00", "\udc00\ud800", "\u{1F600}\ud83d"];

/** Texts kept exactly as sent: nothing is composed, trimmed, cut or escaped. */
const delicate = [
  "A\u030Angstr\u00f6m",
  "\u00C5ngstr\u00f6m",
  "\u212Bngstr\u00f6m",
  " a ",
  "a\u00a0",
  "\ufeffa",
  "a\u200bb",
  "\u{10FFFF}",
  "\uFFFE\uFFFF",
  // Characters that join letters and emoji, select their form, or mark other letters are part of them.
  "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  "\u0915\u094d\u200d\u0937",
  "\u2764\ufe0f",
  "\u0e01\u0e49\u0e48",
  "\u{1f469}\u200d\u{1f469}\u200d\u{1f466}",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
  "\u{1f44d}\u{1f3fd}",
  "<b>&amp;</b>",
  "'; drop table users; --",
  "\\u0041",
  "%41",
  "%00",
  "{{7*7}}",
];

const dosage = (t: Parameters<typeof rollDice>[0]) => {
  const dice = rollDice(t);
  const some = [...naughtyStrings(), ...dice.shuffled(names()).slice(0, count(30, 5000, 15))];
  return [...delicate, ...dice.shuffled(some).slice(0, count(60, 5000, 30))];
};

/** Returns whether a list has an entry of this ID. */
const lists = async (ask: Ask, id: "listRooms" | "listUsers", search: string, found: string) => {
  // Newest first: some of these texts match very many others.
  const newest = { sortBy: "createdAt", sortOrder: "DESC" };
  const answer = await ask(id, {
    ...newest,
    limit: 100,
    search,
    ...(id === "listUsers" ? { role: "x" } : {}),
  });
  assert.equal(answer.status, 200, answer.text);
  const rows = answer.body.users ?? answer.body.roomSettings;
  return rows.some(
    (row: { readonly id?: string; readonly room?: string }) => (row.id ?? row.room) === found,
  );
};

test("P-INP-6: text in a room's fields comes back identical, in every answer and by search", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  const roomOwnerId = admin.id;
  const texts = dosage(t);
  for (const [n, text] of texts.entries()) {
    const room = `r-${n}`;
    const agenda = text.slice(0, 4000);
    const made = await ask("createRoom", {
      name: text,
      roomOwnerId,
      room,
      roomAgenda: agenda,
      liveStreamKey: agenda,
      participantType: text,
      ipCamNames: [text],
    });
    if (!isName(text)) {
      assert.equal(made.status, 400, JSON.stringify(text));
      continue;
    }
    assert.equal(made.status, 201, `${JSON.stringify(text)}: ${made.text}`);
    const fetched = (await ask("fetchRoom", { id: room })).body.roomSetting;
    for (const { name, roomAgenda, liveStreamKey, participantType } of [
      made.body.roomSetting,
      fetched,
    ]) {
      assert.deepEqual(
        [name, roomAgenda, liveStreamKey, participantType],
        [text, agenda, agenda, text],
      );
    }
    const edited = await ask("editRoom", { room, roomOwnerId });
    assert.deepEqual(edited.body.roomSetting.ipCamNames, [text]);
    assert.ok(await lists(ask, "listRooms", text, room), `not found: ${JSON.stringify(text)}`);
  }
  t.diagnostic(`${texts.length} texts`);
});

test("P-INP-6: text in a person's fields comes back identical, in every answer and by search", async (t) => {
  const world = await startWorld(t);
  const { ask, addPerson } = await world.tenant();
  const texts = dosage(t);
  for (const [n, text] of texts.entries()) {
    const { id: userId } = await addPerson(`p${n}@example.org`, { role: "x" });
    const tag = [...text].slice(0, 100).join("");
    const given = { name: text, location: text, tags: [tag, tag] };
    const edited = await ask("editUser", { userId, ...given });
    if (!isName(text)) {
      assert.equal(edited.status, 400, JSON.stringify(text));
      continue;
    }
    assert.equal(edited.status, 200, `${JSON.stringify(text)}: ${edited.text}`);
    const [found] = (await ask("findUsers", { userIds: [userId] })).body.users;
    for (const { name, location, tags } of [edited.body.user, found]) {
      assert.deepEqual({ name, location, tags }, given);
    }
    assert.ok(await lists(ask, "listUsers", text, userId), `not found: ${JSON.stringify(text)}`);
  }
  t.diagnostic(`${texts.length} texts`);
});

test("P-INP-6: U+0000 and lone surrogates are refused in every text, with the field's name", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson } = await world.tenant();
  const { id: userId } = await addPerson("ann@example.org");
  const room = { name: "Room", roomOwnerId: admin.id };
  const person = { email: "b@example.org", name: "B", loginUrl: "https://x.org" };
  const refusals: [Parameters<Ask>[0], (text: string) => object, string][] = [
    ...["name", "roomPassword", "roomAgenda", "liveStreamKey", "participantType", "camera"].map(
      (field): [Parameters<Ask>[0], (text: string) => object, string] =>
        [
          ...([
            "createRoom" as const,
            (text: string) => ({ ...room, [field]: text }),
            field,
          ] as const),
        ] as never,
    ),
    ["createRoom", (text) => ({ ...room, roomOwnerId: text }), "roomOwnerId"],
    ["createRoom", (text) => ({ ...room, room: text }), "room"],
    ["createRoom", (text) => ({ ...room, ipCamNames: ["a", text] }), "ipCamNames[1]"],
    ["createUser", (text) => ({ ...person, name: text }), "name"],
    ["createUser", (text) => ({ ...person, email: `a${text}@example.org` }), "email"],
    ["createUser", (text) => ({ ...person, loginUrl: `https://x.org/${text}` }), "loginUrl"],
    ["createUser", (text) => ({ ...person, location: text }), "location"],
    ["createUser", (text) => ({ ...person, role: text }), "role"],
    ["createUser", (text) => ({ ...person, tags: [text] }), "tags[0]"],
    ["editUser", (text) => ({ userId, name: text }), "name"],
    ["editUser", (text) => ({ userId: text }), "userId"],
    ["listUsers", (text) => ({ role: "x", search: text }), "search"],
    ["listUsers", (text) => ({ role: text }), "role"],
    ["reactivateUser", (text) => ({ email: text }), "email"],
    ["revokeUsers", (text) => [{ userId: text }], "[0].userId"],
    ["deleteUsers", (text) => [userId, text], "[1]"],
  ];
  for (const [id, input, field] of refusals) {
    for (const text of unstorable) {
      const { status, body } = await ask(id, input(text));
      const about = `${id} ${field} ${JSON.stringify(text)}: ${JSON.stringify(body)}`;
      assert.equal(status, 400, about);
      assert.ok(
        body.errors.some((error: { readonly field: string }) => error.field === field),
        about,
      );
    }
  }
  assert.equal((await ask("listRooms", {})).body.pagination.total, 0);
  t.diagnostic(`${refusals.length * unstorable.length} refusals`);
});

test("P-INP-6: a body or an address that is not UTF-8 is refused", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  for (const bytes of ["c328", "ff", "c0af", "eda080", "f4908080", "e282"]) {
    const body = Buffer.concat([
      Buffer.from('{"email":"'),
      Buffer.from(bytes, "hex"),
      Buffer.from('","name":"x"}'),
    ]);
    const answer = await fetch(`${world.url}/api/user/orgUser`, { method: "POST", headers, body });
    const failure = (await answer.json()) as { readonly code: string; readonly message: string };
    assert.deepEqual([answer.status, failure.code], [400, "invalid_json"]);
    assert.match(failure.message, /UTF-8/);
  }
  for (const path of ["/api/roomSetting/%c3%28", "/api/roomSetting/%ff", "/api/roomSetting/%"]) {
    const { status } = await fetch(world.url + path, { headers });
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
  }
});
