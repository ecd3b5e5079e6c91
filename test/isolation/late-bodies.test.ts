// Runs: waits

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { scopeFailures, scopeOf } from "../../contract/kit/scopes.ts";
import { endKey } from "../access/keys.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { looksOnce } from "../twins/callers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs, type OperationId, requestFor } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { openRaw } from "../world/raw.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";
import { inputs, type Own } from "./late-inputs.ts";

/** Operations whose body is read after the caller is known. */
const late = (Object.entries(operations) as [OperationId, Operation][]).filter(
  ([, { method, access }]) => method !== "GET" && access !== "anyone",
);

interface Sender {
  readonly token: string;
  readonly userId: string;
  readonly accessKey: string;
}

/** Events that end a sender's rights, and who the sender is. */
const ends: Readonly<
  Record<
    string,
    (tenant: Tenant, sender: Sender, world: World) => Promise<{ readonly status: number }>
  >
> = {
  suspended: ({ ask }, { userId }) => ask("suspendRestoreUser", { userId, action: "suspend" }),
  revoked: ({ ask }, { userId }) => ask("revokeUsers", [{ userId }]),
  "given a new password": ({ ask }, { userId }) => ask("resetPassword", { userId }),
  deleted: async ({ ask }, { userId }) => {
    await ask("revokeUsers", [{ userId }]);
    return ask("deleteUsers", [userId]);
  },
  "signed out": ({ ask }, { token }) => ask("signOut", {}, { authorization: `Bearer ${token}` }),
  demoted: ({ ask }, { userId }) => ask("editUser", { userId, admin: false }),
  "without its access key": ({ ask }, { accessKey }) => ask("removeAccessKey", { id: accessKey }),
  "left with an access key that reads": ({ ask }, { accessKey }) =>
    ask("editAccessKey", { accessKey, scope: "read" }),
  "left with an access key that has ended": async (_, { accessKey }, { database }) => {
    await endKey(database, accessKey);
    return { status: 200 };
  },
  "an owner who may no more": ({ ask }) => ask("editOrganization", { ownersMay: "nothing" }),
};

/** The refusal of an operation after one of these events; undefined if the sender is still allowed. */
const refusalOf = (name: string, operation: Operation): string | undefined => {
  const { access } = operation;
  const byKey = name.includes("access key");
  if (name.endsWith("that reads")) {
    const scope = scopeOf(operation);
    return access === "person" || scope === "read" ? undefined : `403 ${scopeFailures[scope]}`;
  }
  if (name.startsWith("an owner")) return operation.owners && "403 not_allowed";
  if (name === "demoted") return access === "administrator" ? "403 not_allowed" : undefined;
  return access === "person" && byKey ? undefined : "401 unauthorized";
};

/** A request whose head and first byte of the body have arrived; the service waits for the rest. */
const begin = async (
  world: World,
  { token }: Sender,
  operation: Operation,
  input: unknown,
): Promise<() => Promise<{ readonly status: number; readonly code: string }>> => {
  const mark = `${operation.id} ${Math.random()}`;
  const { promise: isAwaited, resolve } = Promise.withResolvers<void>();
  // The service listens for a body once it knows the caller: this cannot be observed from outside.
  const look = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.headers["x-mark"] !== mark) return;
    request.on("newListener", (event) => event === "data" && resolve());
  };
  subscribe("http.server.request.start", look);
  const { method, path, body = "{}" } = requestFor(operation, input);
  const raw = openRaw(world.url);
  raw.send(
    [
      `${method} ${path} HTTP/1.1`,
      "Host: parley",
      "Content-Type: application/json",
      `Authorization: Bearer ${token}`,
      `X-Mark: ${mark}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Connection: close\r\n\r\n${body.slice(0, 1)}`,
    ].join("\r\n"),
  );
  await Promise.race([isAwaited, raw.closed]);
  assert.equal(raw.said(), "", operation.id);
  unsubscribe("http.server.request.start", look);
  return async () => {
    raw.send(body.slice(1));
    await raw.closed;
    const [head = "", text = ""] = raw.said().split("\r\n\r\n");
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "ok";
    return { status: Number(head.split(" ")[1]), code };
  };
};

/** Everything that an organization has, and that nobody changes meanwhile. */
const everything = async ({ database: { read } }: World, id: string): Promise<string> => {
  const tables = [
    ...(["users", "rooms", "room_owners", "access_keys", "tokens"] as const),
    ...(["room_links", "bans", "imports", "recordings", "recording_links", "runs"] as const),
    ...(["providers", "provider_links", "directory_people"] as const),
  ];
  const rows: Promise<object[]>[] = tables.map((table) =>
    read.selectFrom(table).selectAll().where("organization_id", "=", id).execute(),
  );
  const letters = read.selectFrom("letters").select("id").where("organization_id", "=", id);
  // Changes that happen by themselves are excluded: nobody has come to take the seat.
  const seats = read.selectFrom("seats").select(["id", "role"]).where("organization_id", "=", id);
  const meetings = read.selectFrom("meetings").select("locked").where("organization_id", "=", id);
  const webhooks = read
    .selectFrom("webhooks")
    .select(["id", "state", "description", "secret", "last_number"])
    .where("organization_id", "=", id);
  const others = [letters, seats, meetings, webhooks].map((query) => query.execute());
  const all = await Promise.all([...rows, ...others]);
  return all
    .map((some) =>
      some
        .map((row) => JSON.stringify(row))
        .sort()
        .join("\n"),
    )
    .join("\n");
};

const ownOf = async (world: World, tenant: Tenant): Promise<Own> => {
  const { ask, addPerson } = tenant;
  const { id: user, email } = await addPerson(`own@${tenant.id}.example.org`);
  const { id: revoked } = await addPerson(`revoked@${tenant.id}.example.org`);
  await ask("revokeUsers", [{ userId: revoked }]);
  const seats = { noOfModerators: 2, noOfParticipants: 5, noOfViewers: 5 };
  const { body } = await ask("createRoom", { name: "Own", roomOwnerId: user, ...seats });
  const { room } = body.roomSetting;
  const recording = await tenant.change((change) => addRecordingRow(change, room));
  const { link } = (await ask("createRecordingLink", { recordingId: recording })).body;
  const joined = await askAs(world.url, await tenant.tokenOf(user))("joinRoom", { roomId: room });
  const { accessKey } = (await ask("createAccessKey")).body.accessKey;
  await ask("resetPassword", { userId: user });
  const { id: letter } = await world.database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ state: "refused" })
      .where("organization_id", "=", tenant.id)
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  const importId = (await ask("createImport", inputs.createImport?.({} as Own))).body.import.id;
  const wanted = { url: "http://127.0.0.1:9/", events: ["roomDeleted"] };
  const { id: webhook } = (await ask("createWebhook", wanted)).body.webhook;
  const signInBy = { name: "Own", issuer: "http://127.0.0.1:9/" };
  const { id: provider } = (await ask("createProvider", signInBy)).body.provider;
  const { deliveryId: delivery } = (await ask("testWebhook", { id: webhook })).body;
  await world.database.change((tx) =>
    tx.updateTable("deliveries").set({ state: "failed" }).where("id", "=", delivery).execute(),
  );
  const meeting = (await ask("getMeeting", { roomId: room })).body.meeting.meetingId;
  return {
    user,
    email,
    revoked,
    room,
    accessKey,
    letter,
    importId,
    peer: joined.body.peer.peerId,
    webhook,
    provider,
    delivery,
    meeting,
    recording,
    recordingLink: link.linkId,
  };
};

const senderOf = async (
  world: World,
  tenant: Tenant,
  name: string,
  { user }: Own,
): Promise<Sender> => {
  const byKey = name.includes("access key");
  if (name.startsWith("an owner")) {
    await tenant.ask("editOrganization", { ownersMay: "create" });
    return { token: await tenant.tokenOf(user), userId: user, accessKey: "" };
  }
  const { id: userId } = await tenant.addPerson(`sender@${tenant.id}.example.org`, { admin: true });
  const key = (await tenant.ask("createAccessKey")).body.accessKey;
  const { accessKey, secretAccessKey } = key;
  const exchanged = () =>
    askAs(world.url, undefined)("getAuthToken", { accessKey, secretAccessKey });
  const token = byKey ? (await exchanged()).body.authToken.token : await tenant.tokenOf(userId);
  return { token, userId, accessKey };
};

/** Ends a sender's rights while every operation waits for the rest of its body. */
const endMeanwhile = async (world: World, name: string) => {
  const tenant = await world.tenant();
  const own = await ownOf(world, tenant);
  const sender = await senderOf(world, tenant, name, own);
  const begun = [];
  for (const [id, operation] of late) {
    const refusal = refusalOf(name, operation);
    if (refusal === undefined) continue;
    const input = inputs[id] ?? assert.fail(`${id} has no row in this test`);
    begun.push({ id, refusal, finish: await begin(world, sender, operation, input(own)) });
  }
  assert.equal((await ends[name]?.(tenant, sender, world))?.status, 200);
  const gone = world.database.read
    .selectFrom("users")
    .select("id")
    .where("gone_at", "is not", null);
  // The remaining data of a deleted person is erased a moment later.
  await until("the former are erased", async () => (await gone.execute()).length === 0);
  const before = await everything(world, tenant.id);
  for (const { id, refusal, finish } of begun) {
    const { status, code } = await finish();
    assert.equal(`${status} ${code}`, refusal, `${id}, whose sender was ${name}`);
  }
  assert.equal(await everything(world, tenant.id), before, name);
};

const endEach = async (t: TestContext, check: typeof endMeanwhile, twin?: Twin) => {
  const world = await startWorld(t, { twin, environment: { ALLOWED_NETWORKS: "loopback" } });
  for (const name of Object.keys(ends)) await check(world, name);
};

test("P-TOK-9: a body that arrives after its sender's rights have ended changes nothing, for every operation", (t) =>
  endEach(t, endMeanwhile));

testTwin("P-TOK-9: a twin that checks its caller only once is detected for each late sender", (t) =>
  endEach(
    t,
    (world, name) => assert.rejects(endMeanwhile(world, name), { code: "ERR_ASSERTION" }),
    looksOnce,
  ),
);
