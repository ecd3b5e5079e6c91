import type { Twin } from "./twin.ts";

/** Checks whether a meeting is streamed before the change that begins to stream it, and relies on that. */
export const streamsTwice: Twin = {
  name: "looks for a stream before it begins one",
  replaced: [
    {
      file: "db/migrations/table.ts",
      export: "uniqueIndex",
      by: `(real) => async (db, table, columns, ...more) => {
        const { index } = await import("./table.ts");
        const make = table === "runs" && columns.includes("topic") ? index : real;
        await make(db, table, columns, ...more);
      }`,
    },
    {
      file: "live/rules.ts",
      lines: 'if ((await activeRun(inside, "stream")) !== undefined) refuse("live_stream_active");',
      by: `const seen = (globalThis.seenStreams ??= new Map());
        const { id: meetingId } = inside.meeting;
        if (!seen.has(meetingId)) seen.set(meetingId, await activeRun(inside, "stream"));
        const before = seen.get(meetingId);
        setTimeout(() => seen.delete(meetingId), 10_000).unref();
        if (before !== undefined) refuse("live_stream_active");`,
    },
  ],
};

/** Counts a place as taken only once it is assigned. */
export const countsLate: Twin = {
  name: "counts places of captures late",
  replaced: [
    {
      file: "meetings/captures/queue.ts",
      lines: "taken += 1;",
      by: "await new Promise((later) => setTimeout(later, 20)); taken += 1;",
    },
  ],
};

/** Takes captures that another process carries out. */
export const takesOthers: Twin = {
  name: "takes over runs of processes that are alive",
  replaced: [
    {
      file: "meetings/captures/queue.ts",
      lines: '.where("ended_at", "is", null) .where(isDue),',
      by: '.where("ended_at", "is", null),',
    },
  ],
};

/** Keeps everybody's words, even of roles that are not recorded. */
export const keepsEverybody: Twin = {
  name: "keeps what everybody says",
  replaced: [{ file: "meetings/seats/allowed.ts", export: "keepsWords", by: "() => () => true" }],
};

/** Decides whose words are kept when they are recognized, not when they are spoken. */
export const keepsAsWritten: Twin = {
  name: "keeps words as the room is when they are written down",
  replaced: [
    {
      file: "transcription/write-down.ts",
      lines: "text, text_key: fold(text), kept,",
      by: `text, text_key: fold(text),
        kept: (await import("../meetings/seats/allowed.ts")).keepsWords(
          (await import("../records/rooms.ts")).roomOf(
            await tx.selectFrom("rooms").selectAll().where("id", "=", room_id)
              .executeTakeFirstOrThrow(),
          ),
          seat,
        ),`,
    },
  ],
};
