// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operation } from "../../contract/kit/operation.ts";
import { limits } from "../../server/http/limits.ts";
import { all } from "../isolation/rows.ts";
import { checkAnswer, requestFor, resend, send } from "../world/ask.ts";
import { jsonTexts } from "../world/corpora.ts";
import { count, rollDice, soaking } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";

/** Operations that take a body. */
const withBody = all.filter(([, operation]) => operation.in === "body");

/** Routes that accept a body because of their method, but take no input from it. */
const withoutInput = all.filter(
  ([, { method, in: where }]) => where !== "body" && (method === "POST" || method === "PUT"),
);

/** A body that an operation accepts or refuses because of its known fields, whatever else is in it. */
const post = (url: string, operation: Operation, token: string, body: Buffer | string) => {
  const { method, path } = requestFor(operation, { id: "none" });
  return resend(() => send(url, { method, path, body }, { authorization: `Bearer ${token}` }));
};

test("P-INP-1: every text of the JSON suite is answered in JSON on every route, and no invalid one is accepted", async (t) => {
  const world = await startWorld(t);
  const dice = rollDice(t);
  const { admin, tokenOf } = await world.tenant();
  const token = await tokenOf(admin.id);
  const suite = jsonTexts();
  let asked = 0;
  for (const [id, operation] of withBody) {
    // Sign-in is throttled on purpose, which would slow these tests down.
    if (id === "signIn" || id === "getAuthToken") continue;
    const whole = soaking || id === "createRoom" || id === "editUser" || id === "revokeUsers";
    const texts = whole ? suite : dice.shuffled(suite).slice(0, count(40, 40, 12));
    await Promise.all(
      texts.map(async ({ name, bytes }) => {
        const answer = await post(world.url, operation, token, bytes);
        asked += 1;
        const about = `${id}, ${name}: ${answer.status} ${answer.text}`;
        checkAnswer(operation, answer);
        assert.ok(answer.status < 500, about);
        // An empty body is no body: it lacks required fields, and is not malformed JSON.
        if (name.startsWith("n_") && bytes.length > 0) {
          // Where no token is needed, long bodies are not even read.
          const isOpen = operation.access.startsWith("anyone") && answer.status === 413;
          const isLong = bytes.length > limits.bodiesOfStrangers.body;
          const refused = isOpen && isLong ? [413, "body_too_large"] : [400, "invalid_json"];
          assert.deepEqual([answer.status, answer.body.code], refused, about);
        }
        if (name.startsWith("y_")) assert.notEqual(answer.body.code, "invalid_json", about);
      }),
    );
  }
  t.diagnostic(`${suite.length} texts on ${withBody.length - 2} operations, ${asked} requests`);
});

test("routes that take no body answer the same with one, as long as it is JSON", async (t) => {
  const world = await startWorld(t);
  const { token: ofKey, admin, tokenOf } = await world.tenant();
  assert.ok(withoutInput.length > 0);
  for (const [id, operation] of withoutInput) {
    // Either ends the session with which it is asked.
    if (id === "renewSession" || id === "signOutOfProvider") continue;
    const token = operation.access === "person" ? await tokenOf(admin.id) : ofKey;
    const { status } = await post(world.url, operation, token, "");
    for (const body of ["{}", "[]", "null", '{"a":1}']) {
      assert.equal((await post(world.url, operation, token, body)).status, status, `${id} ${body}`);
    }
    const wrong = await post(world.url, operation, token, "{");
    assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_json"], id);
  }
});

test("P-INP-3: of a duplicate key the last value counts, whatever the key", async (t) => {
  const world = await startWorld(t);
  const tenant = await world.tenant();
  const { id } = await tenant.addPerson("ann@example.org");
  const send = async (method: string, path: string, body: string) => {
    const answer = await fetch(world.url + path, {
      method,
      body,
      headers: { "content-type": "application/json", authorization: `Bearer ${tenant.token}` },
    });
    return (await answer.json()) as {
      readonly user: Record<string, unknown>;
      readonly roomSetting: { readonly name: string };
    };
  };
  const twice = `{"userId":"nobody","name":"First","userId":"${id}","name":"Last","\\u006eame":"Escaped"}`;
  const { user } = await send("PUT", "/api/user/orgUser", twice);
  assert.deepEqual([user.id, user.name], [id, "Escaped"]);
  const state = `{"userId":"${id}","action":"restore","action":"suspend"}`;
  const suspended = await send("POST", "/api/user/suspendRestoreUser", state);
  assert.equal(suspended.user.accountSuspended, true);
  const owner = tenant.admin.id;
  const room = `{"name":"First","roomOwnerId":"nobody","name":"Last","roomOwnerId":"${owner}"}`;
  assert.equal((await send("POST", "/api/roomSetting", room)).roomSetting.name, "Last");
});
