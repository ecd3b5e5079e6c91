import type * as Corrections from "../../server/meetings/engine/devices.ts";
import { importFrom, type Twin } from "./twin.ts";

/** Lets a correction turn on what a moderator has just muted. */
export const unmutes: Twin = {
  name: "writes a correction over a mute",
  replaced: [
    {
      file: "meetings/engine/devices.ts",
      lines: "if (!isMuted) return on;",
      by: "if (isMuted || !isMuted) return on;",
    },
  ],
};

/** How a twin stores corrections. */
export const correctionsOf = async (twin: Twin): Promise<typeof Corrections.storeDevices> =>
  (await importFrom<typeof Corrections>(twin, "meetings/engine/devices.ts")).storeDevices;
