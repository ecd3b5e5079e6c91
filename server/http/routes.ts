import { operations } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import * as keys from "../access/access-keys.ts";
import { makeDevice } from "../access/devices.ts";
import { exchangeAccessKey } from "../access/exchange.ts";
import { endSessions, listSessions } from "../access/own-sessions.ts";
import { generatePassword, hashPassword } from "../access/passwords.ts";
import * as sessions from "../access/sessions.ts";
import * as bin from "../bin/bin.ts";
import { deleteRooms } from "../bin/rooms.ts";
import { refuse } from "../lib/refusal.ts";
import { presentLetter } from "../mail/letter-states.ts";
import { listLetters, retryLetter, retryLetters } from "../mail/outbox.ts";
import { editAccessKey, removeAccessKey } from "../organizations/access-keys.ts";
import { setLogo } from "../organizations/logo.ts";
import { organizationNamed } from "../organizations/organizations.ts";
import { overviewOf } from "../organizations/overview.ts";
import { editOrganization } from "../organizations/settings.ts";
import { brandOf } from "../records/brand.ts";
import {
  presentCreated,
  presentEditedUser,
  presentListed,
  presentRevoked,
  userVersionOf,
} from "../records/present-user.ts";
import { fetchRecord } from "../records/room-queries.ts";
import { editRooms, inUse } from "../rooms/bulk.ts";
import { moreEditErrors } from "../rooms/edit-errors.ts";
import { pageOfRooms } from "../rooms/list.ts";
import { openPersonalRoom } from "../rooms/personal.ts";
import * as rooms from "../rooms/rooms.ts";
import { organizationArchive } from "../takeout/archive.ts";
import { personFile } from "../takeout/person.ts";
import * as accounts from "../users/accounts.ts";
import * as bulk from "../users/bulk.ts";
import { createUser, type HashedPassword, refuseUserEarly } from "../users/create.ts";
import { editUser, moreUserErrors } from "../users/edit.ts";
import { handOverRooms } from "../users/hand-over.ts";
import { allUsers, usersByIds } from "../users/lists.ts";
import { editAccount, fetchAccount, presentAccount } from "../users/own.ts";
import { changePassword } from "../users/own-password.ts";
import { refuseResetEarly, resetPassword } from "../users/reset.ts";
import { fileAnswer, listAnswer, roomAnswer } from "./answer.ts";
import { binRoutes } from "./bin-routes.ts";
import { commandRoutes } from "./command-routes.ts";
import { factorRoutes } from "./factor-routes.ts";
import { historyRoutes } from "./history-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { libraryRoutes } from "./library-routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { meetingRoutes } from "./meeting-routes.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { passwordRoutes } from "./password-routes.ts";
import { usersAnswer, usersPage } from "./people.ts";
import { providerRoutes } from "./provider-routes.ts";
import { changing, open, openBySecret, type Route, type Service, scoped } from "./route.ts";
import { scheduleRoutes } from "./schedule-routes.ts";
import { usageRoutes } from "./usage-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const ok = { success: true } as const;
const issued = { ok: true, message: "Auth token generated successfully" } as const;
const o = operations;

/** Before the transaction: hashing is slow on purpose. */
const newCredentials = async (): Promise<HashedPassword> => {
  const password = generatePassword();
  return { password, digest: await hashPassword(password) };
};

/** Every operation and the rule that answers it: the table of contents of the product. */
export const routesOf = ({
  config,
  database,
  seal,
  hub,
  commands,
  media,
  library,
  refused,
  onError,
}: Service): readonly Route[] => [
  changing(o.createRoom, ({ input, tag, note }) => ({
    rule: (change) => rooms.createRoom(change, input, note),
    answer: (record) => {
      tag(record);
      return roomAnswer(o.createRoom, record);
    },
  })),
  changing(o.openPersonalRoom, () => ({
    rule: openPersonalRoom,
    answer: (record) => ({ ...ok, roomSetting: JSON.parse(record) }),
  })),
  changing(
    o.editRoom,
    ({ input, ifMatch, tag, note }) => ({
      rule: (change) => rooms.editRoom(change, { ...input, ifMatch }, note),
      answer: (room) => {
        tag(room.record);
        return { type: o.editRoom.type, ...ok, roomSetting: rooms.presentEditedRoom(room) };
      },
    }),
    moreEditErrors,
  ),
  scoped(o.fetchRoom, async ({ input, organization, tag }) => {
    const record = (await fetchRecord(organization, input.id)) ?? refuse("room_not_found");
    tag(record);
    return roomAnswer(o.fetchRoom, record);
  }),
  scoped(o.listRooms, async ({ input, organization }) => {
    const { total, pieces } = await pageOfRooms(organization, input);
    return listAnswer(o.listRooms, pieces, input.limit, { pagination: paginate(input, total) });
  }),
  changing(o.deleteRoom, ({ input, answerOther }) => ({
    rule: (change) => bin.deleteRoomAsChosen(change, input.id),
    answer: ({ waits }) => {
      if (waits) answerOther();
      return { type: o.deleteRoom.type, ...ok };
    },
  })),
  changing(o.editRooms, ({ input, note }) => ({
    rule: (change) => editRooms(change, input, note),
    answer: (edited) => ({ ...ok, ...edited }),
  })),
  changing(o.deleteRooms, ({ input }) => ({
    rule: (change) => deleteRooms(change, input.rooms),
    answer: (deleted) => ({ ...ok, ...deleted }),
  })),
  scoped(o.findRoomsInUse, async ({ input, organization }) => ({
    ...ok,
    rooms: await inUse(organization, input.rooms),
  })),

  changing(o.createUser, async ({ input, organization, tag }) => {
    await refuseUserEarly(organization, input);
    const credentials = await newCredentials();
    return {
      rule: (change) =>
        createUser(change, input, credentials, { seal, publicUrl: config.publicUrl }),
      answer: ({ user, password }) => {
        tag(userVersionOf(user));
        return { ...ok, user: presentCreated(user), password };
      },
    };
  }),
  changing(
    o.editUser,
    ({ input, ifMatch, tag }) => ({
      rule: (change) => editUser(change, { ...input, ifMatch }),
      answer: (user) => {
        tag(userVersionOf(user));
        return { ...ok, user: presentEditedUser(user) };
      },
    }),
    moreUserErrors,
  ),
  scoped(o.fetchUsers, ({ input, organization }) =>
    usersAnswer(o.fetchUsers, allUsers(organization, input.role, false), presentListed),
  ),
  scoped(o.listUsers, ({ input, organization }) =>
    usersPage(o.listUsers, organization, input, false),
  ),
  scoped(o.fetchRevokedUsers, ({ input, organization }) =>
    usersAnswer(o.fetchRevokedUsers, allUsers(organization, input.role, true), presentRevoked),
  ),
  scoped(o.listRevokedUsers, ({ input, organization }) =>
    usersPage(o.listRevokedUsers, organization, input, true),
  ),
  changing(o.suspendRestoreUser, ({ input }) => ({
    rule: (change) => accounts.suspendOrRestore(change, input),
    answer: (user) => ({ ...ok, user: { id: user.id, accountSuspended: user.account_suspended } }),
  })),
  changing(o.revokeUsers, ({ input }) => ({
    rule: (change) =>
      accounts.revokeUsers(
        change,
        input.map(({ userId }) => userId),
      ),
    answer: () => ok,
  })),
  changing(o.resetPassword, async ({ input, organization }) => {
    await refuseResetEarly(organization, input);
    const credentials = await newCredentials();
    const reset = { ...input, loginUrl: input.loginUrl ?? `${config.publicUrl}/` };
    return {
      rule: (change) => resetPassword(change, reset, credentials, seal),
      answer: (user) => ({ ...ok, email: user.email, password: credentials.password }),
    };
  }),
  changing(o.reactivateUser, ({ input }) => ({
    rule: (change) => accounts.reactivateUser(change, input),
    answer: () => ({ type: o.reactivateUser.type, ...ok }),
  })),
  scoped(o.exportUser, ({ input, organization }) =>
    fileAnswer(personFile(organization, input.userId), "application/json", "person.json"),
  ),
  changing(o.deleteUsers, ({ input }) => ({
    rule: (change) => bin.deleteUsersAsChosen(change, input),
    answer: () => ok,
  })),
  changing(o.suspendRestoreUsers, ({ input }) => ({
    rule: (change) => bulk.suspendOrRestoreUsers(change, input),
    answer: () => ok,
  })),
  changing(o.reactivateUsers, ({ input }) => ({
    rule: (change) => bulk.reactivateUsers(change, input),
    answer: () => ok,
  })),
  changing(o.changeRoles, ({ input }) => ({
    rule: (change) => bulk.changeRoles(change, input),
    answer: () => ok,
  })),
  scoped(o.findUsers, async ({ input, organization, tag }) => {
    const users = await usersByIds(organization, input.userIds);
    if (input.userIds.length === 1 && users[0]) tag(userVersionOf(users[0]));
    const languages = users.map(({ id, language }) => ({ userId: id, language }));
    const mustChoosePassword = users
      .filter((user) => user.must_choose_password)
      .map(({ id }) => id);
    return {
      ...ok,
      users: users.map(presentListed),
      ...(input.withLanguages === true && { languages }),
      ...(input.withMustChoosePassword === true && { mustChoosePassword }),
    };
  }),

  changing(o.handOverRooms, ({ input }) => ({
    rule: (change) => handOverRooms(change, input),
    answer: (rooms) => ({ ...ok, ...rooms }),
  })),

  openBySecret(o.getAuthToken, async ({ input, address, count }) => {
    const { token } = await exchangeAccessKey({ database, onError }, { ...input, address, count });
    return { authToken: { ...issued, token } };
  }),
  open(o.signIn, async ({ input, address, userAgent, cookies }) => {
    const attempt = { ...input, address, userAgent, devices: cookies.device.values() };
    const { renewal, device, ...session } = await sessions.signIn(
      { database, seal, publicUrl: config.publicUrl, onError },
      attempt,
    );
    cookies.renewal.set(renewal);
    cookies.device.set(device);
    return { ...ok, ...session };
  }),
  openBySecret(o.renewSession, async ({ cookies, address, count }) => {
    const renewals = cookies.renewal.values();
    return { ...ok, ...(await sessions.renewSession(database, { renewals, address, count })) };
  }),
  scoped(o.whoAmI, async ({ auth, organization }) => ({
    ...ok,
    expiresAt: auth.expiresAt,
    user: (await sessions.findPerson(organization)) ?? null,
    accessKey: auth.caller.accessKey,
    ownersMay: auth.ownersMay,
  })),
  scoped(o.signOut, async ({ auth, cookies: { renewal }, organization }) => {
    if (await sessions.signOut(organization, auth, renewal.values())) renewal.end();
    return ok;
  }),
  scoped(o.changePassword, async ({ input, auth, cookies, organization }) => {
    const renewals = cookies.renewal.values();
    const person = await changePassword(organization, auth, { ...input, renewals });
    // Of the session: with an ID for each change, tries of codes would multiply.
    const id = auth.session ?? undefined;
    cookies.device.set(makeDevice(seal, person, { id, withFactor: auth.level === "factor" }));
    return ok;
  }),

  scoped(o.fetchAccount, async ({ organization }) => ({
    ...ok,
    account: await fetchAccount(organization),
  })),
  changing(o.editAccount, ({ input }) => ({
    rule: (change) => editAccount(change, input),
    answer: (user) => ({ ...ok, account: presentAccount(user) }),
  })),
  scoped(o.listSessions, async ({ auth, organization }) => ({
    ...ok,
    sessions: await listSessions(organization, auth),
  })),
  changing(o.endSessions, ({ input, auth }) => ({
    rule: (change) => endSessions(change, auth, input),
    answer: (ended) => ({ ...ok, ended }),
  })),

  scoped(o.getOrganization, async ({ organization }) => ({
    ...ok,
    organization: await overviewOf(organization, config, media),
  })),
  changing(o.editOrganization, ({ input }) => ({
    rule: (change) => editOrganization(change, input),
    answer: (edited) => ({ ...ok, ...edited }),
  })),
  scoped(o.fetchBrand, async ({ organization: { read, id } }) => ({
    ...ok,
    name: (await organizationNamed(read, id)).name,
    brand: await brandOf(read, id),
  })),
  changing(o.setLogo, ({ input }) => ({
    rule: (change) => setLogo(change, input.image),
    answer: (brand) => ({ ...ok, brand }),
  })),
  scoped(o.exportOrganization, ({ organization }) =>
    fileAnswer(organizationArchive(organization), "application/zip", "organization.zip"),
  ),
  scoped(o.listAccessKeys, async ({ organization }) => ({
    ...ok,
    accessKeys: await keys.listAccessKeys(organization),
  })),
  changing(o.createAccessKey, ({ input }) => ({
    rule: (change) => keys.createAccessKey(change, input),
    answer: (accessKey) => ({ ...ok, accessKey }),
  })),
  changing(o.editAccessKey, ({ input }) => ({
    rule: (change) => editAccessKey(change, input),
    answer: (accessKey) => ({ ...ok, accessKey }),
  })),
  changing(o.removeAccessKey, ({ input }) => ({
    rule: (change) => removeAccessKey(change, input.id),
    answer: () => ok,
  })),
  scoped(o.listLetters, async ({ input, organization }) => {
    const { letters, total } = await listLetters(organization.scan, organization.id, input);
    return { ...ok, letters: letters.map(presentLetter), pagination: paginate(input, total) };
  }),
  changing(o.retryLetter, ({ input }) => ({
    rule: (change) => retryLetter(change, input.id),
    answer: () => ok,
  })),
  changing(o.retryLetters, () => ({
    rule: retryLetters,
    answer: (retried) => ({ ...ok, retried }),
  })),

  ...historyRoutes(),
  ...factorRoutes({ config, database, seal, onError }),
  ...passkeyRoutes({ config, database, seal, onError }),
  ...passwordRoutes({ config, database, seal, onError }),
  ...importRoutes({ config, seal }),
  ...binRoutes(),
  ...providerRoutes({ config, database, seal, onError }),
  ...webhookRoutes({ config, seal }),
  ...meetingRoutes({ config, database, media, refused, onError }),
  ...scheduleRoutes({ config }),
  ...usageRoutes(),
  ...commandRoutes({ commands, hub }),
  ...liveRoutes({ config, database, seal }),
  ...libraryRoutes({ config, database, library }),
];
