import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Reply } from "../../contract/kit/operation.ts";
import type { getAttendance, getMeeting, listMeetings } from "../../contract/meetings/reports.ts";
import { parley } from "../kit/client.ts";

export type MeetingNow = Reply<typeof getMeeting>["meeting"];
export type HeldMeeting = Reply<typeof listMeetings>["meetings"][number];
export type Attendance = Reply<typeof getAttendance>["attendance"][number];

/** How often the current state of a meeting is loaded. */
const LOOK_MS = 3_000;

/** The people inside a room, kept up to date; other data of the room and its meetings follow. */
export const useMeetingNow = (roomId: string) => {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ["meeting", roomId],
    queryFn: async ({ signal }) => (await parley.getMeeting({ roomId }, { signal })).meeting,
    refetchInterval: LOOK_MS,
  });
  const current = query.data && `${query.data.meetingId} ${query.data.roomStatus}`;
  const known = useRef(current);
  useEffect(() => {
    if (known.current !== undefined && known.current !== current) {
      void queries.invalidateQueries({ queryKey: ["room", roomId] });
      void queries.invalidateQueries({ queryKey: ["meetings"] });
    }
    known.current = current;
  }, [current, queries, roomId]);
  return query;
};

export interface MeetingsAsked {
  readonly page: number;
  readonly limit: number;
  readonly roomId?: string;
  readonly search?: string;
}

/** The past meetings, newest first. */
export const useMeetings = (asked: MeetingsAsked) =>
  useQuery({
    queryKey: ["meetings", asked],
    queryFn: ({ signal }) => parley.listMeetings(asked, { signal }),
    placeholderData: keepPreviousData,
  });

/** The people who are excluded from a room. */
export const useBans = (roomId: string) =>
  useQuery({
    queryKey: ["bans", roomId],
    queryFn: async ({ signal }) => (await parley.listBans({ roomId }, { signal })).bans,
  });

export const loadAttendance = async (meetingId: string, signal?: AbortSignal) =>
  (await parley.getAttendance({ meetingId }, signal ? { signal } : {})).attendance;

/** The attendance of a meeting. */
export const useAttendance = (meetingId: string) =>
  useQuery({
    queryKey: ["attendance", meetingId],
    queryFn: ({ signal }) => loadAttendance(meetingId, signal),
  });
