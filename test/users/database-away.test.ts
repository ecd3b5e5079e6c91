import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { DatabaseUnreachable } from "../../server/db/errors.ts";
import type { Database } from "../../server/db/open.ts";
import { openSeal } from "../../server/db/seal.ts";
import { createApp } from "../../server/http/app.ts";
import { openMedia } from "../../server/meetings/state/media.ts";
import { openLibrary } from "../../server/recordings/open.ts";
import { Hub } from "../../server/socket/hub.ts";
import { openMeetingCommands } from "../../server/socket/registry.ts";
import { failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";

const { database, config, organization } = await startWorld(test);
const { token } = await organization("Away");

/** The database's errors, and the parts that an answer repeats. */
const faults: readonly (readonly [Error, string])[] = [
  [
    new DatabaseUnreachable(new Error("connect ECONNREFUSED 10.0.0.5:5432")),
    "database unreachable",
  ],
  [
    Object.assign(new Error("select SENTINEL"), { errcode: 10, errstr: "disk I/O error" }),
    "disk I/O error",
  ],
  [
    Object.assign(new Error('role "SENTINEL" at 10.0.0.5'), { severity: "FATAL", code: "53300" }),
    "too_many_connections",
  ],
];

/** The failing part, and whether the token is found before that: the first lookup of a request that brings one. */
let fault: Error | undefined;
let tokenIsFound = false;
let lookupsLeft = 0;

const failing: Database = new Proxy(database, {
  get(target, key: keyof Database) {
    const isAway = key === "find" ? lookupsLeft === 0 : ["read", "scan", "change"].includes(key);
    if (fault && isAway) throw fault;
    if (key === "find") lookupsLeft -= 1;
    const value = target[key];
    return typeof value === "function" ? (value as () => unknown).bind(target) : value;
  },
});

const logs: string[] = [];
const log = pino({ level: "debug" }, { write: (line) => logs.push(line) });
const media = openMedia(config, undefined);
const seal = await openSeal(config);
const hub = new Hub({
  database,
  processId: "test",
  mediaOf: ({ meeting }, seat) => media.pathOf(meeting, seat),
  onError: (error) => log.error(error),
});
after(() => hub.stop());
const library = openLibrary({ database, config, processId: "test", log });
after(() => library.stop());
const { app } = await createApp(
  {
    config,
    database: failing,
    seal,
    hub,
    media,
    library,
    refused: { count() {} },
    commands: openMeetingCommands({
      seal,
      canTranscribe: false,
      takesLanguage: false,
      isAllowed: () => false,
    }),
    onError: (error: unknown) => log.error(error),
  },
  log,
  { console: undefined, certificate: undefined },
  [],
);
after(() => app.close());

const ask = async (id: string, body: object | undefined, credentials = true) => {
  const { method, path } = operations[id as keyof typeof operations];
  lookupsLeft = tokenIsFound && credentials ? 1 : 0;
  const answer = await app.inject({
    method,
    url: `${path.replace(/:\w+/, "x")}${queries[id] ?? ""}`,
    headers: credentials ? { authorization: `Bearer ${token}` } : {},
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};

const person = { email: "a@example.org", name: "A", loginUrl: "https://e.org/" };

/** The inputs of the operations that take one. */
const bodies: Readonly<Record<string, object>> = {
  createUser: person,
  editUser: { userId: "x" },
  fetchUsers: {},
  listUsers: { role: "x" },
  fetchRevokedUsers: {},
  listRevokedUsers: { role: "x", search: "y" },
  suspendRestoreUser: { userId: "x", action: "suspend" },
  revokeUsers: [{ userId: "x" }],
  resetPassword: { userId: "x" },
  reactivateUser: { userId: "x" },
  deleteUsers: ["x"],
  findUsers: { userIds: ["x"] },
  roomDoor: { roomId: "x" },
  editSchedule: { roomId: "x", startsAt: null },
  findRoomsInUse: { rooms: ["x"] },
  setLogo: { image: null },
  handOverRooms: { userId: "x", heirs: ["y"] },
  suspendRestoreUsers: { userIds: ["x"], action: "suspend" },
  reactivateUsers: { userIds: ["x"] },
  changeRoles: { userIds: ["x"], role: "host" },
  getAuthToken: { accessKey: "x", secretAccessKey: "y" },
  signIn: { login: "x", password: "y" },
  fetchInvitation: { roomId: "x" },
  fetchNextDate: { roomId: "x" },
  joinRoom: { roomId: "x", peerName: "X" },
  leaveRoom: { ticket: "x" },
  rateMeeting: { ticket: "x", rating: 3 },
  createSessionToken: { accessKey: "x", secretAccessKey: "y", roomId: "x" },
  revokeSessionToken: { accessKey: "x", secretAccessKey: "y", roomId: "x", peerId: "x" },
  getRoomLink: { roomId: "x" },
  allowRoomJoin: { roomId: "x" },
  denyRoomJoin: { roomId: "x" },
  removePeer: { roomId: "x", peerId: "x" },
  liftBan: { roomId: "x", peerId: "x" },
  mutePeer: { roomId: "x" },
  changePeer: { roomId: "x", peerId: "x", peerType: "viewer" },
  upgradeRequest: { roomId: "x", peerId: "x", action: "offer" },
  lockRoom: { roomId: "x", action: "lock" },
  muteOnEntry: { roomId: "x", on: true },
  closeRoom: { roomId: "x" },
  editAccessKey: { accessKey: "x", name: "X" },
  editOrganization: { recordingDays: 1 },
  undoChange: { number: 1 },
  continueUndo: { number: 1 },
  createProvider: { name: "P", issuer: "https://login.example.org/" },
  editProvider: { id: "x", name: "P" },
  unlinkUser: { userId: "x" },
  createWebhook: { url: "https://example.org/", events: ["roomCreated"] },
  editWebhook: { id: "x" },
  replayDeliveries: {
    webhookId: "x",
    from: "2026-01-01T00:00:00Z",
    to: "2026-01-02T00:00:00Z",
  },
  readImport: { kind: "users", text: "email\nx" },
  createImport: { kind: "users", format: "csv", text: "email\nx" },
  continueImport: { importId: "x" },
  confirmImport: { importId: "x", mode: "all" },
  resetFactors: { userId: "x" },
  confirmAuthenticator: { code: "x" },
  askForPasskey: {},
  addPasskey: {
    name: "X",
    passkey: { id: "x", response: { clientDataJSON: "e30", attestationObject: "x" } },
  },
  renamePasskey: { id: "x", name: "X" },
  choosePassword: { code: "x", newPassword: "four quiet herons at dawn" },
  binRooms: { rooms: ["x"] },
  binUsers: { userIds: ["x"] },
  restoreFromBin: { ids: ["x"] },
  startStream: { roomId: "x" },
  stopStream: { roomId: "x" },
  watchStream: { roomId: "x" },
  startTranscription: { roomId: "x" },
  stopTranscription: { roomId: "x" },
  openRecording: { recordingId: "x" },
  downloadRecording: { recordingId: "x" },
  renameRecording: { recordingId: "x", name: "X" },
  createRecordingLink: { recordingId: "x" },
  openRecordingLink: { code: "x" },
  downloadRecordingLink: { code: "x" },
  startRecording: { roomId: "x" },
  stopRecording: { roomId: "x" },
};

/** The parameters in the addresses of the operations that take some. */
const queries: Readonly<Record<string, string>> = {
  listImportLines: "?importId=x",
  exportUser: "?userId=x",
  getTranscript: "?meetingId=x",
  searchTranscripts: "?search=x",
};
const unavailable = "The database is not available. Try again in a moment.";

/** The operation's own failure text. */
const expected = (id: string, condition: string) => {
  if (id === "listUsers" || id === "listRevokedUsers") {
    return { ...failure("database_error", "Database error occurred"), error: condition };
  }
  if (id === "getAuthToken") {
    return { authToken: { ok: false, message: unavailable }, code: "unavailable" };
  }
  const body = failure("unavailable", unavailable);
  return id === "reactivateUser" ? { type: "accountReactivation", ...body } : body;
};

const all = (Object.entries(operations) as [string, Operation][]).filter(
  // Passwords, codes and cookies are checked in the database too; no request gets that far.
  ([id, { group }]) =>
    group !== "Rooms" &&
    ![
      "changePassword",
      "sendPasswordLink",
      "signInWithFactor",
      "signInWithNewPassword",
      "signInWithPasskey",
      "choosePassword",
      "renewSession",
    ].includes(id),
);

for (const found of [false, true]) {
  const when = found ? "after the token was found" : "while the token is looked up";
  test(`the database unavailable ${when}: the operation's own text, 503, and no detail of the database`, async () => {
    tokenIsFound = found;
    for (const [error, condition] of faults) {
      fault = error;
      for (const [id, { access }] of all) {
        // The token alone decides: it is an access key's.
        if (found && (id === "whoAmI" || access === "person")) continue;
        const answer = await ask(id, bodies[id], access !== "anyone");
        const about = `${id} ${condition}`;
        assert.deepEqual([answer.status, answer.body], [503, expected(id, condition)], about);
        assert.match(String(answer.headers["retry-after"]), /^\d+$/, about);
      }
    }
    fault = undefined;
  });
}

test("the next request succeeds when it is back, and a valid token was never refused", async () => {
  for (const id of ["listUsers", "whoAmI", "getOrganization"]) {
    fault = new DatabaseUnreachable();
    tokenIsFound = false;
    assert.equal((await ask(id, bodies[id])).status, 503);
    fault = undefined;
    assert.equal((await ask(id, bodies[id])).status, 200);
  }
});

test("an internal fault answers 500, reveals nothing, and is logged once with the request's ID", async () => {
  fault = new Error("SENTINEL of a fault");
  tokenIsFound = true;
  logs.length = 0;
  const { status, headers, body } = await ask("fetchUsers", {});
  const message = "Something went wrong on our side. It was logged.";
  assert.deepEqual([status, body], [500, failure("internal", message)]);
  const lines = logs.filter((line) => line.includes("SENTINEL of a fault"));
  assert.equal(lines.length, 1);
  assert.ok(lines[0]?.includes(String(headers["x-request-id"])));
  fault = undefined;
});
