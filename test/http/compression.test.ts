import assert from "node:assert/strict";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { all } from "../isolation/rows.ts";
import { bearer } from "../world/ask.ts";
import { addPeople } from "../world/many.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

/** Sends a request with an `Accept-Encoding`, and returns the answer as it came and as it reads. */
const get = async (path: string, headers: Readonly<Record<string, string>>, body?: string) => {
  const asked = http.request(world.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const bytes = await buffer(answer);
  const { "content-encoding": encoding, vary, etag } = answer.headers;
  const text =
    encoding === "br"
      ? brotliDecompressSync(bytes)
      : encoding === "gzip"
        ? gunzipSync(bytes)
        : bytes;
  return { status: answer.statusCode, encoding, vary, etag, bytes: bytes.length, text: `${text}` };
};

test("lists and files without secrets are compressed for clients that accept it, also in pieces", async () => {
  const tenant = await world.tenant();
  await addPeople(tenant, Array(300).fill({}));
  const token = bearer(tenant.token);
  for (const [path, body] of [
    ["/api/user/fetchOrgUsers", "{}"],
    ["/api/user/fetchOrgUsersWithPagination", JSON.stringify({ role: "moderator", limit: 100 })],
    ["/api/history/export?format=jsonl", undefined],
  ] as const) {
    const plain = await get(path, token, body);
    assert.deepEqual(
      [plain.status, plain.encoding, plain.vary],
      [200, undefined, "Accept-Encoding"],
    );
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.1, gzip", "gzip"],
      ["br;q=0, gzip;q=0", undefined],
      ["identity", undefined],
    ] as const) {
      const { bytes, ...answer } = await get(path, { ...token, "accept-encoding": accepted }, body);
      assert.deepEqual(
        [answer.encoding, answer.vary],
        [encoding, plain.vary],
        `${path} ${accepted}`,
      );
      assert.equal(answer.text, plain.text);
      if (encoding !== undefined) assert.ok(bytes < plain.bytes / 2, `${bytes} of ${plain.bytes}`);
    }
  }
  const few = await get("/api/letter", { ...token, "accept-encoding": "gzip" });
  assert.equal(few.encoding, undefined, "a short answer is sent as it is");
});

test("rooms are compressed only where none has a secret", async () => {
  const tenant = await world.tenant();
  const roomOwnerId = tenant.admin.id;
  for (const name of ["One", "Two", "Three"]) await tenant.ask("createRoom", { name, roomOwnerId });
  const list = (token: string) =>
    get("/api/roomSetting/paginated?limit=50", { ...bearer(token), "accept-encoding": "gzip" });
  assert.equal((await list(tenant.token)).encoding, "gzip");
  const text = 'a "roomPassword":"x" in a text';
  await tenant.ask("createRoom", { name: text, room: "r", roomOwnerId, roomPassword: "" });
  assert.equal((await list(tenant.token)).encoding, "gzip");
  const { accessKey, secretAccessKey } = (await tenant.ask("createAccessKey", { scope: "read" }))
    .body.accessKey;
  const { token } = (await world.open("getAuthToken", { accessKey, secretAccessKey })).body
    .authToken;
  for (const secret of [
    { roomPassword: "1" },
    { roomPassword: '"' },
    { roomPassword: null, liveStreamKey: "k" },
    { liveStreamKey: null, liveStreamUrl: "rtmp://192.0.2.1/live" },
  ]) {
    const edited = await tenant.ask("editRoom", { room: "r", roomOwnerId, ...secret });
    assert.equal(edited.status, 200, edited.text);
    assert.equal((await list(tenant.token)).encoding, undefined, JSON.stringify(secret));
    assert.equal((await list(token)).encoding, "gzip", "a key that reads no secrets");
  }
});

test("no answer with a token, a password or another secret is compressed", () => {
  const secret =
    /^(sign|renew|getAuth|join|watch|create|reset|rotate|change|choose|edit|fetchRoom$|fetchInv|getRoomLink|open|download(?!Attendance|Usage)|listWebhooks|listRecordingLinks)/;
  for (const [id, { access, compressed, changes, method }] of all) {
    if (compressed === undefined) continue;
    assert.doesNotMatch(id, secret);
    assert.ok(!access.startsWith("anyone") && changes === undefined, id);
    assert.ok(method === "GET" || /^(fetch|list|find|search)/.test(id), id);
  }
});

test("the document is compressed, and sent again only when it has changed", async () => {
  const plain = await get("/openapi.json", {});
  const zipped = await get("/openapi.json", { "accept-encoding": "gzip" });
  assert.deepEqual([zipped.encoding, zipped.text], ["gzip", plain.text]);
  assert.ok(zipped.bytes < plain.bytes / 5, `${zipped.bytes} of ${plain.bytes}`);
  assert.match(plain.etag ?? "", /^"[\w-]{22}"$/);
  assert.notEqual(zipped.etag, plain.etag, "a strong tag is that of one encoding");
  const [tag = "", zippedTag = ""] = [plain.etag, zipped.etag];
  for (const known of [tag, zippedTag, `W/${tag}`, `"x", ${zippedTag}`, "*"]) {
    const { status, bytes, etag } = await get("/openapi.json", { "if-none-match": known });
    assert.deepEqual([status, bytes, etag], [304, 0, tag], known);
  }
  const other = await get("/openapi.json", { "if-none-match": '"x"' });
  assert.deepEqual([other.status, other.text], [200, plain.text]);
});
