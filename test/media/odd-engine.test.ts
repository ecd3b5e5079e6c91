// Runs: sqlite

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { openCluster } from "../../server/media/cluster.ts";

/** The media engine at an address where the test answers. */
const answering = async (t: TestContext, answer: RequestListener) => {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return openCluster(() => ({ url, key: "key", secret: "secret" }));
};

const PAGE = "<!doctype html><title>Please sign in</title>";

test("another server at the engine's address does not count as an engine", async (t) => {
  const bodies = [PAGE, "", "null", "[]", '"ok"', '{"rooms": "none"}', '{"rooms": [null]}'];
  for (const body of bodies) {
    const engine = await answering(t, (_, response) => response.end(body));
    const health = await engine.health();
    assert.deepEqual([health.ok, / no media engine\.$/.test(health.found)], [false, true], body);
    await assert.rejects(engine.list(), { name: "EngineUnavailable" }, body);
    await assert.rejects(engine.connected("m"), { name: "EngineUnavailable" }, body);
  }
  const people = '{"participants": [{"identity": 1}]}';
  const engine = await answering(t, ({ url = "" }, response) =>
    response.end(url.endsWith("ListRooms") ? '{"rooms": [{"name": "m"}]}' : people),
  );
  await assert.rejects(engine.list(), { name: "EngineUnavailable" });
});

test("no redirect of the media engine's address is followed", async (t) => {
  let followed = 0;
  const engine = await answering(t, ({ url = "" }, response) => {
    if (url === "/login") followed += 1;
    else response.writeHead(307, { location: "/login" });
    response.end('{"rooms": []}');
  });
  assert.match((await engine.health()).found, /answered 307/);
  assert.equal(followed, 0);
});

test("an endless answer of the media engine is not kept", async (t) => {
  const piece = Buffer.alloc(1024 * 1024, "[");
  const most = 128;
  let sent = 0;
  const left = Promise.withResolvers<void>();
  const engine = await answering(t, (_, response) => {
    response.once("close", left.resolve);
    const send = (): void => {
      while (sent < most) {
        sent += 1;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on("drain", send);
    send();
  });
  assert.equal((await engine.health()).ok, false);
  await left.promise;
  assert.ok(sent < most, "the whole answer was read");
});
