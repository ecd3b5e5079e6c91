import type { Twin } from "./twin.ts";

/** A join that reads a part of what it finds at the door before it has the organization's row. */
const expectsBefore = (
  part: "counts" | "seats",
): string => `const early = await readPlace(parts.database.read, join);
  return join.organization.change(take, async (tx) => {
    const late = await readPlace(tx, join);
    return { ...late, place: { ...late.place, ${part}: early.place.${part} } };
  });`;

/** Counts the seats that were taken a while ago: longer ago than a rush takes on any machine. */
export const countsBefore: Twin = {
  name: "counts seats before the lock",
  replaced: [
    {
      file: "meetings/doors/join.ts",
      lines: "return join.organization.change(take, (tx) => readPlace(tx, join));",
      by: expectsBefore("counts"),
    },
  ],
};

/** Checks whether a person has a seat before it takes the lock, and relies on that. */
export const findsBefore: Twin = {
  name: "looks for somebody's seat before the lock",
  replaced: [
    {
      file: "meetings/doors/join.ts",
      lines: "return join.organization.change(take, (tx) => readPlace(tx, join));",
      by: expectsBefore("seats"),
    },
  ],
};

/** Takes the organization's row for everybody who comes. */
export const looksUnderTheRow: Twin = {
  name: "asks nobody before the organization's row is held",
  replaced: [{ file: "meetings/doors/join.ts", lines: "await lookFirst(join);", by: ";" }],
};

/** Counts who waits in a lobby only once. */
export const countsWaitingOnce: Twin = {
  name: "counts the people who wait only once",
  replaced: [
    {
      file: "meetings/seats/places.ts",
      lines: 'if (Number(row.count) - given >= most) refuse("lobby_full");',
      by: `const seen = (globalThis.seenWaiting ??= new Map());
        if (!seen.has(meetingId)) seen.set(meetingId, Number(row.count));
        if (seen.get(meetingId) - given >= most) refuse("lobby_full");`,
    },
  ],
};

/** Lets people ask to be let in however often moderators have refused them. */
export const forgetsWhomItSentAway: Twin = {
  name: "forgets whom it sent away",
  replaced: [
    {
      file: "socket/moderator-commands.ts",
      lines: "for (const seat of waiting) await countSentAway(change.tx, seat);",
      by: "",
    },
  ],
};

/** Gives people who return their seats, even if others have taken them meanwhile. */
export const returnsUncounted: Twin = {
  name: "lets people come back without looking for a free seat",
  replaced: [
    {
      file: "meetings/doors/reconnect.ts",
      lines: "await findPlace(change, room, meeting, { role, claimedFrom });",
      by: "",
    },
  ],
};

/** Keeps the seat of a lost connection for no time at all. */
export const freesAtOnce: Twin = {
  name: "frees a seat before the end of its lease",
  replaced: [
    {
      file: "meetings/doors/presence.ts",
      lines: "now(Math.max(AWAY_MS - silentMs, BACK_MS))",
      by: "now(0)",
    },
  ],
};

/** Keeps a seat from the moment when it notices the loss. */
export const keepsFromTheNotice: Twin = {
  name: "keeps a seat from the notice on",
  replaced: [
    {
      file: "meetings/doors/presence.ts",
      lines: "now(Math.max(AWAY_MS - silentMs, BACK_MS))",
      by: "now(AWAY_MS)",
    },
  ],
};

/** Treats the end of an earlier connection as the end of the current one. */
export const closesUnfenced: Twin = {
  name: "closes without the number of the connection",
  replaced: [
    { file: "meetings/doors/presence.ts", lines: '.where(connection, "=", number)', by: "" },
  ],
};

/** Removals from the engine wait while a test holds them; see `holdsRemovals`. */
export interface Hold {
  asked: number;
  /** How many joins found their own former seat. */
  waits: number;
  readonly until: Promise<void>;
}

/** Correct, but slow: removes nobody from the media engine before the test allows it. */
export const holdsRemovals: Twin = {
  name: "removes from the engine when it is told to",
  replaced: [
    {
      file: "media/cluster.ts",
      lines: "async remove(meeting, seat) {",
      by: `async remove(meeting, seat) {
        if (globalThis.removals) globalThis.removals.asked += 1;
        await globalThis.removals?.until;`,
    },
  ],
};

/** Frees a seat while the media engine still has its person. */
export const freesBeforeTheEngine: Twin = {
  name: "frees a seat before the engine agreed",
  replaced: [
    ...holdsRemovals.replaced,
    {
      file: "meetings/state/end-seats.ts",
      lines: 'meeting.media === "livekit" && seat.media_connection > 0',
      by: "false",
    },
  ],
};

/** Frees a seat long before the media engine lets its person go. */
export const freesLongBefore: Twin = {
  name: "frees a seat ten seconds before the engine lets go",
  replaced: [
    ...freesBeforeTheEngine.replaced.slice(1),
    {
      file: "media/cluster.ts",
      lines: "async remove(meeting, seat) {",
      by: `async remove(meeting, seat) {
        await new Promise((resolve) => setTimeout(resolve, 10_000));`,
    },
  ],
};

/** Correct, but quick: gives up on a person whom no node of the engine has as soon as it learns so. */
export const judgesAtOnce: Twin = {
  name: "judges at once whom a dead node had",
  replaced: [{ file: "meetings/doors/sweep.ts", lines: "GHOST_MS = 30_000", by: "GHOST_MS = 0" }],
};

/** Waits forever for a dead node to let its people go. */
export const waitsForTheDead: Twin = {
  name: "waits for a dead node",
  replaced: [
    { file: "meetings/doors/sweep.ts", lines: "GHOST_MS = 30_000", by: "GHOST_MS = Infinity" },
  ],
};

/** Adds up everybody's time, even if they were inside together. */
export const countsOverlapsTwice: Twin = {
  name: "counts the minutes of two people twice",
  replaced: [
    {
      file: "meetings/state/running.ts",
      lines: "end - Math.max(until, Date.parse(joined_at))",
      by: "end - Date.parse(joined_at)",
    },
  ],
};

/** Counts people as present until their seats are free, whenever they were lost. */
export const countsTheOutage: Twin = {
  name: "counts the time in which nobody served",
  replaced: [
    {
      file: "meetings/doors/sweep.ts",
      lines: 'await releaseSeats(change, still, "lost", "last seen");',
      by: 'await releaseSeats(change, still, "lost", "now");',
    },
  ],
};

/** Reports that the end of a connection could not be stored, and does nothing else. */
export const storesEndOnce: Twin = {
  name: "tries once to store the end of a connection",
  replaced: [
    { file: "meetings/doors/presence.ts", lines: "onLate(error);", by: "return onLate(error);" },
  ],
};

/** Keeps whatever a browser sends until the database has answered the earlier messages. */
export const keepsWhatComes: Twin = {
  name: "keeps all that comes",
  replaced: [
    {
      file: "socket/session.ts",
      lines: "if (this.#waiting >= (this.#self ? COMMANDS.burst : EARLY)) {",
      by: "if (false) {",
    },
  ],
};

/** Does nothing else until the media engine has answered. */
export const waitsForTheEngine: Twin = {
  name: "waits for the engine",
  replaced: [
    {
      file: "meetings/doors/sweep.ts",
      lines: "removals.set(seat.id, removal);",
      by: "removals.set(seat.id, removal); await removal;",
    },
  ],
};

/** Correct: removes people from the engine when told to, and counts who waits for their own former seat. */
export const countsWaits: Twin = {
  name: "counts who waits for their own former seat",
  replaced: [
    ...holdsRemovals.replaced,
    {
      file: "meetings/state/former-seat.ts",
      export: "isLetGo",
      by: `(isLetGo) => async (...of) => {
        globalThis.removals.waits += 1;
        return isLetGo(...of);
      }`,
    },
  ],
};

/** Immediately tells a person who returns that the room is full, because of their own former seat. */
export const waitsForNobody: Twin = {
  name: "does not wait for their own former seat",
  replaced: [
    ...holdsRemovals.replaced,
    {
      file: "meetings/state/former-seat.ts",
      export: "isLetGo",
      by: `() => async () => {
        globalThis.removals.waits += 1;
        return false;
      }`,
    },
  ],
};

/** Correct, but slow: a check of a meeting reports what it saw a second later. */
export const looksLate: Twin = {
  name: "tells a second later what a look saw",
  replaced: [
    {
      file: "meetings/state/snapshot.ts",
      export: "loadSnapshot",
      by: `(load) => async (...of) => {
        const seen = await load(...of);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return seen;
      }`,
    },
  ],
};

/** Correct: reports after which messages the chat is read. */
export const tellsReadings: Twin = {
  name: "tells after which messages it reads the chat",
  replaced: [
    {
      file: "socket/watch.ts",
      lines: "await chatAfter(",
      by: `await ((...of) => {
        globalThis.chatReadings?.push(of.at(-1));
        return chatAfter(...of);
      })(`,
    },
  ],
};

/** Removes people who came in while the database was read. */
export const endsNewcomers: Twin = {
  name: "takes newcomers for people who are gone",
  replaced: [
    ...looksLate.replaced,
    {
      file: "socket/watch.ts",
      lines: "const gone = here.filter(",
      by: "const gone = [...this.#members].filter(",
    },
  ],
};

/** Leaves the second device of somebody who leaves with the first one as it is. */
export const leavesSecond: Twin = {
  name: "leaves a second device without a first one",
  replaced: [
    {
      file: "meetings/state/end-seats.ts",
      lines: "if (first === undefined) return;",
      by: "if (first !== undefined || first === undefined) return;",
    },
  ],
};
