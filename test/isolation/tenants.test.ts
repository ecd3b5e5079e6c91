import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { addRecordingRow } from "../recordings/rows.ts";
import { findsEverybody } from "../twins/open-doors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Answer } from "../world/ask.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";
import {
  all,
  namingFields,
  type Own,
  type Position,
  positions,
  standsIn,
  withoutIds,
} from "./rows.ts";

/** An answer, byte for byte: status, headers and body. */
const bytesOf = ({ status, headers, text }: Answer): string => {
  const kept = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id");
  return `${status}\n${JSON.stringify(kept)}\n${text}`;
};

/** An organization with one of everything. */
const furnish = async (tenant: Tenant, tag: string) => {
  const { ask, addPerson, change } = tenant;
  const [user, other] = [await addPerson(`user@${tag}.org`), await addPerson(`other@${tag}.org`)];
  const revoked = await addPerson(`revoked@${tag}.org`);
  await ask("revokeUsers", [{ userId: revoked.id }]);
  const { body } = await ask("createRoom", { name: `Room of ${tag}`, roomOwnerId: user.id });
  const binned = `room-of-${tag}`;
  await ask("createRoom", { name: `Deleted of ${tag}`, room: binned, roomOwnerId: user.id });
  await ask("editOrganization", { binDays: 1 });
  assert.equal((await ask("binRooms", { rooms: [binned] })).status, 200);
  const [entry] = (await ask("listBin", {})).body.entries;
  const reset = await ask("resetPassword", { userId: other.id });
  assert.equal(reset.status, 200);
  const [letter] = (await ask("listLetters", {})).body.letters;
  const file = { kind: "users", format: "csv", text: "email\nx" };
  const made = await ask("createImport", file);
  const roomId = body.roomSetting.room;
  const joined = await ask("joinRoom", { roomId, peerName: `Somebody of ${tag}` });
  assert.equal(joined.status, 200, joined.text);
  await change(({ tx, organization, now }) =>
    // As if a person had entered: before that, there is no meeting.
    tx
      .updateTable("meetings")
      .set({ started_at: now })
      .where("organization_id", "=", organization.id)
      .execute(),
  );
  const webhook = { url: "http://127.0.0.1:9/", events: ["roomEdited"] };
  const { id: webhookId } = (await ask("createWebhook", webhook)).body.webhook;
  const signInBy = { name: "Own", issuer: "http://127.0.0.1:9/" };
  const { id: providerId } = (await ask("createProvider", signInBy)).body.provider;
  const { deliveryId } = (await ask("testWebhook", { id: webhookId })).body;
  const { meeting } = (await ask("getMeeting", { roomId })).body;
  const recording = await change((begun) => addRecordingRow(begun, roomId));
  const link = await ask("createRecordingLink", { recordingId: recording });
  assert.equal(link.status, 201, link.text);
  const { code } = (await ask("getRoomLink", { roomId })).body;
  return {
    own: { user: user.id, other: other.id, revoked: revoked.id, room: body.roomSetting.room },
    ids: {
      user: user.id,
      room: body.roomSetting.room as string,
      email: user.email,
      binned: entry.id as string,
      accessKey: tenant.accessKey.accessKey,
      import: made.body.import.id as string,
      letter: letter.id as string,
      peer: joined.body.peer.peerId as string,
      meeting: meeting.meetingId as string,
      recording,
      link: link.body.link.linkId as string,
      webhook: webhookId as string,
      provider: providerId as string,
      delivery: deliveryId as string,
    },
    revokedIds: { user: revoked.id, email: revoked.email },
    code: code as string,
  };
};

/** IDs with the same form as real ones that belong to nobody. */
const unknown = {
  user: uuid7(),
  room: "0123456789",
  email: "nobody@b.org",
  binned: uuid7(),
  accessKey: "",
  import: uuid7(),
  letter: uuid7(),
  peer: uuid7(),
  meeting: uuid7(),
  recording: uuid7(),
  link: uuid7(),
  webhook: uuid7(),
  provider: uuid7(),
  delivery: uuid7(),
};

/** Operations that anybody may call with the code of a room's link. */
const opensByCode: readonly Position["operation"][] = [
  "fetchInvitation",
  "fetchNextDate",
  "joinRoom",
  "watchStream",
];

/** Lets webhooks have an address on which no server listens. */
const environment = { ALLOWED_NETWORKS: "loopback" };

const askAll = async (t: TestContext, twin?: Twin): Promise<number> => {
  const world = await startWorld(t, { twin, environment });
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const here: { readonly own: Own } = await furnish(mine, "a");
  const there = await furnish(theirs, "b");
  const before = await everything(theirs);
  let asked = 0;
  const compare = async ({ operation, input, place }: Position, id: string, like: string) => {
    const foreign = await mine.ask(operation, input(id, here.own));
    const nobodys = await mine.ask(operation, input(like, here.own));
    asked += 2;
    // An answer may repeat the request; nothing else may differ.
    const said = bytesOf(foreign).replaceAll(id, like);
    assert.equal(said, bytesOf(nobodys), `${operation}: ${place}`);
  };
  for (const one of positions) {
    const real = there.ids[one.of];
    // Of the same length, so that the length makes no difference.
    const like =
      one.of === "accessKey" ? real.replace(/\d$/, (d) => `${9 - Number(d)}`) : unknown[one.of];
    await compare(one, real, like);
    if (one.of === "user") await compare(one, there.revokedIds.user, unknown.user);
    if (one.of === "email") await compare(one, there.revokedIds.email, unknown.email);
    if (one.of === "room" && !opensByCode.includes(one.operation)) {
      await compare(one, there.code, "2222-2222-2222");
    }
  }
  assert.equal(await everything(theirs), before, "nothing of theirs changed");
  return asked;
};

/** Everything in an organization that an administrator can see. */
const everything = async ({ ask }: Tenant): Promise<string> => {
  const answers = [
    await ask("listRooms", { limit: 1000 }),
    await ask("listUsers", { role: "moderator,admin", limit: 100 }),
    await ask("listRevokedUsers", { role: "moderator,admin", limit: 100 }),
    await ask("listAccessKeys"),
    await ask("listRecordings", { limit: 1000 }),
    await ask("listBin", { limit: 1000 }),
  ];
  return answers.map(({ text }) => text).join("\n");
};

test("P-TEN-1: the table has a row for every ID and address that an operation takes", () => {
  for (const [id, operation] of all) {
    const rows = positions.filter((row) => row.operation === id);
    const naming = namingFields(operation);
    if (rows.length === 0) {
      assert.ok(withoutIds[id], `${id} takes ${naming.join(", ") || "nothing"} and has no row`);
      continue;
    }
    assert.ok(!withoutIds[id], `${id} is in both tables`);
    // Values that a caller newly chooses, not existing ones.
    const chosen = new Set(["createRoom room", "editUser email", "editProvider clientId"]);
    for (const field of naming.filter((name) => !chosen.has(`${id} ${name}`))) {
      assert.ok(
        rows.some((row) => standsIn(row, field)),
        `${id}: no row for ${field}`,
      );
    }
  }
});

test("P-TEN-1: another organization's data is answered byte for byte like data that does not exist", async (t) => {
  const asked = await askAll(t);
  t.diagnostic(`${positions.length} positions, ${asked} requests`);
});

testTwin("P-TEN-1: a twin that finds accounts of other organizations is detected", async (t) => {
  await assert.rejects(askAll(t, findsEverybody), { code: "ERR_ASSERTION" });
});

test("P-TEN-1: to an account without rights, other people's rooms do not exist", async (t) => {
  const world = await startWorld(t, { environment });
  const tenant = await world.tenant();
  const { own, ids } = await furnish(tenant, "a");
  const theirs = await furnish(await world.tenant(), "b");
  const token = { authorization: `Bearer ${await tenant.tokenOf(own.other)}` };
  const fetch = async (id: string) => bytesOf(await tenant.ask("fetchRoom", { id }, token));
  const nobodys = await fetch("no-such-room");
  for (const room of [ids.room, theirs.ids.room]) assert.equal(await fetch(room), nobodys);
  for (const userFilter of ["", own.user, theirs.ids.user, "nobody"]) {
    const { body } = await tenant.ask("listRooms", { userFilter }, token);
    assert.deepEqual([body.roomSettings, body.pagination.total], [[], 0]);
  }
});

test("P-TEN-4: the organization comes from the token, whatever else a request names", async (t) => {
  const world = await startWorld(t, { environment });
  const [mine, theirs] = [await world.tenant(), await world.tenant()];
  const here = await furnish(mine, "a");
  const there = await furnish(theirs, "b");
  const named = {
    orgId: theirs.id,
    organizationId: theirs.id,
    organization: theirs.id,
    siteId: theirs.id,
    siteSetting: theirs.id,
    tenant: theirs.id,
    organization_id: theirs.id,
  };
  const headers = {
    "x-org": theirs.id,
    "x-organization-id": theirs.id,
    "x-tenant-id": theirs.id,
    "x-forwarded-user": there.ids.user,
    "x-original-url": "/healthz",
  };
  const before = await everything(theirs);
  for (const [id, input] of [
    ["createRoom", { name: "Mine", roomOwnerId: here.own.user }],
    ["editRoom", { room: here.own.room, roomOwnerId: here.own.user, name: "Mine" }],
    ["listRooms", {}],
    ["createUser", { email: "new@a.org", name: "Mine", loginUrl: "https://x.org" }],
    ["editUser", { userId: here.own.user, name: "Mine" }],
    ["fetchUsers", {}],
    ["listUsers", { role: "moderator" }],
    ["fetchRevokedUsers", {}],
    ["listRevokedUsers", { role: "moderator" }],
    ["suspendRestoreUser", { userId: here.own.user, action: "suspend" }],
    ["resetPassword", { userId: here.own.other }],
    ["reactivateUser", { userId: here.own.revoked }],
    ["findUsers", { userIds: [here.own.user] }],
    ["listLetters", {}],
  ] as const) {
    const { status, text } = await mine.ask(id, { ...input, ...named }, headers);
    assert.ok(status < 300, `${id}: ${text}`);
    assert.ok(!text.includes(theirs.id) && !text.includes(there.ids.user), `${id}: ${text}`);
  }
  const who = await mine.ask("getOrganization", {}, headers);
  assert.equal(who.body.organization.id, mine.id);
  assert.equal(await everything(theirs), before);
});
