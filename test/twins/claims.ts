import type { Twin } from "./twin.ts";

/** Lets people keep the seats that they claim, even if they never enter. */
export const keepsEveryClaim: Twin = {
  name: "gives no claim up",
  replaced: [
    {
      file: "meetings/state/find-place.ts",
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
      file: "meetings/seats/claims-by-address.ts",
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
      file: "meetings/state/find-place.ts",
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
      file: "socket/session.ts",
      lines: 'if (counts && !allowances[counts](sender)) refuse("too_many_requests");',
      by: 'if (counts === "reports" && !allowances[counts](sender)) refuse("too_many_requests");',
    },
  ],
};

/** Gives each seat an allowance of its own. */
export const countsBySeat: Twin = {
  name: "counts what people send by their seats",
  replaced: [{ file: "socket/session.ts", lines: "person: seat.person,", by: "person: seat.id," }],
};

/** Correct, but strict: lets the guests of one address together change one thing for others in ten seconds. */
export const allowsAddressesLittle: Twin = {
  name: "allows the guests of an address little",
  replaced: [
    {
      file: "meetings/state/rate.ts",
      lines: "const GUESTS_OF_ADDRESS = 10;",
      by: "const GUESTS_OF_ADDRESS = 1 / 30;",
    },
  ],
};

/** The same, but gives each guest an allowance of their own. */
export const countsEachCookie: Twin = {
  name: "counts guests by their cookies alone",
  replaced: [
    ...allowsAddressesLittle.replaced,
    {
      file: "socket/session.ts",
      lines: "seat.person.startsWith(GUEST) ? countedAddress(address) : null",
      by: "null",
    },
  ],
};

/** Keeps signals for people who have no socket. */
export const keepsSignalsForTheAway: Twin = {
  name: "keeps signals for people who are away",
  replaced: [
    {
      file: "socket/signals.ts",
      lines: "(process === null ? [] : [id])",
      by: "(process === null ? [id] : [id])",
    },
    {
      file: "socket/signals.ts",
      lines: "else this.#lost.set(signal.seatId, signal);",
      by: "else { this.#signals.push(signal); this.#lost.set(signal.seatId, signal); }",
    },
  ],
};

/** Lets guests come and go without end. */
export const countsNoComing: Twin = {
  name: "lets guests come and go without end",
  replaced: [
    { file: "meetings/doors/join.ts", lines: "if (from !== null) countComing(", by: "void (" },
  ],
};

/** Lets a ticket open the meeting socket without end. */
export const connectsWithoutEnd: Twin = {
  name: "opens the meeting socket without end",
  replaced: [
    {
      file: "socket/session.ts",
      lines:
        "if (data && !(await mayConnect(database, data.ticket))) return socket.close(CLOSE.tooMuch);",
      by: "",
    },
  ],
};
