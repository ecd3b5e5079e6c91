import assert from "node:assert/strict";
import { test } from "node:test";
import type { Delivery } from "../../contract/webhooks/webhooks.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { carryOut, linesOf, upload } from "../imports/importing.ts";
import { letterIn } from "../letters/mailbox.ts";
import { enter } from "../meetings/inside.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { askAs } from "../world/ask.ts";
import { addHeldMeeting } from "../world/held.ts";
import { until } from "../world/process.ts";
import { tracesOf } from "../world/traces.ts";
import { startWorld } from "../world/world.ts";
import { create, revoke, signIn } from "./people.ts";

const world = await startWorld(test, {
  environment: { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "0.05" },
});

/** More than fits on a page of SQLite, so that rows move between pages, and more than one piece. */
const MANY = 60;

const events = ["userEdited", "userRevoked", "userDeleted", "roomCreated", "newPeer"];

/** Waits until certain words are in no table and no file. */
const nothingLeft = async (words: readonly string[]): Promise<void> => {
  let left: string[] = [];
  await until("nothing is left of the person", async () => {
    left = (await Promise.all(words.map((word) => tracesOf(world, word)))).flat();
    return left.length === 0;
  }).catch((error: unknown) => assert.fail(`${error}: ${left}`));
};

test("permanent deletion leaves nothing of a person in any table or file", async (t) => {
  const { ask, id, admin, change } = await world.tenant();
  const person = await create(ask, {
    email: "xanthippe@trace.example.org",
    name: "Xanthippe Quill",
    admin: true,
    location: "Xanthippe's place",
    tags: ["xanthippe"],
  });

  // A receiver that refuses nearly everything, with the body that it got, and answers one kind of event
  // only when the test lets it.
  const receiver = await startReceiver(t);
  const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.fate = async ({ event, body }) => {
    // Only the beginning of an answer is kept.
    const end = body.slice(-500);
    if (event.type === "userEdited") return { status: 200, body: end };
    if (event.type === "userRevoked") {
      asked.resolve();
      await told.promise;
    }
    return { status: 500, body: end };
  };
  const { webhook } = (await ask("createWebhook", { url: receiver.url, events })).body;

  const token = await signIn(world.open, person.username, person.password);
  const theirs = askAs(world.url, token);
  const key = { "idempotency-key": "xanthippe-once" };
  await theirs("editUser", { userId: person.id, name: "Xanthippe Quillon" }, key);
  const owned = { roomOwnerId: `${person.id},${admin.id}`, noOfParticipants: 5 };
  const rooms: string[] = [];
  for (let room = 0; room < MANY; room += 1) {
    const made = await theirs("createRoom", { name: `Room ${room}`, ...owned });
    rooms.push(made.body.roomSetting.room);
  }
  const [room = ""] = rooms;
  const inside = await enter(t, { url: world.url, ask: theirs }, room);
  const exclusion = { roomId: room, peerId: inside.peerId, ban: "always" };
  assert.equal((await ask("removePeer", exclusion)).status, 200);
  const kindsOut = async () => {
    const bans = world.database.read.selectFrom("bans").select("person");
    const rows = await bans.where("organization_id", "=", id).execute();
    return rows.map(({ person: who }) => who.split(":", 1)[0]).sort();
  };
  assert.deepEqual(await kindsOut(), ["guest", "user"]);
  const said = { organizationId: id, room };
  // Each in a separate change, because one change may take only a few seconds.
  for (let meeting = 0; meeting < MANY; meeting += 1) {
    const at = new Date(Date.now() - meeting * 60_000);
    const meetingId = `of-${person.id}-${meeting}`;
    const spoken = { meetingId, userId: person.id, text: "I am Xanthippe" };
    await change(({ tx }) =>
      addHeldMeeting(tx, { ...said, ...spoken, at, name: "Xanthippe Quillon" }),
    );
  }
  await change(async ({ tx }) => {
    const others = { meetingId: `of-${admin.id}`, userId: admin.id, text: "I am here" };
    await addHeldMeeting(tx, { ...said, ...others, at: new Date(), name: "Another" });
    // Counts as one person, who left and came back.
    const [seat] = await tx
      .selectFrom("seats")
      .selectAll()
      .where("id", "=", `of-${person.id}-0-seat`)
      .execute();
    assert.ok(seat);
    const again = { id: `${seat.id}-again`, ticket_digest: `${seat.id}-again` };
    // And waited in the lobby before that.
    const before = { id: `${seat.id}-before`, ticket_digest: `${seat.id}-before` };
    const waited = { ...seat, ...before, joined_at: null, peer_name: "Xanthippe waiting" };
    await tx
      .insertInto("seats")
      .values([{ ...seat, ...again }, waited])
      .execute();
    // More than one change erases.
    const [caption] = await tx
      .selectFrom("captions")
      .selectAll()
      .where("meeting_id", "=", `of-${person.id}-0`)
      .execute();
    assert.ok(caption);
    const more = Array.from({ length: 600 }, (_, n) => ({ ...caption, number: n + 2 }));
    await tx.insertInto("captions").values(more).execute();
  });
  await world.open("signIn", { login: person.email, password: "not-the-password-1" });
  await letterIn(ask, person.id, "sent");

  // One import is done, and others wait.
  const now = { email: "Xanthippe@Trace.example.org", name: "Xanthippe Quillon" };
  const other = { id: person.id, email: "quill@trace.example.org", name: "Xanthippe Otherwise" };
  const done = await upload(ask, {
    kind: "users",
    text: [
      { ...now, location: "Xanthippe's office" },
      { email: person.email, name: "Xanthippe again" },
      { email: "Nobody@trace.example.org", name: "" },
      other,
    ],
  });
  await carryOut(ask, done.id);
  const same = await upload(ask, { kind: "users", text: [other] });
  await carryOut(ask, same.id);
  const waiting = await upload(ask, { kind: "users", text: [{ ...other, name: "Quill" }] });
  const roomOwnerId = `${admin.id}, ${other.email}`;
  const place = await upload(ask, { kind: "rooms", text: [{ name: "Theirs", roomOwnerId }] });
  assert.deepEqual([same.plan.same, waiting.plan.change, place.plan.create], [1, 1, 1]);

  const deliveries = async (): Promise<Delivery[]> =>
    (await ask("listDeliveries", { limit: 100 })).body.deliveries;
  await until("answers name the person", async () => {
    const answered = (await deliveries()).filter(({ answer }) =>
      answer?.body.includes("Xanthippe"),
    );
    return new Set(answered.map(({ state }) => state)).size === 2;
  });
  const words = ["xanthippe", "quill", person.username];
  for (const word of words) assert.notDeepEqual(await tracesOf(world, word), [], word);

  await revoke(ask, person.id);
  await asked.promise;
  await ask("editWebhook", { id: webhook.id, on: false });
  const kept = (await deliveries()).filter(({ state }) => state === "waiting");
  assert.equal(kept.length, MANY + 2);
  assert.equal((await ask("deleteUsers", [person.id])).status, 200);
  told.resolve();
  await until("what was under way is over", async () =>
    (await deliveries()).some(
      ({ event, lastError }) => event === "userRevoked" && lastError !== null,
    ),
  );
  await nothingLeft(words);
  await until("nobody is kept out any more", async () => (await kindsOut()).length === 0);
  const seats = await world.database.read
    .selectFrom("seats")
    .select("id")
    .where("person", "=", `user:${person.id}`)
    .execute();
  assert.deepEqual(seats, []);

  // A waiting email is still sent.
  const refused = receiver.arrivals.length;
  receiver.fate = () => undefined;
  await ask("editWebhook", { id: webhook.id, on: true });
  await receiver.waitFor(refused + kept.length);
  const sent = receiver.arrivals.slice(refused);
  assert.deepEqual(sent.map((one) => one.id).sort(), kept.map((one) => one.id).sort());
  assert.ok(!sent.some(({ body }) => /xanthippe|quill/i.test(body)));
  const dataOf = (type: string) =>
    sent.filter(({ event }) => event.type === type).map(({ event }) => event.data);
  assert.deepEqual(dataOf("userRevoked"), [{ userId: person.id }]);
  const [made] = dataOf("roomCreated");
  assert.match(made.roomName, /^Room /);
  assert.deepEqual(made.by, { userId: null, accessKey: null, name: "" });
  const [{ peer }] = dataOf("newPeer");
  assert.deepEqual([peer.userId, peer.peerName], [null, ""]);

  // Lines about the person that waited in imports are refused, and the rest is unchanged.
  const gone = "Its person was deleted permanently.";
  assert.deepEqual(
    [...(await linesOf(ask, done.id)), ...(await linesOf(ask, same.id))].map(
      ({ name, outcome, reason }) => [name, outcome, reason],
    ),
    [
      ["", "changed", null],
      ["", "refused", gone],
      ["Nobody@trace.example.org", "refused", "Email and name are required to create a new user."],
      ["", "changed", null],
      ["", "same", null],
    ],
  );
  for (const { id: importId } of [waiting, place]) {
    assert.equal((await carryOut(ask, importId)).done.refused, 1);
    const [line] = await linesOf(ask, importId);
    assert.equal(line?.reason, gone);
  }

  // Other people's data is still there, unchanged.
  const listed = await ask("listMeetings", { roomId: room, limit: 100 });
  assert.equal(listed.body.pagination.total, MANY + 2);
  const attended = listed.body.meetings.map(({ people }: { readonly people: number }) => people);
  assert.deepEqual(attended, Array(MANY + 2).fill(1));
  const meetings = [`of-${person.id}-0`, `of-${admin.id}`];
  const spoken = await Promise.all(
    meetings.map(async (meetingId) => {
      const { transcript } = (await ask("getTranscript", { meetingId })).body;
      return transcript.spoken.map(({ text }: { readonly text: string }) => text);
    }),
  );
  assert.deepEqual(spoken, [[], ["I am here"]]);
  const chat = await world.database.read.selectFrom("chat").select(["number", "text"]).execute();
  assert.equal(chat.length, MANY + 1);
  assert.deepEqual(
    chat.filter(({ text }) => text !== "").map(({ number, text }) => [Number(number), text]),
    [[MANY + 1, "I am here"]],
  );
  const { entries } = (await ask("listHistory", { personId: person.id, limit: 1000 })).body;
  assert.ok(entries.length > MANY);
  const organization = openOrganization(world.database, id, operator);
  assert.equal((await verifyHistory(organization)).broken, null);
});

test("a kept answer reveals nothing about a permanently deleted person, and a retry creates nobody", async () => {
  const { ask } = await world.tenant();
  const person = { email: "retried@trace.example.org", name: "Retried" };
  const createOnce = () =>
    ask(
      "createUser",
      { ...person, loginUrl: "https://example.org/" },
      { "idempotency-key": "created-once" },
    );
  const { body } = await createOnce();
  assert.equal((await createOnce()).body.user.id, body.user.id);
  await revoke(ask, body.user.id);
  assert.equal((await ask("deleteUsers", [body.user.id])).status, 200);
  const again = await createOnce();
  assert.deepEqual([again.status, again.body.code], [422, "idempotency_reused"]);
  assert.doesNotMatch(again.text, /retried/i);
  assert.equal((await ask("fetchUsers", {})).body.users.length, 1);
});
