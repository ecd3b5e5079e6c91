import assert from "node:assert/strict";
import { test } from "node:test";
import { type Scope, scopeOf } from "../../contract/kit/scopes.ts";
import { all } from "../isolation/rows.ts";
import { askAs } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

const PASSWORD = "the-room-password";
const KEY = "the-stream-key";
const STREAM = "rtmp://127.0.0.1:1935/live/the-stream-token";
const HOOK = "http://127.0.0.1:9/hooks/the-hook-token";
const settings = { roomPassword: PASSWORD, liveStreamKey: KEY, liveStreamUrl: STREAM };
const concealed = {
  roomPassword: "(set)",
  liveStreamKey: "(set)",
  liveStreamUrl: "rtmp://127.0.0.1:1935/(set)",
};
const concealedHook = "http://127.0.0.1:9/(set)";

/** An organization with a room and a webhook that have secrets, and a room that has none. */
const startSecrets = async () => {
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  for (const [room, more] of [
    ["secret", settings],
    ["plain", {}],
  ] as const) {
    const { status } = await tenant.ask("createRoom", { name: room, room, roomOwnerId, ...more });
    assert.equal(status, 201);
  }
  const { webhook } = (await tenant.ask("createWebhook", { url: HOOK, events: ["roomCreated"] }))
    .body;
  const asKey = async (scope: Scope) => {
    const { accessKey, secretAccessKey } = (await tenant.ask("createAccessKey", { scope })).body
      .accessKey;
    const { token } = (await world.open("getAuthToken", { accessKey, secretAccessKey })).body
      .authToken;
    return askAs(world.url, token);
  };
  return { tenant, roomOwnerId, webhook, asKey };
};

const secretsIn = (text: string): string[] =>
  [PASSWORD, KEY, "the-stream-token", "the-hook-token"].filter((one) => text.includes(one));

test("a key reads secrets only if it may read or change them", async () => {
  const { asKey } = await startSecrets();
  const sees: Readonly<
    Record<Exclude<Scope, "scim">, readonly [rooms: boolean, webhooks: boolean]>
  > = {
    read: [false, false],
    people: [false, false],
    rooms: [true, false],
    secrets: [true, true],
    everything: [true, true],
  };
  for (const [scope, [rooms, webhooks]] of Object.entries(sees)) {
    const ask = await asKey(scope as Scope);
    const fetched = (await ask("fetchRoom", { id: "secret" })).body.roomSetting;
    const { roomSettings } = (await ask("listRooms", {})).body;
    const [plain, listed] = roomSettings;
    for (const room of [fetched, listed]) {
      const { roomPassword, liveStreamKey, liveStreamUrl } = room;
      const shown = { roomPassword, liveStreamKey, liveStreamUrl };
      assert.deepEqual(shown, rooms ? settings : concealed, scope);
    }
    assert.deepEqual(
      [plain.roomPassword, plain.liveStreamKey, plain.liveStreamUrl],
      [null, null, null],
    );
    const [hook] = (await ask("listWebhooks", {})).body.webhooks;
    assert.equal(hook.url, webhooks ? HOOK : concealedHook, scope);
  }
});

test("no answer to a key without a scope has a secret", async () => {
  const { tenant, asKey } = await startSecrets();
  const ask = await asKey("read");
  const meetingId = tenant.id;
  const ids = { id: "secret", roomId: "secret", meetingId, recordingId: meetingId };
  let answered = 0;
  for (const [id, operation] of all) {
    const isRead = operation.access !== "anyone" && operation.access !== "person";
    if (!isRead || scopeOf(operation) !== "read" || id === "signOut") continue;
    const { status, text } = await ask(id, { ...ids, role: "moderator" });
    if (status === 200) answered += 1;
    assert.deepEqual(secretsIn(text), [], `${id}: ${text}`);
  }
  assert.ok(answered > 10, `${answered} operations answered`);
});

test("a record fetched without secrets changes nothing when any key sends it back", async () => {
  const { asKey, roomOwnerId, webhook, tenant } = await startSecrets();
  const [reader, writer] = [await asKey("read"), await asKey("everything")];
  const own = await writer("fetchRoom", { id: "secret" });
  const copy = await reader("fetchRoom", { id: "secret" });
  assert.notEqual(copy.headers.get("etag"), own.headers.get("etag"), "no digest of the secrets");
  const edited = await writer("editRoom", copy.body.roomSetting);
  assert.equal(edited.status, 200);
  const { roomPassword, liveStreamKey, liveStreamUrl } = edited.body.roomSetting;
  assert.deepEqual({ roomPassword, liveStreamKey, liveStreamUrl }, settings);
  const version = { "if-match": copy.headers.get("etag") ?? "" };
  const stale = await writer("editRoom", copy.body.roomSetting, version);
  assert.equal(stale.status, 412);

  const [hook] = (await reader("listWebhooks", {})).body.webhooks;
  const { status, body } = await writer("editWebhook", { id: webhook.id, url: hook.url });
  assert.deepEqual([status, body.webhook.url], [200, HOOK]);

  // It stands for a secret of this room only, and becomes none.
  const edit = { room: "plain", roomOwnerId };
  const create = { name: "copied", roomOwnerId };
  for (const [name, value] of Object.entries(concealed)) {
    for (const answer of [
      await tenant.ask("editRoom", { ...edit, [name]: value }),
      await tenant.ask("createRoom", { ...create, [name]: value }),
    ]) {
      assert.deepEqual([answer.status, answer.body.errors[0].field], [400, name]);
      assert.match(answer.body.message, /must be the value itself/);
    }
  }
  const events = ["roomCreated"];
  const hooked = await tenant.ask("createWebhook", { url: concealedHook, events });
  assert.deepEqual([hooked.status, hooked.body.errors[0].field], [400, "url"]);
});
