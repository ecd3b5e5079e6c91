import assert from "node:assert/strict";
import { test } from "node:test";
import { asLine, asLines, isLine, isLines } from "../../contract/kit/plain.ts";
import type { Ask, OperationId } from "../world/ask.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { invisible, turning } from "./shown.ts";

type Given = readonly [id: OperationId, input: (text: string) => object, field: string];

/** Asserts that a text is refused, with the name of its field and the accepted values. */
const assertNoName = async (ask: Ask, [id, input, field]: Given, text: string, said: RegExp) => {
  const { status, body } = await ask(id, input(text));
  const about = `${id} ${field} ${JSON.stringify(text)}: ${JSON.stringify(body)}`;
  assert.equal(status, 400, about);
  const error = body.errors.find((one: { readonly field: string }) => one.field === field);
  assert.ok(error !== undefined && said.test(error.message), about);
};

test("a text that others see is visible, and turns, ends or controls nothing", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson, accessKey } = await world.tenant();
  const { id: userId } = await addPerson("ann@example.org");
  const roomOwnerId = admin.id;
  const { body } = await ask("createRoom", { name: "Room", roomOwnerId });
  const { room } = body.roomSetting;
  const person = { email: "b@example.org", name: "B", loginUrl: "https://x.org" };
  const created = await ask("createWebhook", { url: "https://x.org/", events: ["roomCreated"] });
  const { id } = created.body.webhook;
  const { accessKey: key, secretAccessKey } = accessKey;
  const recordingId = "none";
  const lines: Given[] = [
    ["createRoom", (text) => ({ roomOwnerId, name: text }), "name"],
    ["editRoom", (text) => ({ room, roomOwnerId, name: text }), "name"],
    ...["name", "location", "role"].flatMap((field): Given[] => [
      ["createUser", (text) => ({ ...person, [field]: text }), field],
      ["editUser", (text) => ({ userId, [field]: text }), field],
    ]),
    ["createUser", (text) => ({ ...person, tags: ["a", text] }), "tags[1]"],
    ["editUser", (text) => ({ userId, tags: ["a", text] }), "tags"],
    ["changeRoles", (text) => ({ userIds: [userId], role: text }), "role"],
    ["createAccessKey", (text) => ({ name: text }), "name"],
    ["editAccessKey", (text) => ({ accessKey: key, name: text }), "name"],
    [
      "createWebhook",
      (text) => ({ url: "https://x.org/", events: [], description: text }),
      "description",
    ],
    ["editWebhook", (text) => ({ id, description: text }), "description"],
    ["renameRecording", (text) => ({ recordingId, name: text }), "name"],
    ["createImport", (text) => ({ kind: "users", text: "email", name: text }), "name"],
    ["joinRoom", (text) => ({ roomId: room, peerName: text }), "peerName"],
    ["watchStream", (text) => ({ roomId: room, peerName: text }), "peerName"],
    [
      "createSessionToken",
      (text) => ({ accessKey: key, secretAccessKey, roomId: room, peerName: text }),
      "peerName",
    ],
  ];
  const manyLines: Given[] = [
    ["createRoom", (text) => ({ name: "R", roomOwnerId, roomAgenda: text }), "roomAgenda"],
    ["editRoom", (text) => ({ room, roomOwnerId, roomAgenda: text }), "roomAgenda"],
    ["closeRoom", (text) => ({ roomId: room, message: text }), "message"],
  ];
  const dice = rollDice(t);
  const few = (texts: readonly string[]) => dice.shuffled(texts).slice(0, count(4, texts.length));
  for (const given of lines) {
    for (const one of ["\u202e", "\n", "\x1b", ...few(turning)]) {
      await assertNoName(ask, given, `a${one}b`, / must be one line without control characters/);
    }
    for (const text of few(invisible)) {
      await assertNoName(ask, given, text, / must have at least one visible character/);
    }
  }
  for (const given of manyLines) {
    for (const one of turning.filter((sign) => !/[\t\n\r\u2028\u2029]/.test(sign))) {
      await assertNoName(ask, given, `a${one}b`, / must be text without control characters, other/);
    }
  }
  const roomAgenda = "1.\tWelcome\r\n2.\tBudget\n";
  const agenda = await ask("editRoom", { room, roomOwnerId, roomAgenda });
  assert.equal(agenda.body.roomSetting.roomAgenda, roomAgenda);
  const after = await ask("fetchRoom", { id: room });
  assert.equal(after.body.roomSetting.name, "Room");
  assert.equal((await ask("listRooms", {})).body.pagination.total, 1);
});

test("an earlier record can be read, sent back and edited, but takes no new such text", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson } = await world.tenant();
  const { id: userId } = await addPerson("ann@example.org");
  const roomOwnerId = admin.id;
  const { body } = await ask("createRoom", { name: "Room", roomOwnerId });
  const { room } = body.roomSetting;
  const old = "Old\u202e\n";
  await world.database.change(async (tx) => {
    const stored = await tx.selectFrom("rooms").selectAll().executeTakeFirstOrThrow();
    const record = JSON.stringify({ ...JSON.parse(stored.record), name: old, roomAgenda: old });
    await tx.updateTable("rooms").set({ name: old, record }).execute();
    await tx
      .updateTable("users")
      .set({ name: old, location: old, tags: JSON.stringify([old]), role: "o\u202eld" })
      .where("id", "=", userId)
      .execute();
  });
  const { roomSetting } = (await ask("fetchRoom", { id: room })).body;
  assert.deepEqual([roomSetting.name, roomSetting.roomAgenda], [old, old]);
  const same = await ask("editRoom", roomSetting);
  assert.equal(same.status, 200, same.text);
  const kept = await ask("editRoom", { room, roomOwnerId, noOfViewers: 3 });
  assert.equal(kept.body.roomSetting.name, old);
  const line = / must be one line /;
  const more: Given = ["editRoom", () => ({ room, roomOwnerId, name: `${old}er` }), "name"];
  await assertNoName(ask, more, "", line);
  const [found] = (await ask("findUsers", { userIds: [userId] })).body.users;
  const { name, location, tags, role } = found;
  assert.deepEqual({ name, location, tags }, { name: old, location: old, tags: [old] });
  const sent = { userId, name, location, tags, role };
  assert.equal((await ask("editUser", { ...sent, tags: [old, "b"] })).status, 200);
  for (const more of [{ name: `${old}er` }, { tags: [old, "\n"] }, { location: "\n" }]) {
    const [field = ""] = Object.keys(more);
    await assertNoName(ask, ["editUser", () => ({ ...sent, ...more }), field], "", line);
  }
});

test("typed or pasted text becomes a name and a message that are accepted", () => {
  const pasted = [
    [" Ann\u202e\nLee\t(Sales)\x1b[31m\r\n", "Ann Lee (Sales)[31m", "Ann\nLee\t(Sales)[31m"],
    ["\u2068Ann\u2069\u2028\u00a0", "Ann", "Ann"],
    ["\u0645\u06cc\u200c\u062e \u200f", "\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"],
  ] as const;
  for (const [text, name, message] of pasted) {
    assert.deepEqual([asLine(text), asLines(text)], [name, message]);
    assert.ok(isLine(name) && isLines(message));
  }
});
