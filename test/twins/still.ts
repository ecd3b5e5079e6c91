import type { STILL_MS } from "../../server/lib/watch.ts";
import type { Twin } from "./twin.ts";

/** Waits less long than the real service before something counts as standing still. */
export const hasty = (times: Partial<Record<keyof typeof STILL_MS, number>>): Twin => ({
  name: `hasty: ${JSON.stringify(times)}`,
  replaced: [
    {
      file: "lib/watch.ts",
      export: "STILL_MS",
      by: `(real) => ({ ...real, ...${JSON.stringify(times)} })`,
    },
  ],
});

/** Notices nothing that stands still. */
export const noticesNothing: Twin = {
  name: "notices nothing that stands still",
  replaced: [{ file: "lib/watch.ts", lines: "if (this.#looks > LOOKS) {", by: "if (false) {" }],
};
