import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { moderation } from "../meetings/commands.ts";
import type { EnteredRoom, SeatsTaken } from "../meetings/meetings.ts";
import { brandMeaning } from "./brand-docs.ts";
import type { MeaningsOf } from "./kit.ts";
import { points, whoModerates } from "./kit.ts";
import { liveStreamMeaning } from "./live-docs.ts";
import { recordingMeanings } from "./recording-docs.ts";

/*
 * Descriptions of the operations of meetings and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type MeetingOperation =
  | keyof typeof moderation
  | "fetchInvitation"
  | "joinRoom"
  | "leaveRoom"
  | "rateMeeting"
  | "createSessionToken"
  | "revokeSessionToken"
  | "getRoomLink"
  | "roomDoor"
  | "getMeeting"
  | "listMeetings"
  | "getAttendance"
  | "downloadAttendance"
  | "listBans"
  | "liftBan";

export const meetingDescriptions: Readonly<Record<MeetingOperation, string>> = {
  fetchInvitation:
    "Returns what a link opens: the room's name, whether it needs a password, whether a moderator must admit the caller, and the roles that the caller may take. With `sessionToken`, the caller is the invited person. Refuses a link that has ended.",
  joinRoom: points(
    "Takes a seat in a room. Returns the ticket that opens the meeting socket and the media.",
    "**Roles.** Owners, administrators and access keys enter as moderators, without a password. Others take the room's usual role or a lower one. If the role is full, `errors` has an entry `peerType.ROLE` for each role with free seats.",
    "**Claims.** A seat waits 30 seconds for the socket. If none is free, the address with most unentered seats of guests loses one to another address.",
    "**Returning.** A person with a seat keeps it. A new ticket replaces the former one. A person inside, or whose page closed in the last 20 seconds, may return by a link, an invitation or (in the same browser) a session that has ended.",
    "**Second device.** With `secondDevice` a person who has a seat keeps it, and gets another one of the same role that has no sound, in every room but p2p (`no_second_device`). It counts as a seat, and another second device takes it over. What is decided about the person ends or changes both; when the person leaves with the first one, the second becomes their only one, with sound. Somebody without a seat joins as usual.",
    "**Waiting.** With `authenticationRequired`, guests wait until a moderator admits them (202). Their ticket opens the socket only. As many may wait as the room has seats, at least 50 and at most 300 (`lobby_full`). A guest with another name or a higher role waits again. A cookie distinguishes guests.",
    "**Throttling.** Wrong passwords count by room and address. The organization's people, and browsers that gave the right one in the last 30 days, have allowances of their own. Guests whom moderators refuse repeatedly must wait.",
  ),
  leaveRoom: points(
    "Gives back the seat of a ticket, or the place before the door, at once.",
    "A seat that has ended and an unknown ticket get the same answer.",
    "With `mayReturn`, which the meeting page sends when it closes or reloads, the meeting stays open for 20 seconds. Until then the person returns without password, lobby or lock, in the same role if it has a free seat. A place before the door is kept for as long.",
  ),
  rateMeeting: points(
    "Stores how a person rates the connection after a meeting, by the ticket of their last seat in it.",
    "Refuses a seat that has not ended, one that ended more than a day ago, and organizations that do not ask (`rateMeetings`).",
    "Only the average is shown (listMeetings).",
  ),
  createSessionToken: points(
    "Invites one named person into one room, with a role. The person needs no password, and waits for no moderator unless `lobby` says so. `joinUrl` opens the meeting page with the invitation.",
    "The same `peerId`, invited with the same access key, is the same person and gets the same seat. An invitation is not a seat.",
    "It ends with its time, with its access key, and by revokeSessionToken. It opens the room even after the link that it came with has ended.",
    "With `until`, it ends with a meeting in which two people were inside together: the running one, or the next one that does not end before the room's date; at the latest after 366 days.",
    "Only webhooks, getMeeting, getAttendance and moderators inside get its `metadata`.",
    "Only the page of that invitation gets its `returnUrl` (fetchInvitation).",
  ),
  revokeSessionToken: points(
    "Ends invitations that an access key made into a room, at once and on every process: the one of a `sessionToken`, or with `peerId` all of the person's.",
    "The person loses seats and live streams, and cannot return to the running meeting as a guest in the same browser, but can be invited again.",
    "An invitation is unknown twelve hours after its end; `peerId` still removes the person. Invitations of another access key are answered as unknown.",
  ),
  roomDoor: points(
    "Returns whether guests of a room wait for a host. If `waitsForHost` is sent, changes it. The room's record does not have it.",
    "Hosts are owners, administrators, access keys, people of the organization and moderators. Once one of them has been inside, guests come in until the meeting ends.",
    "For callers who may edit the room; every other room is answered as unknown.",
  ),
  getRoomLink:
    "Returns the link that opens a room. Makes one if there is none; with `renew`, the current one ends first. Without `roomPermaLink` a link ends with the first meeting that ends after `scheduledDateTime` and in which two people were inside together. For administrators, access keys and the room's owners; every other room is answered as unknown.",
  getMeeting:
    "Returns who is inside a room now, and who waits. For administrators, access keys and the room's owners; every other room is answered as unknown.",
  listMeetings:
    "Returns one page of the meetings to which somebody came, newest first, running ones included. A person who is not an administrator gets only those of rooms that the person owns.",
  getAttendance:
    "Returns who was in a meeting, in the order in which they came, including people inside a running one. A person who left and returned has an entry for each time; the time on two devices at once is one. Names of permanently deleted people are empty. Meetings of other people's rooms are answered as unknown.",
  downloadAttendance:
    "Returns what getAttendance returns, as a table (RFC 4180) with a column for each field, in which nothing is a formula.",
  allowRoomJoin: `Admits a waiting person, or everybody. Each takes a seat. With \`all\`, people without a free seat keep waiting; refused only if nobody can be admitted. ${whoModerates}`,
  denyRoomJoin: `Refuses a waiting person, or everybody. ${whoModerates}`,
  removePeer: points(
    "Ends a person's seat and ticket at once. With `ban` it keeps them out until the meeting ends, for some minutes, or for good; the last two outlive the meeting.",
    "`ban` excludes the account or the invited person, and guests from the same browser.",
    "The peerId of any seat that a person has had in the room names the person, here and in every operation that moderates, also after they left or returned.",
    whoModerates,
  ),
  listBans:
    "Returns who is excluded from a room, the longest excluded first: people whom removePeer excluded, and, for the running meeting, people who were suspended or revoked while inside. For administrators, access keys and the room's owners; every other room is answered as unknown.",
  liftBan:
    "Ends every exclusion of a person from the room, also for the browser in which they came. For administrators, access keys and the room's owners; every other room is answered as unknown.",
  mutePeer: `Ends a person's sound, picture or shared screen, or everybody's but the moderators'. They can begin again themselves. ${whoModerates}`,
  changePeer: `Changes a person's role, if the new role has a free seat. A lower role holds until the meeting ends or a moderator gives a higher one, also after the person left and returned. ${whoModerates}`,
  upgradeRequest: `Answers a viewer who asks to take part, invites one to, or makes one a viewer again. At most \`noOfUpgradeRequests\` viewers ask or take part at a time. ${whoModerates}`,
  lockRoom: `Locks a running meeting, so that only hosts can newly come in, or unlocks it. The lock ends with the meeting. ${whoModerates}`,
  muteOnEntry: `Turns the microphones of people who enter a running meeting from now on off, except moderators', or stops doing so. They may turn them on as the room allows. A reload of the page does not count as entering. It ends with the meeting. ${whoModerates}`,
  closeRoom: `Ends a meeting for everybody. Does nothing without a meeting. ${whoModerates}`,
};

const enteredRoom: MeaningsOf<EnteredRoom> = {
  roomId: "The ID of the room.",
  name: "The name of the room.",
  roomType: "p2p, conferencing or event.",
  roomAgenda: "What the meetings are about; null where nothing is said.",
  scheduledDateTime: "When the next meeting is planned; null where none is.",
};

const peerId = "The ID of the seat.";
const peerName = "The name that others see.";
const peerType = "The role: moderator, participant or viewer.";
const userId = "The ID of the person's account; null for guests and for invited people.";
const metadata = {
  is: "What the person's invitation gave (createSessionToken); omitted where it gave nothing.",
  fields: {},
};
const secondDevice =
  "Whether it is the person's second device, without sound; omitted where it is not.";
const since = "Since when: ISO 8601, UTC.";
const seat = {
  is: "The seats of this role.",
  fields: { taken: "How many are taken.", allowed: "How many there are." },
};
const seats: MeaningsOf<SeatsTaken> = { moderator: seat, participant: seat, viewer: seat };

type Answered = {
  readonly [K in MeetingOperation]: Operations[K] extends { readonly file: readonly string[] }
    ? Readonly<Record<string, never>>
    : MeaningsOf<Reply<Operations[K]>>;
};

/** @param pagination what the pagination fields mean */
export const meetingFields = (pagination: {
  readonly is: string;
  readonly fields: MeaningsOf<Pagination>;
}): Answered => ({
  fetchInvitation: {
    invitation: {
      is: "What the link opens.",
      fields: {
        ...enteredRoom,
        organization: "The name of the room's organization.",
        brand: brandMeaning,
        passwordRequired: "Whether the caller has to give the room's password.",
        lobby: "Whether a moderator has to let the caller in.",
        running: "Whether a meeting has begun.",
        locked: "Whether a moderator has locked the meeting.",
        stream: "Whether a live stream can be watched without a seat (watchStream).",
        recording: "Whether the meeting is being recorded.",
        streaming: "Whether it is being streamed live, wherever it is watched.",
        transcribing: "Whether what is said in it is written down.",
        peerTypes: "The roles with seats that the caller may take, the usual one first.",
        peerName: "The name of the signed-in caller, or of the invited person; null for a guest.",
        host: "Whether the caller is an owner of the room, an administrator or an access key, who may copy its link.",
        rating: "Whether people are asked to rate the connection after the meeting (rateMeeting).",
        speechLanguage:
          "The organization's language of transcriptions (`speechLanguage`); omitted where it has none.",
        waitsForHost: "Whether the caller comes in only once a host has come (roomDoor).",
        returnUrl:
          "Where the invited person goes on after the meeting; omitted where the invitation names nothing.",
      },
    },
  },
  joinRoom: {
    waiting:
      "Whether they wait before the door: `lobby` on the meeting socket says for whom or what.",
    ticket: "Opens the meeting socket and the media. Keep it secret; it ends with the seat.",
    peer: { is: "The seat.", fields: { peerId, peerName, peerType, secondDevice } },
    room: { is: "The room.", fields: enteredRoom },
    socket: "The path of the meeting socket.",
    media: {
      is: "How pictures and sound travel; null while waiting.",
      fields: {
        url: "The address of the media engine, for livekit-client's `connect`; null where browsers connect directly.",
        iceServers: {
          is: "The STUN and TURN servers.",
          fields: {
            urls: "Their addresses.",
            username: "The user name for a TURN server.",
            credential: "The password for a TURN server.",
          },
        },
      },
    },
  },
  leaveRoom: {},
  rateMeeting: {},
  createSessionToken: {
    message:
      "Whether the person has a seat in the room's meeting already, which the invitation then opens.",
    sessionToken: "The invitation. joinRoom takes it.",
    roomDisplayName: "The name of the room.",
    joinUrl: "The address that opens the meeting page with the invitation, in its fragment.",
  },
  revokeSessionToken: {},
  roomDoor: { waitsForHost: "Whether guests come in only once a host has come." },
  getRoomLink: { code: "The code of the link. joinRoom takes it.", url: "The link." },
  getMeeting: {
    meeting: {
      is: "The room as it is now.",
      fields: {
        meetingId: "The ID of the meeting; null while nobody is there.",
        startedAt: "When the first person came: ISO 8601, UTC; null while nobody has come.",
        roomStatus: "free, busy or occupied.",
        locked: "Whether a moderator has locked the meeting.",
        mutesEntry: "Whether people who enter begin with the microphone off (muteOnEntry).",
        liveStream: liveStreamMeaning,
        transcribing: "Whether the meeting is transcribed now.",
        recordings: {
          is: "What is and was recorded of the meeting, the newest first.",
          fields: recordingMeanings,
        },
        seats: { is: "The seats by role.", fields: seats },
        peers: {
          is: "Everybody with a seat, the first to come first.",
          fields: {
            peerId,
            peerName,
            peerType,
            userId,
            since,
            state:
              "claimed: the seat is taken, the person not yet there; inside; away: the connection is lost, and the seat is kept for a moment.",
            mediaConnected:
              "Whether the media engine has a connection for the person's media: without it they see and hear nobody. False while the engine does not answer; null where browsers connect directly.",
            audio: "Whether the person's sound is on.",
            video: "Whether the person's picture is on.",
            share: "Whether the person shares a screen.",
            hand: "Whether the person's hand is raised.",
            quality:
              "How good the connection is, as the page reports it: good, fair or poor; null: not known.",
            metadata,
            secondDevice,
          },
        },
        waiting: {
          is: "Everybody who waits before the door, the longest waiting first.",
          fields: { peerId, peerName, since, metadata },
        },
      },
    },
  },
  listMeetings: {
    meetings: {
      is: "The meetings on the page, newest first.",
      fields: {
        meetingId: "The ID of the meeting. getAttendance takes it.",
        roomId: "The ID of the room.",
        roomName: "The name of the room.",
        startedAt: "When the first person came: ISO 8601, UTC.",
        endedAt: "When the last person left: ISO 8601, UTC; null while it runs.",
        seconds: "The seconds with somebody inside; of a running meeting until now.",
        people: "How many people came, each counted once.",
        rating: "How people rated the connection, on average, from 1 to 5; null: nobody did.",
        ratings: "How many ratings there are.",
      },
    },
    pagination,
  },
  getAttendance: {
    attendance: {
      is: "Who was in the meeting, in the order in which they came.",
      fields: {
        peerId,
        peerName,
        peerType,
        userId,
        joinedAt: "When the person came: ISO 8601, UTC.",
        leftAt: "When the person left: ISO 8601, UTC; null while inside.",
        seconds: "How long the person was there; until now while inside.",
        reason:
          "Why the seat ended: left, lost (the connection), removed, banned, closed (the meeting), signed_out or room_deleted; null while inside.",
        metadata,
      },
    },
  },
  downloadAttendance: {},
  listBans: {
    bans: {
      is: "Who is excluded.",
      fields: {
        peerId: "The seat from which they were excluded. liftBan takes it.",
        peerName: "The name that others saw; empty once it is erased.",
        userId,
        createdAt: "Since when: ISO 8601, UTC.",
        lasts:
          "meeting: until this meeting ends; time: until `endsAt`; always: until it is lifted.",
        endsAt: "When it ends: ISO 8601, UTC; null where it does not end by the clock.",
      },
    },
  },
  liftBan: {},
  allowRoomJoin: {},
  denyRoomJoin: {},
  removePeer: {},
  mutePeer: {},
  changePeer: {},
  upgradeRequest: {},
  lockRoom: {},
  muteOnEntry: {},
  closeRoom: {},
});
