import type { EnteredRoom } from "../../../contract/meetings.ts";

/** A text as a value of iCalendar (RFC 5545, 3.3.11). */
const escaped = (text: string): string =>
  text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|[\r\n]/g, "\\n");

/** The most octets of a line (RFC 5545, 3.1). */
const LINE = 75;
const encoder = new TextEncoder();

/** A line in pieces, none of which ends within a character. */
const folded = (line: string): string => {
  let text = "";
  let octets = 0;
  for (const one of line) {
    const { length } = encoder.encode(one);
    if (octets + length > LINE) {
      text += "\r\n ";
      octets = 1;
    }
    text += one;
    octets += length;
  }
  return text;
};

/** A moment in UTC: so no time zone has to be described. */
const utc = (moment: Date): string => moment.toISOString().replace(/[-:]|\.\d{3}/g, "");

/** A meeting as a calendar file. The room has no length, so it is an hour. */
export const calendarOf = (
  { roomId, name, roomAgenda }: EnteredRoom,
  { date, link, made }: { readonly date: string; readonly link: string; readonly made: Date },
): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Parley//Meeting//EN",
    "BEGIN:VEVENT",
    `UID:${escaped(roomId)}@${new URL(link).host}`,
    `DTSTAMP:${utc(made)}`,
    `DTSTART:${utc(new Date(date))}`,
    "DURATION:PT1H",
    `SUMMARY:${escaped(name)}`,
    ...(roomAgenda ? [`DESCRIPTION:${escaped(`${roomAgenda}\n\n${link}`)}`] : []),
    `LOCATION:${escaped(link)}`,
    `URL:${link}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(folded)
    .join("\r\n");
