import type { NextDate } from "../../../contract/schedule/schedule.ts";
import { parley } from "../../kit/client.ts";
import { saveFile } from "../../kit/save-file.ts";
import { roomHere, sessionToken } from "../address.ts";

/** When the room of this page is used next; null where no date comes. */
export const fetchNext = async (): Promise<NextDate | null> =>
  (
    await parley.fetchNextDate({
      roomId: roomHere(),
      ...(sessionToken !== undefined && { sessionToken }),
    })
  ).next;

/** Saves the dates of a room as a calendar file. */
export const saveCalendar = ({ calendar }: NextDate): void =>
  saveFile("meeting.ics", new Blob([calendar], { type: "text/calendar;charset=utf-8" }));
