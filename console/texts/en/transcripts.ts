import { counted } from "./plural.ts";

export const transcripts = {
  title: "Transcript",
  of: (when: string) => `Transcript of the meeting of ${when}`,
  ofRoom: (name: string) => `Transcript of a meeting in ${name}`,
  empty: "Nothing was transcribed.",
  search: "Search in what was said",
  nothingFound: "Nobody said this",
  nothingFoundHelp: "Try fewer words: the search looks for exactly what you type.",
  found: "What was said",
  foundHelp: "Search in the transcripts of all meetings.",
  begin: "Search for what somebody said",
  beginHelp: "The search covers all meetings that were transcribed.",
  what: (count: number) => counted(count, "line", "lines"),
  columns: { said: "Said", by: "By", when: "When", room: "Room" },
  playFrom: (time: string) => `Play from ${time}`,
  playThis: "Play this moment of the recording",
  webVtt: "Subtitles (WebVTT)",
  plain: "Text",
};
