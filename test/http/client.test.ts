// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createClient,
  ParleyError,
  pagesOf,
  tokensByAccessKey,
  tokensByCookie,
} from "../../contract/client.ts";
import { operations } from "../../contract/index.ts";
import { startWorld } from "../world/world.ts";

const failureOf = async (call: Promise<unknown>): Promise<ParleyError> => {
  const error = await call.then(
    () => assert.fail("it was answered with a success"),
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof ParleyError, `${error}`);
  return error;
};

test("the client has a method for every operation and gives its answers", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const parley = createClient({ baseUrl: `${world.url}/`, token });
  assert.deepEqual(Object.keys(parley), Object.keys(operations));
  const { roomSetting } = await parley.createRoom({ name: "Board", roomOwnerId: admin.id });
  assert.equal((await parley.fetchRoom({ id: roomSetting.room })).roomSetting.name, "Board");
  assert.equal((await parley.listRooms({ search: "BOA", page: 1 })).pagination.total, 1);
  assert.equal((await parley.whoAmI()).accessKey !== null, true);
  assert.equal((await parley.deleteRoom({ id: roomSetting.room })).success, true);
});

test("the client's error has everything that the failure says", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const parley = createClient({ baseUrl: world.url, token: async () => token });
  const wrong = await failureOf(parley.createUser({} as never));
  assert.deepEqual(
    [wrong.name, wrong.status, wrong.code, wrong.message],
    [
      "ParleyError",
      400,
      "email_and_name_required",
      "Email and name are required to create a new user.",
    ],
  );
  assert.deepEqual(
    wrong.errors.map(({ field }) => field),
    ["email", "name", "loginUrl"],
  );
  assert.match(wrong.requestId ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(wrong.retryAfter, undefined);
  // Where a failure uses `error`, and where it is inside `authToken`.
  const list = await failureOf(parley.listRooms({ page: 0 }));
  assert.equal(list.message, "Invalid pagination parameters");
  const key = { accessKey: "a", secretAccessKey: "b" };
  const exchange = await failureOf(createClient({ baseUrl: world.url }).getAuthToken(key));
  assert.deepEqual(
    [exchange.status, exchange.code, exchange.message],
    [401, "wrong_access_key", "Invalid access key or secret access key"],
  );
  const nobody = await failureOf(createClient({ baseUrl: world.url }).whoAmI());
  assert.deepEqual([nobody.status, nobody.code, nobody.errors], [401, "unauthorized", []]);
});

test("the client reports the fields that the service did not know", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const reported: [readonly string[], string][] = [];
  const parley = createClient({
    baseUrl: world.url,
    token,
    onIgnored: (fields, operation) => reported.push([fields, operation]),
  });
  const misspelled = { noOfViewer: 3, "größe, und\r\nmehr": 1, __proto__: null };
  await parley.createRoom({ name: "R", roomOwnerId: admin.id, ...misspelled } as never);
  await parley.createRoom({ name: "R", roomOwnerId: admin.id });
  assert.deepEqual(reported, [[["noOfViewer", "größe, und\r\nmehr"], "createRoom"]]);
});

test("the client uses a given fetch, and fails as fetch does when the service cannot be reached", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const asked: string[] = [];
  const given: typeof fetch = (input, init) => {
    asked.push(`${init?.method} ${input}`);
    return fetch(input, init);
  };
  const parley = createClient({ baseUrl: world.url, token, fetch: given });
  await parley.fetchRoom({ id: "a/b?c#d" }).catch(() => {});
  await parley.listRooms({ search: "ä&b=c", limit: 10 });
  assert.deepEqual(asked, [
    `GET ${world.url}/api/roomSetting/a%2Fb%3Fc%23d`,
    `GET ${world.url}/api/roomSetting/paginated?search=%C3%A4%26b%3Dc&limit=10`,
  ]);
  const away = createClient({ baseUrl: "http://127.0.0.1:9", token });
  await assert.rejects(away.whoAmI(), TypeError);
  await assert.rejects(parley.whoAmI({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const abort = new AbortController();
  const whileItArrives = createClient({
    fetch: async () => {
      const start = (body: ReadableStreamDefaultController) =>
        queueMicrotask(() => {
          abort.abort();
          body.error(abort.signal.reason);
        });
      return new Response(new ReadableStream({ start }));
    },
  });
  const aborted = whileItArrives.whoAmI({}, { signal: abort.signal });
  await assert.rejects(aborted, { name: "AbortError" });
});

test("a call whose connection was lost is sent again, and its change is made once", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const keys: (string | null)[] = [];
  let losses = 0;
  const losing: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get("idempotency-key"));
    const answer = await fetch(input, init);
    if (losses === 0) return answer;
    losses -= 1;
    await answer.body?.cancel();
    throw new TypeError("terminated");
  };
  const parley = createClient({ baseUrl: world.url, token, fetch: losing });
  losses = 2;
  const room = { name: "Once", roomOwnerId: admin.id };
  const { roomSetting } = await parley.createRoom(room);
  assert.equal(new Set(keys).size, 1);
  assert.match(`${keys[0]}`, /^[0-9a-f]{32}$/);
  losses = 1;
  const { roomSettings } = await parley.listRooms({ search: "Once" });
  assert.deepEqual(
    roomSettings.map((one) => one.room),
    [roomSetting.room],
  );
  // No request that cannot be repeated is sent again, and none too often.
  losses = 1;
  await assert.rejects(parley.signIn({ login: "a", password: "b" }), TypeError);
  assert.equal(losses, 0);
  losses = 3;
  await assert.rejects(parley.createRoom(room), TypeError);
  assert.equal(losses, 0);
  const never = createClient({ baseUrl: world.url, token, fetch: losing, retries: 0 });
  losses = 1;
  await assert.rejects(never.createRoom(room), TypeError);
  assert.equal(keys.at(-1), null);
});

test("a proxy's failure has a text, also over HTTP/2, and a wait only if the proxy names one", async () => {
  const proxied = (status: number, statusText: string, wait?: string) => {
    const headers = new Headers(wait === undefined ? {} : { "retry-after": wait });
    const fetch = async () => new Response("<h1>Bad Gateway</h1>", { status, statusText, headers });
    return failureOf(createClient({ fetch }).whoAmI());
  };
  const named = await proxied(502, "Bad Gateway");
  assert.deepEqual([named.status, named.code, named.message], [502, "internal", "Bad Gateway"]);
  const unnamed = await proxied(502, "");
  assert.deepEqual([unnamed.message, unnamed.retryAfter], ["The service answered 502.", undefined]);
  const date = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  const inAMinute = (await proxied(503, "", date(60))).retryAfter ?? 0;
  assert.ok(inAMinute > 0 && inAMinute <= 60, `${inAMinute}`);
  const waits = ["30", date(-60), "soon", ""].map(
    async (wait) => (await proxied(503, "", wait)).retryAfter,
  );
  assert.deepEqual(await Promise.all(waits), [30, 0, undefined, undefined]);
});

/** A fetch that records the requested paths, and keeps a cookie as a browser does. */
const browser = () => {
  const asked: string[] = [];
  let cookie = "";
  const browse: typeof fetch = async (input, init) => {
    asked.push(new URL(String(input)).pathname);
    const headers = new Headers(init?.headers);
    if (cookie !== "") headers.set("cookie", cookie);
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return response;
  };
  return { asked, browse };
};

test("the client exchanges an access key once for simultaneous calls, and again when the token has ended", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const { accessKey: key } = await createClient({ baseUrl: world.url, token }).createAccessKey();
  const { asked, browse } = browser();
  const service = { baseUrl: world.url, fetch: browse };
  const parley = createClient({ ...service, token: tokensByAccessKey({ ...service, ...key }) });
  const exchanges = () => asked.filter((path) => path.endsWith("/getAuthToken")).length;
  await Promise.all([parley.whoAmI(), parley.listRooms(), parley.fetchUsers()]);
  assert.equal(exchanges(), 1);
  await parley.signOut();
  const answers = await Promise.all([parley.whoAmI(), parley.listRooms(), parley.whoAmI()]);
  assert.equal(answers[0].accessKey, key.accessKey);
  assert.equal(exchanges(), 2);
  // A removed key is reported as such, and exchanged once per call.
  await parley.removeAccessKey({ id: key.accessKey });
  const gone = await failureOf(parley.whoAmI());
  assert.deepEqual([gone.code, exchanges()], ["wrong_access_key", 3]);
});

test("the client renews a session by its cookie", async (t) => {
  const world = await startWorld(t);
  const { token } = await world.tenant();
  const { user, password } = await createClient({ baseUrl: world.url, token }).createUser({
    email: `${crypto.randomUUID()}@example.org`,
    name: "Ann",
    loginUrl: "https://example.org/",
  });
  const { asked, browse } = browser();
  const service = { baseUrl: world.url, fetch: browse };
  await createClient(service).signIn({ login: user.username, password });
  const parley = createClient({ ...service, token: tokensByCookie(service) });
  assert.equal((await parley.whoAmI()).user?.id, user.id);
  assert.equal((await parley.listRooms()).pagination.total, 0);
  assert.equal(asked.filter((path) => path === "/api/session/renew").length, 1);
  // A wrong password is not an expired token: the client does not retry.
  const wrong = await failureOf(parley.signIn({ login: user.username, password: "wrong" }));
  assert.equal(wrong.code, "wrong_login");
  assert.equal(asked.filter((path) => path === "/api/session/renew").length, 1);
  assert.equal(asked.at(-1), "/api/session");
});

test("the client walks the pages of every list, and fetches each page on demand", async (t) => {
  const world = await startWorld(t);
  const { token, admin } = await world.tenant();
  const { asked, browse } = browser();
  const parley = createClient({ baseUrl: world.url, token, fetch: browse });
  for (const name of ["C", "A", "E", "B", "D"]) {
    await parley.createRoom({ name, roomOwnerId: admin.id });
  }
  const pages: string[] = [];
  for await (const { roomSettings } of pagesOf(parley.listRooms, { limit: 2 })) {
    pages.push(roomSettings.map(({ name }) => name).join(""));
  }
  assert.deepEqual(pages, ["AB", "CD", "E"]);
  for await (const { users } of pagesOf(parley.listUsers, { role: "nobody" })) {
    assert.deepEqual(users, []);
  }
  asked.length = 0;
  for await (const { pagination } of pagesOf(parley.listRooms, { limit: 1 })) {
    assert.equal(pagination.total, 5);
    break;
  }
  assert.equal(asked.length, 1);
});
