import type { EnteredRoom } from "../../../contract/meetings.ts";
import { saveFile } from "../../data/save-file.ts";
import { linkHere } from "../address.ts";
import { calendarOf } from "./calendar-text.ts";

/** Saves the date of a room as a calendar file, with the link by which this person came. */
export const saveCalendar = (room: EnteredRoom, date: string): void => {
  const text = calendarOf(room, { date, link: linkHere(), made: new Date() });
  saveFile("meeting.ics", new Blob([text], { type: "text/calendar;charset=utf-8" }));
};
