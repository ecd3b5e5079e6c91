// Runs: sqlite-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { undoWhole } from "../history/undoing.ts";
import { carryOut, upload } from "../imports/importing.ts";
import { all, positions } from "../isolation/rows.ts";
import { asksNoProof, asksNoProofInRules } from "../twins/second-factors.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create, newPerson, revoke, someEmail } from "../users/people.ts";
import { type Ask, askAs, type OperationId } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { ageProofs, codeOf, setUpApp } from "./factors.ts";

/** An administrator with an app, whose proof is eleven minutes old. */
const late = async (t: TestContext, twin?: Twin) => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const admin = await create(tenant.ask, { admin: true });
  const signedIn = await world.open("signIn", { login: admin.email, password: admin.password });
  const own = askAs(world.url, signedIn.body.token);
  const age = () => ageProofs(world, admin.id);
  await age();
  // A session without a factor is asked for none.
  assert.equal((await own("createAccessKey", {})).status, 201);
  await own("proveMyself", { password: admin.password });
  const { secret } = await setUpApp(own);
  await age();
  return { world, tenant, admin, own, secret };
};

/** Operations that end, delete or replace something and need no proof, and why. */
const comesBack: Partial<Record<OperationId, string>> = {
  revokeUsers: "reactivateUser",
  handOverRooms: "hand them back",
  rotateWebhookSecret: "the former secret counts for a day",
  setLogo: "an image can be set again",
  removeImport: "what it has done stays",
  revokeRecordingLink: "another link can be made",
  endSessions: "sign in again",
  closeRoom: "enter again",
  removePeer: "enter again",
};

/** Operations whose own rule asks for a proof: they change how their person signs in. */
const ownFactors = all
  .filter(([, { refusals }]) => refusals.includes("proof_needed"))
  .map(([id]) => id);

test("an operation that deletes, removes, resets or ends something needs a proof, or can be taken back", () => {
  const grave = /^(delete|remove|revoke|reset|end|close|rotate|unlink|handOver|setLogo|undo)/;
  for (const [id, { fresh, access, method }] of all) {
    if (method === "GET" || access === "anyone" || !grave.test(id)) continue;
    const isDecided = fresh !== undefined || ownFactors.includes(id) || comesBack[id] !== undefined;
    assert.ok(isDecided, id);
  }
});

const everyOperation = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { own } = await late(t, twin);
  const ends: readonly OperationId[] = ["signOut", "signOutOfProvider"];
  const unknown = { user: "u", other: "u", revoked: "u", room: "r" };
  for (const [id, { access, fresh }] of all) {
    if (["anyone", "anyone or token"].includes(access) || ends.includes(id)) continue;
    if (ownFactors.includes(id)) continue;
    const input = positions.find(({ operation }) => operation === id)?.input("x", unknown) ?? {};
    const { body } = await own(id, input);
    assert.equal(body?.code === "proof_needed", fresh === "always", id);
  }
};

test("every operation asks a session with a second factor for a fresh proof exactly if it is marked", (t) =>
  everyOperation(t));

testTwin("a twin that asks for no proof is detected", (t) =>
  assert.rejects(everyOperation(t, asksNoProof), { code: "ERR_ASSERTION" }),
);

/** Uses of operations that sometimes need a proof: those that do (true) and those that do not. */
interface Case {
  readonly needs: boolean;
  readonly input: unknown;
}

const cases: Partial<
  Record<OperationId, (ask: Ask, roomOf: () => Promise<string>) => Promise<readonly Case[]>>
> = {
  editOrganization: async (ask) => {
    await ask("editOrganization", {
      secondFactorFor: "administrators",
      meetingDays: 90,
      binDays: 30,
    });
    return [
      { needs: true, input: { secondFactorFor: "nobody" } },
      { needs: true, input: { meetingDays: 89 } },
      { needs: true, input: { binDays: 29 } },
      { needs: true, input: { historyDays: 3000, letterDays: null } },
      { needs: false, input: { secondFactorFor: "everybody" } },
      { needs: false, input: { meetingDays: null, letterDays: 91, name: "Renamed" } },
    ];
  },
  deleteRoom: async (ask, roomOf) => {
    await ask("editOrganization", { binDays: 30, binFor: "everything" });
    const binned = { needs: false, input: { id: await roomOf() } };
    return [binned, { needs: true, input: { id: await roomOf() } }];
  },
  deleteRooms: async (_, roomOf) => [
    { needs: false, input: { rooms: [await roomOf()] } },
    { needs: true, input: { rooms: [await roomOf()] } },
  ],
  createUser: async () => [
    { needs: false, input: newPerson() },
    { needs: true, input: newPerson({ admin: true }) },
  ],
  editUser: async (ask) => {
    const { id: userId, email } = await create(ask);
    return [
      { needs: false, input: { userId, name: "Bob", admin: false, email: email.toUpperCase() } },
      { needs: true, input: { userId, email: someEmail() } },
      { needs: true, input: { userId, admin: true } },
    ];
  },
  suspendRestoreUser: async (ask) => {
    const [person, chief] = [await create(ask), await create(ask, { admin: true })];
    await ask("suspendRestoreUsers", { userIds: [person.id, chief.id], action: "suspend" });
    return [
      { needs: false, input: { userId: person.id, action: "restore" } },
      { needs: false, input: { userId: person.id, action: "suspend" } },
      { needs: true, input: { userId: chief.id, action: "restore" } },
    ];
  },
  suspendRestoreUsers: async (ask) => {
    const [person, chief] = [await create(ask), await create(ask, { admin: true })];
    const userIds = [person.id, chief.id];
    await ask("suspendRestoreUsers", { userIds, action: "suspend" });
    return [
      { needs: false, input: { userIds: [person.id], action: "restore" } },
      { needs: false, input: { userIds, action: "suspend" } },
      { needs: true, input: { userIds, action: "restore" } },
    ];
  },
  reactivateUser: async (ask) => {
    const [person, chief] = [await create(ask), await create(ask, { admin: true })];
    await revoke(ask, person.id, chief.id);
    return [
      { needs: false, input: { userId: person.id } },
      { needs: true, input: { email: chief.email } },
    ];
  },
  reactivateUsers: async (ask) => {
    const [person, chief] = [await create(ask), await create(ask, { admin: true })];
    await revoke(ask, person.id, chief.id);
    return [
      { needs: false, input: { userIds: [person.id] } },
      { needs: true, input: { userIds: [chief.id] } },
    ];
  },
  editWebhook: async (ask) => {
    const url = "https://a.example.org/";
    const { webhook } = (await ask("createWebhook", { url, events: ["roomCreated"] })).body;
    return [
      { needs: false, input: { id: webhook.id, description: "Archive", url } },
      { needs: true, input: { id: webhook.id, url: "https://b.example.org/" } },
    ];
  },
  continueImport: async (ask) => {
    const { email } = await create(ask);
    const importing = async (line: object) => {
      const file = { kind: "users", format: "json", text: JSON.stringify([line]) };
      return { importId: (await ask("createImport", file)).body.import.id };
    };
    return [
      { needs: false, input: await importing({ email, name: "Bob" }) },
      { needs: true, input: await importing({ email, name: "Bob", admin: true }) },
      { needs: true, input: await importing({ email: someEmail(), name: "Ann", admin: true }) },
    ];
  },
  confirmImport: async (ask, roomOf) => {
    const checked = async (kind: "users" | "rooms", line: object) => {
      const { id: importId } = await upload(ask, { kind, text: [line] });
      return { importId, mode: "possible" };
    };
    const { email } = await create(ask);
    const room = await roomOf();
    return [
      { needs: false, input: await checked("rooms", { room, name: "Hall" }) },
      // Also if somebody else has proved themselves when it was checked, and when it is carried out.
      { needs: true, input: await checked("users", { email, admin: true }) },
    ];
  },
  undoChange: async (ask) => {
    const edited = async (settings: object) => {
      await ask("editOrganization", settings);
      const { entries } = (await ask("listHistory", { kind: "organizationEdited" })).body;
      return { number: entries[0].number };
    };
    const shortened = { needs: false, input: await edited({ letterDays: 20 }) };
    await edited({ recordingDays: 30 });
    return [shortened, { needs: true, input: await edited({ recordingDays: null }) }];
  },
};

/** Those of `cases` whose second case is about an organization without a recycle bin. */
const byBin: readonly OperationId[] = ["deleteRoom", "deleteRooms"];

const sometimes = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { tenant, admin, own, secret } = await late(t, twin);
  const roomOf = async (): Promise<string> =>
    (await tenant.ask("createRoom", { name: "Board", roomOwnerId: admin.id })).body.roomSetting
      .room;
  const owed: [OperationId, unknown][] = [];
  for (const [id, make] of Object.entries(cases) as [OperationId, (typeof cases)["deleteRoom"]][]) {
    await tenant.ask("editOrganization", { binDays: 30 });
    for (const { needs, input } of (await make?.(tenant.ask, roomOf)) ?? []) {
      if (byBin.includes(id)) {
        await tenant.ask("editOrganization", needs ? { binDays: null } : { binDays: 30 });
      }
      const { status, body } = await own(id, input);
      assert.equal(body?.code === "proof_needed", needs, `${id} ${JSON.stringify(input)}`);
      if (needs) owed.push([id, input]);
      else assert.ok(status < 300, `${id} ${JSON.stringify(body)}`);
    }
  }
  // Access keys have no second factor, and a proof lets the same requests pass.
  const [first, ...others] = owed;
  assert.ok((await tenant.ask(...(first as [OperationId, unknown]))).status < 300);
  assert.equal((await own("proveMyself", { code: codeOf(secret) })).status, 200);
  await tenant.ask("editOrganization", { binDays: null });
  for (const [id, input] of others) {
    const { status, body } = await own(id, input);
    assert.ok(status < 300, `${id} ${JSON.stringify(body)}`);
  }
};

test("an operation that only sometimes cannot be undone asks for a proof exactly then", (t) =>
  sometimes(t));

testTwin("a twin whose rules ask for no proof is detected", (t) =>
  assert.rejects(sometimes(t, asksNoProofInRules), { code: "ERR_ASSERTION" }),
);

test("every operation that sometimes needs a proof is tried, and so is a large undo", () => {
  const marked = all.filter(([, { fresh }]) => fresh === "sometimes").map(([id]) => id);
  assert.deepEqual(marked.sort(), [...Object.keys(cases), "continueUndo"].sort());
});

test("taking back many changes asks for a proof where that deletes for good, and goes on with it", async (t) => {
  const { tenant, admin, own, secret } = await late(t);
  const gone = await create(tenant.ask);
  await revoke(tenant.ask, gone.id);
  assert.equal((await own("deleteUsers", [gone.id])).body.code, "proof_needed");
  // More than one change takes back.
  const text = Array.from({ length: 51 }, (_, n) => ({ name: `R${n}`, roomOwnerId: admin.id }));
  const { id } = await upload(tenant.ask, { kind: "rooms", text });
  const { entry: number } = await carryOut(tenant.ask, id);
  await tenant.ask("editOrganization", { binDays: null });
  await own("undoChange", { number });
  assert.equal((await own("continueUndo", { number })).body.code, "proof_needed");
  assert.equal((await own("proveMyself", { code: codeOf(secret) })).status, 200);
  const { body } = await undoWhole(own, number);
  assert.deepEqual([body.undo.state, body.undo.stayed], ["done", 0]);
});
