import type { Twin } from "./twin.ts";

/** Passes LiveKit's list of speakers on as it is. */
export const tellsWhoSpeaks: Twin = {
  name: "tells who speaks",
  replaced: [
    {
      file: "media/filter.ts",
      lines: "value.speakers = value.speakers.filter(({ sid }) => view.mayKnow(sid));",
      by: "",
    },
  ],
};

/** Tells of everybody's end, also of those whom the client never knew. */
export const forgetsWhoIsHidden: Twin = {
  name: "tells that somebody hidden has left",
  replaced: [
    {
      file: "media/filter.ts",
      lines: "return view.forget(info.identity) ? [info] : [];",
      by: "return [info];",
    },
  ],
};
