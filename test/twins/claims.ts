import type { Twin } from "./twin.ts";

/** Lets people keep the seats that they claim, even if they never enter. */
export const keepsEveryClaim: Twin = {
  name: "gives no claim up",
  replaced: [
    {
      file: "meetings/find-place.ts",
      lines: "if (claim === undefined) throw full;",
      by: "throw full;",
    },
  ],
};

/** Gives up only places of people without a connection. */
export const keepsTheConnected: Twin = {
  name: "keeps places with a connection",
  replaced: [
    {
      file: "meetings/claims.ts",
      lines: '.where("claimed_from", "is not", null)',
      by: '.where("claimed_from", "is not", null).where("process", "is", null)',
    },
  ],
};

/** Gives a claim up before it knows that this frees a place. */
export const givesUpForNothing: Twin = {
  name: "gives a claim up for nothing",
  replaced: [
    {
      file: "meetings/find-place.ts",
      lines: "await check(claim);",
      by: 'await endSeats(change, claim.meeting_id, [claim], "lost"); await check();',
    },
  ],
};

/** Lets everybody change as much for others as a socket takes. */
export const takesWhateverComes: Twin = {
  name: "takes whatever a seat sends",
  replaced: [
    {
      file: "meetings/session.ts",
      lines:
        'if (CHANGING.has(name) && !mayChange(connected.seat.id)) refuse("too_many_requests");',
      by: "",
    },
  ],
};
