import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const WORDS = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

test("P-INP-4: keys such as __proto__ change nothing and are named as unknown", async (t) => {
  const world = await startWorld(t);
  const { ask, token, admin } = await world.tenant();
  const post = (path: string, body: string) =>
    send(world.url, { method: "POST", path, body }, { authorization: `Bearer ${token}` });
  const login = `"name":"Ann","loginUrl":"https://x.org"`;
  for (const [n, word] of WORDS.entries()) {
    const evil = `"${word}":{"admin":true,"max_users":0,"accountSuspended":true,"isAdmin":true}`;
    const answer = await post(
      "/api/user/orgUser",
      `{"email":"p${n}@example.org",${login},${evil},"constructor":{"prototype":{"admin":true}}}`,
    );
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.body.user.admin, answer.body.user.accountSuspended], [false, false]);
    const named = (answer.headers.get("parley-ignored") ?? "").split(", ");
    assert.ok(named.includes(word), `${named}`);
    const room = await post("/api/roomSetting", `{"name":"R","roomOwnerId":"${admin.id}",${evil}}`);
    assert.equal(room.status, 201);
    assert.equal(room.body.roomSetting.isStatic, false);
    const nested = await post("/api/user/revokeOrgUsers", `[{"userId":"nobody",${evil}}]`);
    assert.equal(nested.body.code, "user_not_found");
    // The next plain request works as before.
    const plain = await ask("createUser", {
      email: `q${n}@example.org`,
      name: "Plain",
      loginUrl: "https://x.org",
    });
    assert.deepEqual([plain.status, plain.body.user.admin], [201, false]);
  }
  assert.equal(({} as { readonly admin?: boolean }).admin, undefined);
});

test("P-INP-4: IDs, names, roles and addresses such as __proto__ are ordinary values", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  for (const word of WORDS) {
    const made = await ask("createUser", {
      email: `${word}@example.org`,
      name: word,
      loginUrl: "https://x.org",
      role: word,
      tags: [word],
      location: word,
    });
    assert.equal(made.status, 201, made.text);
    const { name, role, tags } = made.body.user;
    assert.deepEqual([name, role, tags], [word, word, [word]]);
    const list = await ask("listUsers", { role: word, search: word });
    assert.equal(list.body.pagination.total, 1);
    const room = await ask("createRoom", { name: word, roomOwnerId: admin.id, room: word });
    assert.equal(room.body.roomSetting.room, word);
    assert.equal((await ask("fetchRoom", { id: word })).body.roomSetting.name, word);
    assert.equal((await ask("listRooms", { search: word })).body.pagination.total, 1);
    assert.equal((await ask("deleteRoom", { id: word })).status, 200);
    assert.equal((await ask("fetchRoom", { id: word })).status, 404);
    assert.equal((await ask("editUser", { userId: word })).status, 404);
    assert.equal((await ask("findUsers", { userIds: [word] })).body.users.length, 0);
  }
  const { body } = await ask("getOrganization", {});
  for (const word of WORDS) assert.ok(body.organization.roles.includes(word), word);
});

test("P-INP-12: words of a fixed set count in their exact form only, and a wrong one changes nothing", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, addPerson } = await world.tenant();
  const roomOwnerId = admin.id;
  const { body } = await ask("createRoom", { name: "Room", roomOwnerId, room: "board" });
  const { updatedAt: _, ...before } = body.roomSetting;
  const wrong = (words: readonly string[]) =>
    [
      ...WORDS,
      ...words.flatMap((word) => [word.toUpperCase(), ` ${word}`, `${word} `, `${word}\0`]),
      "",
      "x",
      words.join(","),
    ].filter((word) => !words.includes(word));
  const sets: Record<string, readonly string[]> = {
    roomType: ["p2p", "conferencing", "event"],
    recordingFormat: ["hls", "mp4"],
    recordingStrategy: ["mergedA", "mergedAV", "AmergedAV"],
  };
  let asked = 0;
  const refused = async (id: Parameters<typeof ask>[0], input: object, field: string) => {
    const answer = await ask(id, input);
    asked += 1;
    assert.equal(answer.status, 400, `${id} ${JSON.stringify(input)}: ${answer.text}`);
    const fields = answer.body.errors.map((error: { readonly field: string }) => error.field);
    assert.ok(
      fields.some((name: string) => name.startsWith(field)),
      answer.text,
    );
  };
  for (const [field, words] of Object.entries(sets)) {
    for (const word of wrong(words)) {
      await refused("createRoom", { name: "New", roomOwnerId, [field]: word }, field);
      await refused("editRoom", { room: "board", roomOwnerId, [field]: word }, field);
    }
    for (const word of words) {
      const edited = await ask("editRoom", { room: "board", roomOwnerId, [field]: word });
      assert.equal(edited.status, 200);
      await ask("editRoom", { room: "board", roomOwnerId, [field]: before[field] });
    }
  }
  for (const word of ["720p", "480P", "1080", "__proto__"]) {
    const recordingResolutions = ["480p", word];
    await refused("createRoom", { name: "New", roomOwnerId, recordingResolutions }, "recording");
    await refused("editRoom", { room: "board", roomOwnerId, recordingResolutions }, "recording");
  }
  for (const scheduledDateTime of [
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-02-30T09:30:00Z",
    "2026-13-01T00:00:00Z",
    "tomorrow",
    "",
    "1769851800",
    "2026-01-31T25:00:00Z",
    "2026-01-31 09:30:00Z",
  ]) {
    await refused("editRoom", { room: "board", roomOwnerId, scheduledDateTime }, "scheduled");
  }
  const { id: userId } = await addPerson("ann@example.org");
  for (const action of wrong(["suspend", "restore"])) {
    await refused("suspendRestoreUser", { userId, action }, "action");
  }
  for (const sortOrder of ["asc", "desc", " ASC", "ASC;", ...WORDS]) {
    await refused("listUsers", { role: "moderator", sortOrder }, "sortOrder");
    await refused("listRooms", { sortOrder }, "sortOrder");
  }
  for (const sortBy of ["NAME", "email", "name;drop", "name,id", "createdat", "id", ...WORDS]) {
    await refused("listUsers", { role: "moderator", sortBy }, "sortBy");
    await refused("listRooms", { sortBy }, "sortBy");
  }
  const { updatedAt: __, ...after } = (await ask("fetchRoom", { id: "board" })).body.roomSetting;
  assert.deepEqual(after, before);
  assert.equal((await ask("listRooms", {})).body.pagination.total, 1);
  t.diagnostic(`${asked} wrong words`);
});
