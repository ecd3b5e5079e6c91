/** The texts about what was said in meetings. */
export const transcripts = {
  title: "Transcript",
  of: (when: string) => `Transcript of the meeting of ${when}`,
  empty: "Nothing was transcribed in this meeting.",
  search: "Search in what was said",
  nothingFound: "Nobody said this.",
  webVtt: "WebVTT",
  plain: "Text",
};
