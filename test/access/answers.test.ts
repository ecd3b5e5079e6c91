import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { createSignedIn, newPerson } from "../users/people.ts";
import { type Asked, bearer } from "../world/ask.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";

const { open, organization } = await startWorld(test);
const { ask } = await organization("Answers");

/** These five fail in words of their own: rooms/room-answers.test.ts. */
const inTheirOwnWords = ["createRoom", "editRoom", "fetchRoom", "listRooms", "deleteRoom"];

/** Every other operation: its request, who may call it, its success status. */
const table: readonly (readonly [string, Asked, Operation["access"], number])[] = [
  ["createUser", "POST /api/user/orgUser", "administrator", 201],
  ["editUser", "PUT /api/user/orgUser", "administrator", 200],
  ["fetchUsers", "POST /api/user/fetchOrgUsers", "administrator", 200],
  ["listUsers", "POST /api/user/fetchOrgUsersWithPagination", "administrator", 200],
  ["fetchRevokedUsers", "POST /api/user/fetchDeletedOrgUsers", "administrator", 200],
  ["listRevokedUsers", "POST /api/user/fetchDeletedOrgUsersWithPagination", "administrator", 200],
  ["suspendRestoreUser", "POST /api/user/suspendRestoreUser", "administrator", 200],
  ["revokeUsers", "POST /api/user/revokeOrgUsers", "administrator", 200],
  ["resetPassword", "POST /api/user/adminPwdreset", "administrator", 200],
  ["reactivateUser", "POST /api/user/reactivateOrgUser", "administrator", 200],
  ["deleteUsers", "POST /api/user/permDeleteOrgUsers", "administrator", 200],
  ["suspendRestoreUsers", "POST /api/user/suspendRestoreOrgUsers", "administrator", 200],
  ["reactivateUsers", "POST /api/user/reactivateOrgUsers", "administrator", 200],
  ["changeRoles", "POST /api/user/changeRoleOfOrgUsers", "administrator", 200],
  ["findUsers", "POST /api/user/findOrgUsers", "administrator", 200],
  ["handOverRooms", "POST /api/user/handOverRooms", "administrator", 200],
  ["getAuthToken", "POST /api/siteSetting/getAuthToken", "anyone", 200],
  ["signIn", "POST /api/session", "anyone", 200],
  ["renewSession", "POST /api/session/renew", "anyone", 200],
  ["whoAmI", "GET /api/session", "token", 200],
  ["signOut", "DELETE /api/session", "token", 200],
  ["changePassword", "PUT /api/session/password", "person", 200],
  ["signInWithNewPassword", "POST /api/session/password/new", "anyone", 200],
  ["signInWithFactor", "POST /api/session/factor", "anyone", 200],
  ["fetchFactors", "GET /api/session/factors", "person", 200],
  ["proveMyself", "POST /api/session/proof", "person", 200],
  ["beginAuthenticator", "POST /api/session/authenticator", "person", 200],
  ["confirmAuthenticator", "POST /api/session/authenticator/confirm", "person", 200],
  ["removeAuthenticator", "DELETE /api/session/authenticator", "person", 200],
  ["makeRecoveryCodes", "POST /api/session/recoveryCodes", "person", 200],
  ["fetchUserWays", "GET /api/user/ways", "administrator", 200],
  ["resetFactors", "POST /api/user/resetFactors", "administrator", 200],
  ["askForPasskey", "POST /api/session/passkey/challenge", "anyone", 200],
  ["signInWithPasskey", "POST /api/session/passkey", "anyone", 200],
  ["beginProof", "POST /api/session/proof/challenge", "person", 200],
  ["listPasskeys", "GET /api/session/passkeys", "person", 200],
  ["beginPasskey", "POST /api/session/passkeys/challenge", "person", 200],
  ["addPasskey", "POST /api/session/passkeys", "person", 200],
  ["renamePasskey", "PUT /api/session/passkeys", "person", 200],
  ["removePasskey", "DELETE /api/session/passkeys/:id", "person", 200],
  ["fetchAccount", "GET /api/session/account", "person", 200],
  ["editAccount", "PUT /api/session/account", "person", 200],
  ["listSessions", "GET /api/session/list", "person", 200],
  ["endSessions", "POST /api/session/end", "person", 200],
  ["fetchBrand", "GET /api/organization/brand", "token", 200],
  ["setLogo", "PUT /api/organization/logo", "administrator", 200],
  ["getOrganization", "GET /api/organization", "administrator", 200],
  ["editOrganization", "PUT /api/organization", "administrator", 200],
  ["listAccessKeys", "GET /api/accessKey", "administrator", 200],
  ["createAccessKey", "POST /api/accessKey", "administrator", 201],
  ["editAccessKey", "PUT /api/accessKey", "administrator", 200],
  ["removeAccessKey", "DELETE /api/accessKey/:id", "administrator", 200],
  ["listHistory", "GET /api/history", "administrator", 200],
  ["exportUser", "GET /api/user/export", "administrator", 200],
  ["exportOrganization", "GET /api/organization/export", "administrator", 200],
  ["exportHistory", "GET /api/history/export", "administrator", 200],
  ["undoChange", "POST /api/history/undo", "administrator", 200],
  ["continueUndo", "POST /api/history/undo/continue", "administrator", 200],
  ["sendPasswordLink", "POST /api/session/password/link", "anyone", 200],
  ["choosePassword", "POST /api/session/password", "anyone", 200],
  ["readImport", "POST /api/import/read", "administrator", 200],
  ["createImport", "POST /api/import", "administrator", 201],
  ["continueImport", "POST /api/import/continue", "administrator", 200],
  ["confirmImport", "POST /api/import/confirm", "administrator", 200],
  ["listImports", "GET /api/import", "administrator", 200],
  ["listImportLines", "GET /api/import/lines", "administrator", 200],
  ["removeImport", "DELETE /api/import/:id", "administrator", 200],
  ["openPersonalRoom", "POST /api/personalRoom", "person", 200],
  ["editRooms", "PUT /api/roomSetting/several", "administrator", 200],
  ["deleteRooms", "POST /api/roomSetting/delete", "administrator", 200],
  ["binRooms", "POST /api/bin/rooms", "administrator", 200],
  ["binUsers", "POST /api/bin/users", "administrator", 200],
  ["listBin", "GET /api/bin", "administrator", 200],
  ["restoreFromBin", "POST /api/bin/restore", "administrator", 200],
  ["deleteFromBin", "DELETE /api/bin/:id", "administrator", 200],
  ["listLetters", "GET /api/letter", "administrator", 200],
  ["retryLetter", "POST /api/letter/:id/retry", "administrator", 200],
  ["retryLetters", "POST /api/letter/retry", "administrator", 200],
  ["fetchSchedule", "GET /api/schedule/:id", "token", 200],
  ["editSchedule", "PUT /api/schedule", "administrator", 200],
  ["listComing", "GET /api/schedule", "person", 200],
  ["downloadSchedule", "GET /api/schedule/:id/calendar", "token", 200],
  ["fetchNextDate", "POST /api/meeting/nextDate", "anyone or token", 200],
  ["getUsage", "GET /api/usage", "administrator", 200],
  ["downloadUsage", "GET /api/usage/csv", "administrator", 200],
  ["listRoomUsage", "GET /api/usage/rooms", "administrator", 200],
  ["listPeopleUsage", "GET /api/usage/people", "administrator", 200],
  ["createWebhook", "POST /api/webhook", "administrator", 201],
  ["listWebhooks", "GET /api/webhook", "administrator", 200],
  ["editWebhook", "PUT /api/webhook", "administrator", 200],
  ["removeWebhook", "DELETE /api/webhook/:id", "administrator", 200],
  ["rotateWebhookSecret", "POST /api/webhook/:id/rotateSecret", "administrator", 200],
  ["testWebhook", "POST /api/webhook/:id/test", "administrator", 200],
  ["createProvider", "POST /api/provider", "administrator", 201],
  ["listProviders", "GET /api/provider", "administrator", 200],
  ["editProvider", "PUT /api/provider", "administrator", 200],
  ["removeProvider", "DELETE /api/provider/:id", "administrator", 200],
  ["testProvider", "POST /api/provider/:id/test", "administrator", 200],
  ["unlinkUser", "POST /api/provider/unlink", "administrator", 200],
  ["findWaysIn", "GET /api/session/ways", "anyone", 200],
  ["signOutOfProvider", "POST /api/session/signOut", "person", 200],
  ["listDeliveries", "GET /api/webhook/delivery/paginated", "administrator", 200],
  ["replayDelivery", "POST /api/webhook/delivery/:id/replay", "administrator", 200],
  ["replayDeliveries", "POST /api/webhook/replay", "administrator", 200],
  ["fetchInvitation", "POST /api/meeting/invitation", "anyone or token", 200],
  ["joinRoom", "POST /api/meeting/joinRoom", "anyone or token", 200],
  ["leaveRoom", "POST /api/meeting/leaveRoom", "anyone", 200],
  ["rateMeeting", "POST /api/meeting/rateMeeting", "anyone", 200],
  ["createSessionToken", "POST /api/siteSetting/sessionToken", "anyone", 201],
  ["revokeSessionToken", "POST /api/siteSetting/revokeSessionToken", "anyone", 200],
  ["findRoomsInUse", "POST /api/meeting/inUse", "token", 200],
  ["roomDoor", "POST /api/meeting/door", "administrator", 200],
  ["getRoomLink", "POST /api/meeting/link", "token", 200],
  ["getMeeting", "GET /api/meeting/:roomId", "token", 200],
  ["listMeetings", "GET /api/meeting/paginated", "token", 200],
  ["getAttendance", "GET /api/meeting/attendance/:meetingId", "token", 200],
  ["downloadAttendance", "GET /api/meeting/attendance/:meetingId/csv", "token", 200],
  ["allowRoomJoin", "POST /api/meeting/allowRoomJoin", "token", 200],
  ["denyRoomJoin", "POST /api/meeting/denyRoomJoin", "token", 200],
  ["removePeer", "POST /api/meeting/removePeer", "token", 200],
  ["listBans", "GET /api/meeting/bans/:roomId", "token", 200],
  ["liftBan", "POST /api/meeting/liftBan", "token", 200],
  ["mutePeer", "POST /api/meeting/mutePeer", "token", 200],
  ["changePeer", "POST /api/meeting/changePeer", "token", 200],
  ["upgradeRequest", "POST /api/meeting/upgradeRequest", "token", 200],
  ["lockRoom", "POST /api/meeting/lockRoom", "token", 200],
  ["muteOnEntry", "POST /api/meeting/muteOnEntry", "token", 200],
  ["closeRoom", "POST /api/meeting/closeRoom", "token", 200],
  ["startStream", "POST /api/liveStream/startStream", "token", 200],
  ["stopStream", "POST /api/liveStream/stopStream", "token", 200],
  ["watchStream", "POST /api/meeting/watchStream", "anyone or token", 200],
  ["startTranscription", "POST /api/transcription/startTranscription", "token", 200],
  ["stopTranscription", "POST /api/transcription/stopTranscription", "token", 200],
  ["getTranscript", "GET /api/transcription/transcript", "token", 200],
  ["searchTranscripts", "GET /api/transcription/paginated", "token", 200],
  ["deleteTranscript", "DELETE /api/transcription/:meetingId", "token", 200],
  ["listRecordings", "GET /api/recording/paginated", "token", 200],
  ["fetchRecording", "GET /api/recording/:recordingId", "token", 200],
  ["openRecording", "POST /api/recording/media", "token", 200],
  ["downloadRecording", "POST /api/recording/download", "token", 200],
  ["renameRecording", "PUT /api/recording", "token", 200],
  ["deleteRecording", "DELETE /api/recording/:recordingId", "token", 200],
  ["createRecordingLink", "POST /api/recording/link", "token", 201],
  ["listRecordingLinks", "GET /api/recording/link/:recordingId", "token", 200],
  ["revokeRecordingLink", "DELETE /api/recording/link/:linkId", "token", 200],
  ["openRecordingLink", "POST /api/recording/watch", "anyone", 200],
  ["downloadRecordingLink", "POST /api/recording/watch/download", "anyone", 200],
  ["startRecording", "POST /api/recording/startRecording", "token", 200],
  ["stopRecording", "POST /api/recording/stopRecording", "token", 200],
];

const closed = table.filter(([, , access]) => !access.startsWith("anyone"));
const withBody = table.filter(([, request]) => /^(POST|PUT)/.test(request));

/** Operations whose failures carry more than `message`. */
const typed = (id: string, body: object) =>
  id === "reactivateUser" ? { type: "accountReactivation", ...body } : body;

const shaped = (id: string, code: string, message: string) =>
  id === "getAuthToken"
    ? { authToken: { ok: false, message }, code }
    : typed(id, failure(code, message));

test("the contract has these operations besides the five of rooms, and no others", () => {
  const known = (Object.values(operations) as readonly Operation[])
    .filter(({ id }) => !inTheirOwnWords.includes(id))
    .map(({ id, method, path, access, status }) => [id, `${method} ${path}`, access, status]);
  assert.deepEqual(known.sort(), table.toSorted());
});

test("without a valid token every operation answers 401, before its body is read", async () => {
  const message = "A valid Bearer token is required.";
  const secret = "x".repeat(43);
  const headers: readonly [Record<string, string>, boolean][] = [
    [{}, false],
    [{ authorization: "" }, true],
    [{ authorization: "Bearer" }, true],
    [{ authorization: "Bearer " }, true],
    [{ authorization: `Bearer ${secret}` }, true],
    [{ authorization: `bearer ${secret} ${secret}` }, true],
    [{ authorization: `Basic ${secret}` }, true],
    [{ authorization: `Bearer ${"x".repeat(5000)}` }, true],
  ];
  for (const [id, request] of closed) {
    for (const [sent, isRefused] of headers) {
      const answer = await open(request, request.startsWith("GET") ? undefined : "{", sent);
      const about = `${id} ${JSON.stringify(sent).slice(0, 60)}`;
      assert.deepEqual(
        [answer.status, answer.body],
        [401, shaped(id, "unauthorized", message)],
        about,
      );
      const challenge = 'Bearer realm="parley"';
      assert.equal(
        answer.headers.get("www-authenticate"),
        isRefused ? `${challenge}, error="invalid_token"` : challenge,
        about,
      );
      assert.equal(answer.headers.get("cache-control"), "no-store");
    }
  }
});

test("the scheme's name counts in any case; a token in the address or the body never does", async () => {
  const { token } = await organization("Schemes");
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR "]) {
    const headers = { authorization: `${scheme} ${token}` };
    assert.equal((await open("GET /api/session", undefined, headers)).status, 200);
  }
  for (const name of ["access_token", "token", "authorization"]) {
    assert.equal((await open(`GET /api/session?${name}=${token}`)).status, 401);
    const body = { [name]: token };
    assert.equal((await open("POST /api/user/fetchOrgUsers", body)).status, 401);
  }
});

test("anybody but an administrator gets 403, before the body is read", async () => {
  const { token } = await createSignedIn(open, ask);
  for (const [id, request, access] of closed) {
    if (access !== "administrator") continue;
    const body = request.startsWith("GET") ? undefined : "{";
    const expected = shaped(id, "not_allowed", "Only an administrator may do this.");
    await assertFails(open(request, body, bearer(token)), 403, expected);
  }
});

test("another method gets 405 with Allow, an unknown address 404; 401 comes before both", async () => {
  const cases = [
    ["DELETE /api/user/orgUser", 405, "POST, PUT"],
    ["GET /api/user/fetchOrgUsers", 405, "POST"],
    ["PATCH /api/organization", 405, "GET, HEAD, PUT"],
    ["PUT /api/accessKey/x", 405, "DELETE"],
    ["GET /api/user", 404, null],
    ["POST /api/user/orguser", 404, null],
    ["POST /api/user/orgUser/", 404, null],
    ["GET /api", 404, null],
  ] as const;
  for (const [request, status, allow] of cases) {
    const answer = await ask(request);
    assert.deepEqual([answer.status, answer.body.success], [status, false], request);
    const code = status === 405 ? "method_not_allowed" : "not_found";
    assert.equal(answer.body.code, code, request);
    assert.equal(answer.headers.get("allow"), allow, request);
    const stranger = await open(request);
    assert.deepEqual([stranger.status, stranger.headers.get("allow")], [401, null], request);
  }
  assert.equal((await open("PUT /api/siteSetting/getAuthToken")).status, 405);
});

test("a body that is not JSON in UTF-8 is refused in each operation's shape", async () => {
  const { token } = await createSignedIn(open, ask, { admin: true });
  const unreadable = "The body must be JSON: it ends too early.";
  const type = "The body must be sent as application/json, in UTF-8, without a content encoding.";
  const large = (mib: number) => `The body is too large. At most ${mib} MiB is accepted.`;
  for (const [id, request] of withBody) {
    // Files come in larger bodies than anything else.
    const mib = /^(?:read|create)Import$/.test(id) ? 1.5 : 1;
    const cases: readonly [string, Record<string, string>, number, string, string][] = [
      ["[", {}, 400, "invalid_json", unreadable],
      ["{}", { "content-type": "text/plain" }, 415, "unsupported_media_type", type],
      ["{}", { "content-encoding": "gzip" }, 415, "unsupported_media_type", type],
      [`"${"x".repeat(mib * 1024 * 1024)}"`, {}, 413, "body_too_large", large(mib)],
    ];
    for (const [body, headers, status, code, message] of cases) {
      const asked = open(request, body, { ...bearer(token), ...headers });
      await assertFails(asked, status, shaped(id, code, message));
    }
  }
});

test("the organization comes from the token, even if other fields name another one", async () => {
  const other = await organization("Other");
  const more = { orgId: other.id, organizationId: other.id, organization_id: other.id };
  const headers = { "x-org": other.id, "x-organization-id": other.id };
  const request: Asked = `POST /api/user/orgUser?organizationId=${other.id}`;
  assert.equal((await ask(request, newPerson(more), headers)).status, 201);
  assert.equal((await other.ask("GET /api/organization")).body.organization.used.users, 0);
});
