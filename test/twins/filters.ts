import type * as Filters from "../../server/media/filter.ts";
import { importFrom, type Twin } from "./twin.ts";

/** Passes LiveKit's list of speakers on unchanged. */
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

/** Reports everybody's end, even of people whom the client never knew. */
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

/** Keeps people in a resuming client's list who were hidden while its connection was lost. */
export const forgetsWhoWasShown: Twin = {
  name: "forgets whom a client has been shown",
  replaced: [
    {
      file: "media/view.ts",
      lines:
        'if (shown.has(identity) || taken.has(identity) || see(identity) !== "none") continue;',
      by: "continue;",
    },
  ],
};

/** Lets anybody publish any number of tracks. */
export const countsNoTracks: Twin = {
  name: "counts no tracks",
  replaced: [
    {
      file: "media/publishing.ts",
      lines: "if (!asked.has(track.cid) && asked.size + listed >= MOST_TRACKS) return false;",
      by: "",
    },
  ],
};

/** Passes a signal on to a hidden browser as it is, with every address in it. */
export const leadsInside: Twin = {
  name: "lets a guest lead the hidden browser inside",
  replaced: [
    {
      file: "socket/sent-views.ts",
      lines: "const passed = isPeer ? data : this.member.forCapture(data);",
      by: "const passed: string | undefined = data;",
    },
  ],
};

/** The filter of a twin. */
export const filterOf = async (twin: Twin): Promise<typeof Filters.Filter> =>
  (await importFrom<typeof Filters>(twin, "media/filter.ts")).Filter;
