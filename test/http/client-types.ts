// Never run: type checking it in `npm test` is the test. Each `@ts-expect-error` is a call that must not
// compile; the check fails if one of them does.
import {
  type ChatMessage,
  type Client,
  connectMeeting,
  createClient,
  type FieldError,
  type KnownCode,
  type MeetingEnd,
  type MeetingPeer,
  type ParleyError,
  pagesOf,
  type Tokens,
  tokensByAccessKey,
  tokensByCookie,
} from "parley/client";

/** `true` if two types are the same, not only assignable to each other. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <Claim extends true>(..._: Claim[]): void => {};

export const calls = async (parley: Client): Promise<void> => {
  await parley.listRooms();
  await parley.listRooms({ page: 2, limit: 500, sortBy: "updatedAt", sortOrder: "DESC" });
  // @ts-expect-error a page must be a number
  await parley.listRooms({ page: "2" });
  // @ts-expect-error the sort field must be one of three
  await parley.listRooms({ sortBy: "owner" });

  await parley.createRoom({ name: "Board", roomOwnerId: "ann" });
  await parley.createRoom({ name: "Board", roomOwnerId: "ann", roomType: "event", room: 7 });
  // @ts-expect-error an owner is required
  await parley.createRoom({ name: "Board" });
  // @ts-expect-error a room's type must be one of three
  await parley.createRoom({ name: "Board", roomOwnerId: "ann", roomType: "webinar" });

  const room = { room: "board", roomOwnerId: "ann" };
  await parley.editRoom({ ...room, roomType: "p2p", audioStatus: false, noOfViewers: 3 });
  await parley.editRoom({ ...room, liveStreamUrl: null, recordingResolutions: ["480p"] });
  const { roomSetting } = await parley.fetchRoom({ id: "board" });
  await parley.editRoom({ ...roomSetting, name: "Board room" });
  const { users } = await parley.fetchUsers();
  for (const user of users) await parley.editUser({ ...user, userId: user.id, name: "Ann" });
  // @ts-expect-error null is not among its values
  await parley.editRoom({ ...room, isStatic: null });

  await parley.fetchUsers();
  await parley.listUsers({ role: "moderator,admin", limit: 100 });
  // @ts-expect-error paginated lists require a role
  await parley.listUsers({});
  // @ts-expect-error the limit must be one of four page sizes
  await parley.listUsers({ role: "moderator", limit: 500 });
  await parley.revokeUsers([{ userId: "ann" }]);
  await parley.listLetters({ page: 2, state: "refused" });
  await parley.getOrganization();
  await parley.getOrganization({}, { signal: AbortSignal.timeout(1_000) });
};

export const answers = async (parley: Client): Promise<void> => {
  const { roomSetting } = await parley.fetchRoom({ id: "board" });
  holds<Same<typeof roomSetting.noOfViewers, number>>();
  holds<Same<typeof roomSetting.audioStatus, "true" | "false">>();
  holds<Same<typeof roomSetting.liveStreamUrl, string | null>>();
  holds<Same<typeof roomSetting.recordingResolutions, string[] | null>>();
  // @ts-expect-error the answer spells it with a small l
  roomSetting.roomPermaLink;
  const { users, pagination } = await parley.listUsers({ role: "moderator" });
  holds<Same<(typeof users)[number]["tags"], string[]>>();
  holds<Same<typeof pagination.total, number>>();
  const { accessKey } = await parley.whoAmI();
  holds<Same<typeof accessKey, string | null>>();
};

export const pages = async (parley: Client): Promise<void> => {
  for await (const { roomSettings } of pagesOf(parley.listRooms)) roomSettings.at(0)?.name;
  for await (const { users } of pagesOf(parley.listUsers, { role: "admin" })) users.at(0)?.email;
  // @ts-expect-error a role is required
  void pagesOf(parley.listUsers);
  // @ts-expect-error iteration begins with the first page
  void pagesOf(parley.listRooms, { page: 2 });
  // @ts-expect-error not a paginated list
  void pagesOf(parley.fetchUsers);
};

export const tokens = (baseUrl: string): readonly Client[] => {
  const key: Tokens = tokensByAccessKey({ baseUrl, accessKey: "a", secretAccessKey: "b" });
  return [
    createClient({ baseUrl, token: "t" }),
    createClient({ baseUrl, token: async () => "t" }),
    createClient({ baseUrl, token: key }),
    createClient({ token: tokensByCookie() }),
  ];
};

export const failures = ({ code }: ParleyError): KnownCode | undefined => {
  // A code of a later version is a text.
  if (code === "a_code_of_tomorrow") return undefined;
  const known: KnownCode = "email_taken";
  // @ts-expect-error there is no such code yet
  const unknown: KnownCode = "a_code_of_tomorrow";
  return unknown ?? known;
};

export const meetings = async (parley: Client): Promise<MeetingEnd["reason"]> => {
  const seat = await parley.joinRoom({ roomId: "board" });
  const meeting = connectMeeting({
    ...seat,
    onMessage: (message, view) => {
      if (message.type === "muted") holds<Same<typeof message.by, string>>();
      if (message.type === "ended") message.reason === "removed";
      // @ts-expect-error replies are for `send`
      message.type === "reply";
      const peer: MeetingPeer | undefined = view?.peers[0];
      holds<Same<MeetingPeer["hand"], string | null>>();
      void peer;
    },
    onChat: (messages: readonly ChatMessage[]) => void messages[0]?.text,
  });
  await meeting.send("chat", { text: "Good morning" });
  await meeting.send("removePeer", { peerId: "ann", ban: 30 });
  // @ts-expect-error a text is required
  await meeting.send("chat", {});
  // @ts-expect-error there is no such command
  await meeting.send("dance", {});
  const end = await meeting.ended;
  if (end.reason === "unreachable") holds<Same<typeof end.message, string>>();
  return end.reason;
};

export const errors = ({ errors: all }: { readonly errors: readonly FieldError[] }): void => {
  for (const error of all) {
    holds<Same<typeof error.message, string>>();
    if (error.code === "too_long") holds<Same<typeof error.max, number>>();
    if (error.code === "not_one_of") holds<Same<typeof error.accepted, readonly string[]>>();
    // @ts-expect-error it has no values
    if (error.code === "required") error.max;
    // @ts-expect-error there is no such code
    if (error.code === "no_such_code") return;
  }
};
