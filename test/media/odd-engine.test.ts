// Runs: sqlite

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openCluster } from "../../server/media/cluster.ts";
import { endlessAnswer, type HttpAnswer, startAnswering } from "../world/answering.ts";

/** The media engine at an address where the test answers. */
const answering = async (t: TestContext, answer: HttpAnswer) => {
  const url = await startAnswering(t, answer);
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
  const endless = endlessAnswer(128);
  const engine = await answering(t, endless.answer);
  assert.equal((await engine.health()).ok, false);
  await endless.assertAbandoned();
});
