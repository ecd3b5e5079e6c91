import assert from "node:assert/strict";
import { test } from "node:test";
import { initialOrganizationSettings } from "../../contract/kit/organization-settings.ts";
import { enterInvited } from "../meetings/invited.ts";
import { addRecorder } from "../recordings/rows.ts";
import { create, revoke, suspend } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const { url, database, first, open, organization } = await startWorld(test);
const request = "GET /api/organization";

test("the overview of an empty organization has no limits", async () => {
  const { id, ask } = await organization("Empty");
  const { status, headers, body } = await ask(request);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(body, {
    success: true,
    organization: {
      id,
      name: "Empty",
      plan: null,
      limits: { rooms: null, users: null },
      used: { rooms: 0, users: 0 },
      rooms: { free: 0, busy: 0, occupied: 0 },
      meetings: { running: 0, inside: 0 },
      letters: { waiting: 0, refused: 0 },
      mail: "folder",
      recorder: "missing",
      media: "direct",
      recordings: { count: 0, bytes: 0, waiting: 0, erasing: 0 },
      roles: [],
      settings: initialOrganizationSettings,
    },
  });
});

test("the overview says whether emails leave through a mail server, whether meetings can be recorded, and what carries them", async (t) => {
  const environment = {
    SMTP_URL: "smtp://127.0.0.1:9",
    RECORDERS: "0",
    LIVEKIT_URL: "ws://127.0.0.1:9",
    LIVEKIT_API_KEY: "key",
    LIVEKIT_API_SECRET: "0123456789abcdef0123456789abcdef",
  };
  const sending = await startWorld(t, { environment });
  const { ask } = await sending.organization();
  const seen = async () => (await ask(request)).body.organization;
  const { mail, recorder, media } = await seen();
  assert.deepEqual([mail, recorder, media], ["smtp", "off", "livekit"]);
  await addRecorder(sending.database);
  assert.equal((await seen()).recorder, "ready", "another machine can");
});

test("the overview has the plan, its use, and the roles in use, including those of revoked people", async () => {
  const plan = { plan: "Team", rooms: 5, users: 7 };
  const { ask } = await organization("  Plan  ", plan);
  const [owner, suspended, revoked] = [
    await create(ask, { role: "host" }),
    await create(ask, { role: "guest" }),
    await create(ask, { role: "former" }),
  ];
  await suspend(ask, suspended.id);
  await revoke(ask, revoked.id);
  for (const room of ["a", "b", "gone"]) {
    await ask("POST /api/roomSetting", { name: room, room, roomOwnerId: owner.id });
  }
  await ask("DELETE /api/roomSetting/gone");
  const { name, plan: label, limits, used, rooms, roles } = (await ask(request)).body.organization;
  assert.deepEqual([name, label], ["Plan", "Team"]);
  assert.deepEqual(limits, { rooms: 5, users: 7 });
  assert.deepEqual(used, { rooms: 2, users: 2 });
  assert.deepEqual(rooms, { free: 2, busy: 0, occupied: 0 });
  assert.deepEqual(roles, ["former", "guest", "host"]);
});

test("the first start makes an organization, its administrator and an access key", async () => {
  const exchanged = await open("POST /api/siteSetting/getAuthToken", first.accessKey);
  const { body } = await open(request, undefined, bearer(exchanged.body.authToken.token));
  const { id, name, used, roles } = body.organization;
  assert.deepEqual([id, name], [first.organization.id, "My organization"]);
  assert.deepEqual([used.users, roles], [1, ["admin"]]);
  const { email, password } = first.admin;
  const session = await open("POST /api/session", { login: email, password });
  assert.equal(session.body.user.admin, true);
});

test("waiting and refused letters are counted", async () => {
  const { id, ask } = await organization("Letters");
  for (let n = 0; n < 3; n += 1) await create(ask);
  // A letter under way would still be marked as sent.
  await until(
    "all are sent",
    async () => (await ask(request)).body.organization.letters.waiting === 0,
  );
  const states = ["waiting", "refused", "refused"] as const;
  const letters = await database.read
    .selectFrom("letters")
    .select("id")
    .where("organization_id", "=", id)
    .execute();
  for (const [at, state] of states.entries()) {
    const due_at = new Date(Date.now() + 3_600_000).toISOString();
    await database.change((tx) =>
      tx
        .updateTable("letters")
        .set({ state, due_at })
        .where("id", "=", letters[at]?.id ?? "")
        .execute(),
    );
  }
  const found = (await ask(request)).body.organization.letters;
  assert.deepEqual(found, { waiting: 1, refused: 2 });
});

test("rooms are counted by status (free, busy, occupied), and people by the meetings they are in", async () => {
  const busy = await organization("Busy");
  const { ask } = busy;
  const owner = await create(ask);
  for (const [room, people] of [
    ["free", 0],
    ["busy", 1],
    ["occupied", 2],
  ] as const) {
    const seats = { noOfModerators: 2, noOfParticipants: 0 };
    await ask("POST /api/roomSetting", { name: room, room, roomOwnerId: owner.id, ...seats });
    for (let n = 0; n < people; n += 1) {
      await enterInvited(test, url, busy, room, `${room}-${n}`, "moderator");
    }
  }
  const { rooms, meetings } = (await ask(request)).body.organization;
  assert.deepEqual(rooms, { free: 1, busy: 1, occupied: 1 });
  assert.deepEqual(meetings, { running: 2, inside: 3 });
});
