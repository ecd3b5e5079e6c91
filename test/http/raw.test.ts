// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { rawRequest as raw, sendRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const LIST = "GET /api/roomSetting/paginated HTTP/1.1";
const POST = "POST /api/user/fetchOrgUsers HTTP/1.1";
const JSON_TYPE = "Content-Type: application/json";

test("P-INP-13: malformed HTTP gets 4xx in JSON or is cut, and is never read as two requests", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const auth = `Authorization: Bearer ${token}`;
  const host = "Host: x";
  const smuggled = `0\r\n\r\n${raw(["GET /openapi.json HTTP/1.1", host])}`;
  const cases: Record<string, string | Buffer> = {
    "length and chunks": raw(
      [POST, host, auth, JSON_TYPE, "Content-Length: 6", "Transfer-Encoding: chunked"],
      smuggled,
    ),
    "chunks and length": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding: chunked", "Content-Length: 6"],
      smuggled,
    ),
    "two lengths": raw(
      [POST, host, auth, JSON_TYPE, "Content-Length: 2", "Content-Length: 20"],
      "{}",
    ),
    "two equal lengths": raw([POST, host, auth, JSON_TYPE, "Content-Length: 2, 2"], "{}"),
    "a negative length": raw([POST, host, auth, JSON_TYPE, "Content-Length: -1"], "{}"),
    "a length that is no number": raw([POST, host, auth, JSON_TYPE, "Content-Length: 2x"], "{}"),
    "a huge length": raw(
      [POST, host, auth, JSON_TYPE, "Content-Length: 99999999999999999999"],
      "{}",
    ),
    "a bad chunk": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding: chunked"],
      "zz\r\n{}\r\n0\r\n\r\n",
    ),
    "a chunk that is too long": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding: chunked"],
      "1\r\n{}\r\n0\r\n\r\n",
    ),
    "an unknown transfer encoding": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding: cow"],
      "{}",
    ),
    "chunked, but not last": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding: chunked, gzip"],
      "0\r\n\r\n",
    ),
    "chunked behind a tab": raw(
      [POST, host, auth, JSON_TYPE, "Transfer-Encoding:\tchunked", "Content-Length: 4"],
      smuggled,
    ),
    "a space before the colon": raw([LIST, host, `Authorization : Bearer ${token}`]),
    "a folded header": raw([LIST, host, "X-A: b", " c", auth]),
    "a header without a name": raw([LIST, host, ": x", auth]),
    "a header without a colon": raw([LIST, host, "nothing", auth]),
    "a control character in a header": raw([LIST, host, "X-A: b\x01c", auth]),
    "U+0000 in a header": raw([LIST, host, "X-A: b\0c", auth]),
    "a bare line feed": `${LIST}\n${host}\n${auth}\n\n`,
    "a bare carriage return": raw([LIST, host, `X-A: b\rX-B: c`, auth]),
    "no host": raw([LIST, auth]),
    "two hosts": raw([LIST, host, "Host: y", auth]),
    "a space in the path": raw(["GET /api/roomSetting/a b HTTP/1.1", host, auth]),
    "no version": raw(["GET /api/session", host, auth]),
    "a version of another kind": raw(["GET /api/session HTCPCP/1.0", host, auth]),
    "HTTP/2.0 as text": raw(["GET /api/session HTTP/2.0", host, auth]),
    "the preface of HTTP/2": raw(["PRI * HTTP/2.0"], "SM\r\n\r\n"),
    "an unknown method": raw(["BREW /api/session HTTP/1.1", host, auth]),
    "a method in lower case": raw(["get /api/session HTTP/1.1", host, auth]),
    "a TLS greeting": Buffer.from("16030100c8010000c40303", "hex"),
    "nothing but bytes": Buffer.from([0xff, 0xfe, 0, 1, 2, 13, 10, 13, 10]),
    "too many header bytes": raw([LIST, host, auth, `X-A: ${"a".repeat(20_000)}`]),
    "too many headers": raw([
      LIST,
      host,
      auth,
      ...Array.from({ length: 3000 }, (_, n) => `X-${n}: abc`),
    ]),
    "a path of 20,000 characters": raw([
      `GET /api/roomSetting/${"a".repeat(20_000)} HTTP/1.1`,
      host,
      auth,
    ]),
    "an upgrade": raw([LIST, host, "Connection: Upgrade", "Upgrade: websocket"]),
    CONNECT: raw(["CONNECT example.org:443 HTTP/1.1", "Host: example.org:443"]),
    TRACE: raw(["TRACE /api/session HTTP/1.1", host]),
    "an expectation of another kind": raw(
      [POST, host, auth, JSON_TYPE, "Expect: miracles", "Content-Length: 2"],
      "{}",
    ),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const { status, all, headers, body } = await sendRaw(world.url, bytes, true);
    const about = `${name}: ${all.slice(0, 400)}`;
    // 0: cut without an answer.
    assert.ok(status === 0 || (status >= 400 && status < 500), about);
    assert.equal(all.match(/HTTP\/1\.1 \d/g)?.length ?? 0, status === 0 ? 0 : 1, about);
    assert.ok(!all.includes("openapi"), about);
    if (status === 0) continue;
    assert.equal(headers["content-type"], "application/json; charset=utf-8", about);
    assert.equal(JSON.parse(body).success, false, about);
  }
  assert.equal((await send(world.url, { method: "GET", path: "/healthz" })).status, 200);
  t.diagnostic(`${Object.keys(cases).length} cases`);
});

test("P-INP-13: unusual but valid HTTP is understood", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const auth = `Authorization: Bearer ${token}`;
  const close = "Connection: close";
  const chunked = [POST, "Host: x", auth, JSON_TYPE, "Transfer-Encoding: chunked", close];
  const hundred = Array.from({ length: 100 }, (_, n) => `X-${n}: a`);
  const cases: Record<string, [string, number]> = {
    "an absolute address": [
      raw(["GET http://x/api/session HTTP/1.1", "Host: x", auth, close]),
      200,
    ],
    "HTTP/1.0": [raw(["GET /api/session HTTP/1.0", auth]), 200],
    chunks: [raw(chunked, "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"), 200],
    "chunk extensions and trailers": [raw(chunked, "2;a=b\r\n{}\r\n0\r\nX-T: 1\r\n\r\n"), 200],
    "a hundred headers": [raw([LIST, "Host: x", auth, close, ...hundred]), 200],
    "names in any case": [raw([LIST, "HOST: x", `aUTHORIZATION: Bearer ${token}`, close]), 200],
    "the method that another header names": [
      raw([
        "GET /api/session HTTP/1.1",
        "Host: x",
        auth,
        close,
        "X-HTTP-Method-Override: DELETE",
        "X-Method-Override: DELETE",
      ]),
      200,
    ],
    "still signed in after that": [raw(["GET /api/session HTTP/1.1", "Host: x", auth, close]), 200],
    "a body with GET": [
      raw([LIST, "Host: x", auth, close, JSON_TYPE, "Content-Length: 2"], "{}"),
      200,
    ],
    "an expectation of 100": [
      raw(
        [POST, "Host: x", auth, JSON_TYPE, close, "Expect: 100-continue", "Content-Length: 2"],
        "{}",
      ),
      100,
    ],
  };
  for (const [name, [bytes, expected]] of Object.entries(cases)) {
    const { status, all } = await sendRaw(world.url, bytes);
    assert.equal(status, expected, `${name}: ${all.slice(0, 300)}`);
  }
  const one = ["GET /api/session HTTP/1.1", "Host: x", auth];
  const { all } = await sendRaw(world.url, raw(one) + raw([...one, close]));
  assert.equal(all.match(/HTTP\/1\.1 200/g)?.length, 2, "two requests in one piece");
});
