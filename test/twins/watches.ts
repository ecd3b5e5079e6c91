import type * as Watches from "../../server/socket/watch.ts";
import { importFrom, type Twin } from "./twin.ts";

/** Looks at a meeting at once for everybody who comes in. */
export const hurriesAlways: Twin = {
  name: "looks at once for everybody",
  replaced: [
    {
      file: "socket/watch.ts",
      lines: "if (this.#isHurried || this.#endPause === undefined) return;",
      by: "if (this.#endPause === undefined) return;",
    },
  ],
};

/** Tells everybody what is new, also people who came in after the waiting messages were read. */
export const welcomesEarly: Twin = {
  name: "welcomes people before their messages",
  replaced: [
    {
      file: "socket/watch.ts",
      lines:
        "const still = members.filter((told) => this.#members.get(told.member.seatId) === told);",
      by: "const still = [...this.#members.values()];",
    },
  ],
};

/** How a twin watches a meeting. */
export const watchOf = async (twin: Twin): Promise<typeof Watches.Watch> =>
  (await importFrom<typeof Watches>(twin, "socket/watch.ts")).Watch;
