import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { codeIn, isLinkCode } from "../../contract/kit/typed-code.ts";
import { sessionTokenMessages } from "../../contract/meetings/meetings.ts";
import { liftBan, listBans } from "../meetings/doors/bans.ts";
import {
  createSessionToken,
  organizationOfSecret,
  revokeSessionToken,
} from "../meetings/doors/invitations.ts";
import { joinRoom } from "../meetings/doors/join.ts";
import { leaveByTicket } from "../meetings/doors/leave.ts";
import { datedRoom, invitationOf } from "../meetings/doors/link-preview.ts";
import * as history from "../meetings/record/history.ts";
import { rateByTicket } from "../meetings/record/ratings.ts";
import { codeOf, ownRoom } from "../meetings/state/links.ts";
import { roomDoor } from "../rooms/door.ts";
import { followLink } from "../rooms/follow-schedule.ts";
import { nextDate } from "../schedule/read.ts";
import { fileAnswer } from "./answer.ts";
import {
  changing,
  changingBySecret,
  open,
  openOrAs,
  type Route,
  type Service,
  scoped,
} from "./route.ts";

const ok = { success: true } as const;

/** Entering and leaving rooms, their links, and who is and was inside. */
export const meetingRoutes = ({
  config,
  database,
  media,
  refused,
  onError,
}: Pick<Service, "config" | "database" | "media" | "refused" | "onError">): readonly Route[] => {
  const addressOf = (code: string): string => `${config.publicUrl}/m/${code}`;
  return [
    openOrAs(o.fetchInvitation, async ({ input, cookies, ...asking }) => {
      const [guest] = cookies.guest.values();
      return { ...ok, invitation: await invitationOf(database, input, { ...asking, guest }) };
    }),
    openOrAs(o.fetchNextDate, async ({ input, cookies, ...asking }) => {
      const [guest] = cookies.guest.values();
      const { row, opens } = await datedRoom(database, input, { ...asking, guest });
      // The link by which they came, and no other.
      const code = codeIn(input.roomId);
      const link = addressOf(isLinkCode(code) ? code : encodeURIComponent(row.room));
      return {
        ...ok,
        next: await nextDate(database.read, config, { row, link: opens ? link : undefined }),
      };
    }),
    openOrAs(o.joinRoom, async ({ input, cookies, answerOther, ...asking }) => {
      const asked = { ...asking, guest: cookies.guest.values()[0] };
      const { answer, guest } = await joinRoom({ database, media, refused }, input, asked);
      if (guest !== undefined) cookies.guest.set(guest);
      if (answer.waiting) answerOther();
      return { ...answer, socket: config.basePath + answer.socket };
    }),
    open(o.leaveRoom, async ({ input }) => {
      await leaveByTicket(database, input);
      return ok;
    }),
    open(o.rateMeeting, async ({ input }) => {
      await rateByTicket(database, input);
      return ok;
    }),
    changingBySecret(
      o.createSessionToken,
      ({ input, ...asking }) =>
        organizationOfSecret({ database, onError }, o.createSessionToken, input, asking),
      ({ input }) => ({
        rule: (change) => createSessionToken(change, input),
        answer: ({ sessionToken, roomName, place, isInside }) => ({
          ...ok,
          message: sessionTokenMessages[isInside ? 1 : 0],
          sessionToken,
          roomDisplayName: roomName,
          // In the fragment, so no server logs it.
          joinUrl: `${addressOf(encodeURIComponent(place))}#${sessionToken}`,
        }),
      }),
    ),
    changingBySecret(
      o.revokeSessionToken,
      ({ input, ...asking }) =>
        organizationOfSecret({ database, onError }, o.revokeSessionToken, input, asking),
      ({ input }) => ({
        rule: (change) => revokeSessionToken(change, input),
        answer: () => ok,
      }),
    ),
    changing(o.roomDoor, ({ input }) => ({
      rule: (change) => roomDoor(change, input),
      answer: (waitsForHost) => ({ ...ok, waitsForHost }),
    })),
    changing(o.getRoomLink, ({ input, organization: { id } }) => ({
      rule: async (change) => {
        const room = await ownRoom(change.tx, id, change.caller, input.roomId);
        const code = await codeOf(change, room, input.renew);
        if (input.renew) await followLink(change, room);
        return code;
      },
      answer: (code) => ({ ...ok, code, url: addressOf(code) }),
    })),
    scoped(o.getMeeting, async ({ input, organization }) => ({
      ...ok,
      meeting: await history.meetingNow(organization, input.roomId, media),
    })),
    scoped(o.listBans, async ({ input, organization }) => ({
      ...ok,
      bans: await listBans(organization, input.roomId),
    })),
    changing(o.liftBan, ({ input }) => ({
      rule: (change) => liftBan(change, input),
      answer: () => ok,
    })),
    scoped(o.listMeetings, async ({ input, organization }) => {
      const { meetings, total } = await history.listMeetings(organization, input);
      return { ...ok, meetings: [...meetings], pagination: paginate(input, total) };
    }),
    scoped(o.getAttendance, async ({ input, organization }) => ({
      ...ok,
      attendance: await history.attendanceOf(organization, input.meetingId),
    })),
    scoped(o.downloadAttendance, ({ input: { meetingId }, organization }) =>
      fileAnswer(
        history.attendanceTable(organization, meetingId),
        "text/csv; charset=utf-8",
        `attendance-${meetingId}.csv`,
      ),
    ),
  ];
};
