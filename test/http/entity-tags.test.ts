// Runs: postgres-first

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createClient, ParleyError } from "../../contract/client.ts";
import type { timeAfter } from "../../server/change/organization.ts";
import { editRoom } from "../../server/rooms/rooms.ts";
import { enterInvited, leave } from "../meetings/invited.ts";
import { testTwin } from "../twins/test-twin.ts";
import { around, type Twin } from "../twins/twin.ts";
import { type Answer, outcomeOf, send } from "../world/ask.ts";
import { saidIn } from "../world/reasons.ts";
import { startWorld } from "../world/world.ts";
import { resolved } from "./served-document.ts";

const TAG = /^"[A-Za-z0-9_-]{22}"$/;
const tagOf = ({ headers }: Answer): string => headers.get("etag") ?? "";
const changed = "It was changed after you loaded it. Load it again, and repeat the edit.";

/** Checks the version before its change, outside the transaction. */
const looksBefore: Twin = {
  name: "compares versions before the change",
  replaced: [
    around("editRoom", (real) => async (service, call, auth) => {
      const { checkMatch } = await import("../../server/lib/entity-tag.ts");
      const seen = await service.database.read
        .selectFrom("rooms")
        .select("record")
        .where("organization_id", "=", auth?.organizationId ?? "")
        .where("room", "=", (call.input as { readonly room: string }).room)
        .executeTakeFirst();
      checkMatch(call.ifMatch, seen?.record ?? "");
      return real(service, { ...call, ifMatch: undefined }, auth);
    }),
  ],
};

/** Makes two edits in one millisecond have the same time. */
const standsStill: Twin = {
  name: "keeps the time of an edit within one millisecond",
  replaced: [
    {
      file: "change/organization.ts",
      export: "timeAfter",
      by:
        (): typeof timeAfter =>
        ({ now }, last) =>
          now > last ? now : last,
    },
  ],
};

const roomWorld = async (t: TestContext, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const [roomOwnerId, room] = [tenant.admin.id, "r"];
  const created = await tenant.ask("createRoom", { name: "R", roomOwnerId, room });
  const edit = (more: object, ifMatch?: string) =>
    tenant.ask(
      "editRoom",
      { room, roomOwnerId, ...more },
      ifMatch === undefined ? {} : { "if-match": ifMatch },
    );
  return { world, tenant, created, edit, fetch: () => tenant.ask("fetchRoom", { id: room }) };
};

test("a created, fetched or edited room carries the tag of its version, the same from every process", async (t) => {
  const { world, tenant, created, edit, fetch } = await roomWorld(t);
  const first = tagOf(created);
  assert.match(first, TAG);
  assert.equal(tagOf(await fetch()), first);
  const edited = tagOf(await edit({ name: "Other" }));
  assert.match(edited, TAG);
  assert.notEqual(edited, first);
  assert.equal(tagOf(await fetch()), edited);
  const { headers } = await fetchAt(await world.second(), tenant.token);
  assert.equal(headers.get("etag"), edited);
});

const fetchAt = (url: string, token: string) =>
  fetch(`${url}/api/roomSetting/r`, { headers: { authorization: `Bearer ${token}` } });

test("an edit of the loaded version succeeds; an edit of an older one is refused and changes nothing", async (t) => {
  const { created, edit, fetch } = await roomWorld(t);
  const first = tagOf(created);
  const second = await edit({ name: "Second" }, first);
  assert.equal(second.status, 200);
  const before = await fetch();
  for (const old of [first, `W/${first}`, '"x"', `${first}, "x"`, 'W/""']) {
    const { status, body } = await edit({ name: "Third" }, old);
    assert.deepEqual(
      [status, body],
      [
        412,
        {
          type: "put roomSetting by Id",
          success: false,
          message: changed,
          code: "precondition_failed",
        },
      ],
      old,
    );
  }
  assert.equal((await fetch()).text, before.text);
  for (const form of ["*", "TAG", '"x",TAG , W/"y"', "TAG,,"]) {
    const right = form.replace("TAG", tagOf(await fetch()));
    const { status, headers } = await edit({}, right);
    assert.deepEqual([status, headers.get("etag")], [200, tagOf(await fetch())], right);
  }
  assert.equal((await edit({ name: "Last" })).status, 200);
});

test("a tag that a proxy has weakened or suffixed still matches the record", async (t) => {
  const { edit, fetch } = await roomWorld(t);
  const change = (tag: string, form: string) => edit({}, form.replace("TAG", tag.slice(1, -1)));
  for (const form of ['W/"TAG"', '"TAG-gzip"', '"TAG-zstd"', 'W/"TAG-br"']) {
    assert.equal((await change(tagOf(await fetch()), form)).status, 200, form);
  }
  const { headers } = await fetch();
  assert.match(headers.get("cache-control") ?? "", /no-transform/);
});

test("an If-Match with very many commas and blanks is read quickly", async (t) => {
  const { edit } = await roomWorld(t);
  for (const many of [" ,", ", ", " , \t"]) {
    assert.equal((await edit({}, `"a"${many.repeat(3_000)} x`)).status, 400);
    assert.equal((await edit({}, `"a"${many.repeat(3_000)}`)).status, 412);
  }
});

test("a malformed If-Match is refused by name, and an unknown room stays unknown", async (t) => {
  const { created, edit, tenant } = await roomWorld(t);
  const message = 'If-Match must be * or entity tags such as "abc"';
  for (const wrong of ["abc", "", '"a" "b"', '"a', "*, *", tagOf(created).slice(1, -1)]) {
    const { status, body } = await edit({}, wrong);
    assert.deepEqual([status, body.message], [400, message], wrong);
    assert.deepEqual(saidIn(body.errors), [{ field: "If-Match", message }]);
  }
  const nowhere = { room: "nowhere", roomOwnerId: tenant.admin.id };
  assert.equal((await tenant.ask("editRoom", nowhere, { "if-match": '"x"' })).status, 404);
});

/** After the clock was set back, edits something that no fetch shows: only the time differs. */
const versions = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { tenant, edit, fetch } = await roomWorld(t, twin);
  const asked = { room: "r", owners: [tenant.admin.id], changes: {}, ifMatch: undefined };
  await tenant.change((change) => editRoom({ ...change, now: "2099-01-01T00:00:00.000Z" }, asked));
  const tags = [tagOf(await fetch())];
  for (const ipCam1 of ["one", "two", "one"]) tags.push(tagOf(await edit({ ipCam1 })));
  assert.equal(new Set(tags).size, tags.length);
};

test("every edit of a room makes a new version, even if the clock goes back", (t) => versions(t));

testTwin(
  "a twin whose clock stands still, so that versions share a time, is detected",
  async (t) => {
    await assert.rejects(versions(t, standsStill), assert.AssertionError);
  },
);

test("entering or leaving a room makes a new version and keeps updatedAt", async (t) => {
  const { world, tenant, created, fetch } = await roomWorld(t);
  const somebody = await enterInvited(t, world.url, tenant, "r", "p");
  const busy = await fetch();
  assert.notEqual(tagOf(busy), tagOf(created));
  assert.equal(busy.body.roomSetting.updatedAt, created.body.roomSetting.updatedAt);
  await leave(tenant, somebody);
  assert.equal((await fetch()).body.roomSetting.roomStatus, "free");
});

/** Many edits of the same version at the same time: exactly one must succeed. */
const rivals = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { created, edit, fetch } = await roomWorld(t, twin);
  let version = tagOf(created);
  for (let round = 0; round < 5; round += 1) {
    const names = Array.from({ length: 12 }, (_, n) => `Round ${round}, ${n}`);
    const answers = await Promise.all(names.map((name) => edit({ name }, version)));
    const outcomes = answers.map(outcomeOf);
    assert.equal(outcomes.filter((outcome) => outcome === "ok").length, 1, `${outcomes}`);
    assert.equal(outcomes.filter((outcome) => outcome === "precondition_failed").length, 11);
    const { body } = await fetch();
    assert.equal(body.roomSetting.name, names[outcomes.indexOf("ok")]);
    version = tagOf(await fetch());
  }
};

suite("edits of one version at once", () => {
  test("of many simultaneous edits of the same version, exactly one succeeds", (t) => rivals(t));

  testTwin(
    "a twin that checks before its change, and makes two edits of one version, is detected",
    async (t) => {
      await assert.rejects(rivals(t, looksBefore), assert.AssertionError);
    },
  );
});

test("a created, edited or singly found person carries the tag of its version", async (t) => {
  const world = await startWorld(t);
  const { ask, admin } = await world.tenant();
  const account = { email: "ann@example.org", name: "Ann", loginUrl: "https://example.org" };
  const created = await ask("createUser", account);
  const userId = created.body.user.id;
  const find = async (...more: string[]) =>
    tagOf(await ask("findUsers", { userIds: [userId, ...more] }));
  const first = tagOf(created);
  assert.match(first, TAG);
  assert.equal(await find(), first);
  assert.deepEqual([await find(admin.id), await find("unknown")], ["", ""]);
  const edited = await ask("editUser", { userId, name: "Bo" }, { "if-match": first });
  assert.equal(edited.status, 200);
  assert.equal(await find(), tagOf(edited));
  assert.notEqual(tagOf(edited), first);
  const refused = await ask("editUser", { userId, name: "Cy" }, { "if-match": first });
  assert.deepEqual(
    [refused.status, refused.body],
    [412, { success: false, message: changed, code: "precondition_failed" }],
  );
  await ask("suspendRestoreUser", { userId, action: "suspend" });
  assert.notEqual(await find(), tagOf(edited));
  const { body } = await ask("editUser", { userId }, { "if-match": "*" });
  assert.deepEqual([body.user.name, body.user.accountSuspended], ["Bo", true]);
});

test("the client returns the tag of what it loads, and sends it with an edit", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const parley = createClient({ baseUrl: world.url, token });
  const { roomSetting } = await parley.createRoom({ name: "R", roomOwnerId: admin.id });
  const { room, roomOwnerId } = roomSetting;
  let ifMatch = "";
  const onETag = (etag: string) => {
    ifMatch = etag;
  };
  await parley.fetchRoom({ id: room }, { onETag });
  const loaded = ifMatch;
  await parley.editRoom({ room, roomOwnerId, name: "S" }, { ifMatch, onETag });
  assert.notEqual(ifMatch, loaded);
  await assert.rejects(parley.editRoom({ room, roomOwnerId }, { ifMatch: loaded }), (error) => {
    assert.ok(error instanceof ParleyError);
    assert.deepEqual([error.status, error.code], [412, "precondition_failed"]);
    return true;
  });
});

test("pages of allowed origins may send If-Match and read ETag", async (t) => {
  const origin = "https://portal.example.org";
  const world = await startWorld(t, { environment: { CORS_ORIGINS: origin } });
  const answer = await fetch(`${world.url}/api/roomSetting`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT" },
  });
  assert.match(answer.headers.get("access-control-allow-headers") ?? "", /\bIf-Match\b/);
  assert.match(answer.headers.get("access-control-expose-headers") ?? "", /\bETag\b/);
});

test("the OpenAPI document names ETag and If-Match where they are understood", async (t) => {
  const world = await startWorld(t);
  const document = (await send(world.url, { method: "GET", path: "/openapi.json" })).body;
  const paths = resolved(document, document.paths) as typeof document.paths;
  for (const path of ["/api/roomSetting", "/api/user/orgUser"]) {
    const { put } = paths[path];
    assert.equal(put.parameters[0].name, "If-Match");
    assert.ok(put.responses[200].headers.ETag);
    assert.match(put.responses[412].description, /precondition_failed/);
  }
  assert.ok(paths["/api/roomSetting/{id}"].get.responses[200].headers.ETag);
  const names = paths["/api/roomSetting/{id}"].delete.parameters.map(
    ({ name }: { readonly name: string }) => name,
  );
  assert.deepEqual(names, ["id", "Idempotency-Key"]);
});
