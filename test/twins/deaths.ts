import type { Twin } from "./twin.ts";

/*
 * Services that die (SIGKILL) in the middle of something, at the place and time that a test chooses: at a
 * step whose name is that of a file in the data folder.
 */

/** A step of what happens to a seat at which a service can be made to die. */
export type Step =
  | `${"before" | "after"} the ${"commit" | "dial"}`
  | "before the engine lets go"
  | "once the engine has let go";

const die = (step: Step): string => `
  if (globalThis.process.getBuiltinModule("node:fs").existsSync(
    globalThis.process.env.DATA_DIR + "/${step}")) globalThis.process.kill(globalThis.process.pid, "SIGKILL");
`;

/** Only changes that people in a meeting see: the service makes others in the background. */
const dieInMeeting = (step: Step): string => `if (changed.size > 0) { ${die(step)} }`;

/** Correct, but mortal. */
export const diesWhereTold: Twin = {
  name: "dies at the step that it is told",
  replaced: [
    {
      file: "change/organization.ts",
      lines: "await queueDeliveries(change, events);",
      by: `await queueDeliveries(change, events); ${dieInMeeting("before the commit")}`,
    },
    {
      file: "change/organization.ts",
      lines: "database.announcements.announce([...changed]);",
      by: `${dieInMeeting("after the commit")} database.announcements.announce([...changed]);`,
    },
    {
      file: "media/cluster.ts",
      lines: "const token = signToken(",
      by: `${die("before the dial")} const token = signToken(`,
    },
    {
      file: "meetings/engine/gate.ts",
      lines: "const socket = await dialing;",
      by: `const socket = await dialing; ${die("after the dial")}`,
    },
    {
      file: "media/cluster.ts",
      lines: "async remove(meeting, seat) {",
      by: `async remove(meeting, seat) { ${die("before the engine lets go")}`,
    },
    {
      file: "meetings/doors/sweep.ts",
      lines: "await engine?.remove(seat.meeting_id, seat.id);",
      by: `{ await engine?.remove(seat.meeting_id, seat.id); ${die("once the engine has let go")} }`,
    },
  ],
};

/** Frees the seats of people who have left, and removes nobody from the media engine. */
export const removesNobody: Twin = {
  name: "frees seats and leaves their people in the engine",
  replaced: [
    {
      file: "meetings/engine/gate.ts",
      lines: "async #removeNow(meetingId: string, seatId: string): Promise<void> {",
      by: `async #removeNow(meetingId: string, seatId: string): Promise<void> {
        if (meetingId) return;`,
    },
  ],
};
