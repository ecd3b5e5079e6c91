import type { Operations } from "../index.ts";
import { MEETING_SOCKET } from "../meetings/meetings.ts";
import { exampleBrand } from "./brand-docs.ts";
import type { Example } from "./kit.ts";
import type { MeetingOperation } from "./meeting-docs.ts";

/*
 * An example of every request and answer about meetings: one meeting in the room of examples.ts.
 */

const success = true;
const roomId = "4815162342";
const code = "k3fm-8xqt-vw2p";
const origin = "https://parley.example.org";
const sessionToken = "m2Tq8vYc5KzRw1XnB7dHfJ4sLp0GaE9uQ6iVoCt3yZk";
const ticket = "Zr6Wn1cVq8TbY4kXo9SgJd5MfLh2PaUe7RiC0vKt3wE";
const peerId = "0199c2b1-4d20-7c83-a5e6-1f9b3d7c8a42";
const meetingId = "0199c2b1-4c9a-7b15-8d34-6e2a9f0c5b71";
const startedAt = "2026-01-14T15:00:03.112Z";
const endedAt = "2026-01-14T15:47:21.530Z";

const room = {
  roomId,
  name: "Board meeting",
  roomType: "conferencing",
  roomAgenda: "Budget",
  scheduledDateTime: "2026-01-14T15:00:00.000Z",
};
const peer = { peerId, peerName: "Ann Example", peerType: "participant" } as const;
const someone = { roomId, peerId };

export const meetingExamples = ({
  userId,
  accessKey,
  secret,
}: {
  readonly userId: string;
  readonly accessKey: string;
  readonly secret: string;
}): { readonly [K in MeetingOperation]: Example<Operations[K]> } => ({
  fetchInvitation: {
    request: { roomId: code },
    answer: {
      success,
      invitation: {
        ...room,
        brand: exampleBrand,
        organization: "Example",
        passwordRequired: false,
        lobby: false,
        running: true,
        locked: false,
        stream: false,
        recording: false,
        streaming: false,
        transcribing: false,
        peerTypes: ["participant", "viewer"],
        peerName: null,
        host: false,
        rating: false,
        waitsForHost: false,
      },
    },
  },
  joinRoom: {
    request: { roomId: code, peerName: "Ann Example" },
    answer: {
      success,
      waiting: false,
      ticket,
      peer,
      room,
      socket: MEETING_SOCKET,
      media: { type: "direct", url: null, iceServers: [] },
    },
  },
  leaveRoom: { request: { ticket }, answer: { success } },
  rateMeeting: { request: { ticket, rating: 4 }, answer: { success } },
  createSessionToken: {
    request: { accessKey, secretAccessKey: secret, roomId, peerName: "Ann Example" },
    answer: {
      success,
      message: "Session token generated successfully",
      sessionToken,
      roomDisplayName: room.name,
      joinUrl: `${origin}/m/${code}#${sessionToken}`,
    },
  },
  revokeSessionToken: {
    request: { accessKey, secretAccessKey: secret, roomId, sessionToken },
    answer: { success },
  },
  roomDoor: {
    request: { roomId, waitsForHost: true },
    answer: { success, waitsForHost: true },
  },
  getRoomLink: { request: { roomId }, answer: { success, code, url: `${origin}/m/${code}` } },
  getMeeting: {
    request: { roomId },
    answer: {
      success,
      meeting: {
        meetingId,
        startedAt,
        roomStatus: "busy",
        locked: false,
        mutesEntry: false,
        liveStream: null,
        transcribing: false,
        recordings: [],
        seats: {
          moderator: { taken: 0, allowed: 1 },
          participant: { taken: 1, allowed: 12 },
          viewer: { taken: 0, allowed: 0 },
        },
        peers: [
          {
            ...peer,
            userId,
            state: "inside",
            mediaConnected: true,
            since: startedAt,
            audio: true,
            video: true,
            share: false,
            hand: false,
            quality: "good",
          },
        ],
        waiting: [],
      },
    },
  },
  listMeetings: {
    request: { page: 1, limit: 25, roomId },
    answer: {
      success,
      meetings: [
        {
          meetingId,
          roomId,
          roomName: room.name,
          startedAt,
          endedAt,
          seconds: 2838,
          people: 1,
          rating: 4.5,
          ratings: 2,
        },
      ],
      pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
    },
  },
  getAttendance: {
    request: { meetingId },
    answer: {
      success,
      attendance: [
        {
          ...peer,
          userId,
          joinedAt: startedAt,
          leftAt: endedAt,
          seconds: 2838,
          reason: "left",
        },
      ],
    },
  },
  downloadAttendance: {
    request: { meetingId },
    answer: [
      "peerId,peerName,peerType,userId,joinedAt,leftAt,seconds,reason",
      `${peerId},${peer.peerName},${peer.peerType},${userId},${startedAt},${endedAt},2838,left`,
      "",
    ].join("\r\n"),
  },
  allowRoomJoin: { request: { roomId, requesterPeerId: peerId }, answer: { success } },
  denyRoomJoin: { request: { roomId, requesterPeerId: peerId }, answer: { success } },
  removePeer: { request: { ...someone, ban: "meeting" }, answer: { success } },
  listBans: {
    request: { roomId },
    answer: {
      success,
      bans: [
        {
          peerId,
          peerName: peer.peerName,
          userId: null,
          createdAt: startedAt,
          lasts: "meeting",
          endsAt: null,
        },
      ],
    },
  },
  liftBan: { request: { roomId, peerId }, answer: { success } },
  mutePeer: { request: { ...someone, type: "audio" }, answer: { success } },
  changePeer: { request: { ...someone, peerType: "moderator" }, answer: { success } },
  upgradeRequest: { request: { ...someone, action: "accept" }, answer: { success } },
  lockRoom: { request: { roomId, action: "lock" }, answer: { success } },
  muteOnEntry: { request: { roomId, on: true }, answer: { success } },
  closeRoom: { request: { roomId, message: "Thank you all." }, answer: { success } },
});
