import type { Twin } from "./twin.ts";

/** Checks whether something is recorded before the change that begins to record, and relies on that. */
export const recordsTwice: Twin = {
  name: "looks for a recording before it begins one",
  replaced: [
    {
      file: "db/migrations/table.ts",
      export: "uniqueIndex",
      by: `(real) => async (db, table, columns, ...more) => {
        const { index } = await import("./table.ts");
        const make = table === "recordings" && columns.includes("room_id") ? index : real;
        await make(db, table, columns, ...more);
      }`,
    },
    {
      file: "meetings/captures/recording-rules.ts",
      lines: 'if (await findLiving(change.tx, meeting.room_id)) refuse("recording_active");',
      by: `const seen = (globalThis.seenRecordings ??= new Map());
        if (!seen.has(meeting.room_id)) {
          seen.set(meeting.room_id, await findLiving(change.tx, meeting.room_id));
        }
        const before = seen.get(meeting.room_id);
        setTimeout(() => seen.delete(meeting.room_id), 10_000).unref();
        if (before) refuse("recording_active");`,
    },
  ],
};

/** Leaves a half-made smaller size beside the complete sizes. */
export const leavesHalves: Twin = {
  name: "leaves what a killed process has made half",
  replaced: [
    { file: "recordings/finish.ts", lines: 'if (entry.endsWith(".part"))', by: "if (false)" },
  ],
};

/** Lets an ffmpeg that makes files of recordings outlive its service. */
export const outlived: Twin = {
  name: "lets ffmpeg outlive it",
  replaced: [
    {
      file: "recordings/ffmpeg.ts",
      lines: '{ read -r _ <&3; kill -9 "$program"; }',
      by: "{ read -r _ <&3; }",
    },
  ],
};

/** Leaves the recordings of a dead process as they are. */
export const sweepsNothing: Twin = {
  name: "leaves the recordings of the dead as they are",
  replaced: [
    {
      file: "recordings/sweep.ts",
      lines: "for (const row of due) {",
      by: "for (const row of []) {",
    },
  ],
};

/** Changes a recording that another process has taken meanwhile. */
export const changesUnheld: Twin = {
  name: "changes what it holds no more",
  replaced: [
    {
      file: "recordings/hold.ts",
      lines: '.where("process", "=", processId)\n          .$if(',
      by: ".$if(",
    },
  ],
};

/** The disk never makes the folder of a recording with the name "hung". */
const stuck = {
  file: "recordings/make.ts",
  lines: "change(() => makeFolder(folder))",
  by: `change(() => (taken.name === "hung" ? new Promise(() => {}) : makeFolder(folder)))`,
};

/** A disk that hangs. */
export const hangsMkdir: Twin = { name: "has a disk that makes no folder", replaced: [stuck] };

/** Waits for such a disk for as long as it takes. */
export const waitsForDisk: Twin = {
  name: "waits for a disk that makes no folder",
  replaced: [
    stuck,
    {
      file: "lib/disk.ts",
      lines: "return await Promise.race([asking, late])",
      by: "late.catch(() => {}); return await asking",
    },
  ],
};
