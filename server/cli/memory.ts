import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const SOON_MS = 300;

/**
 * Gives back what only the start needed, soon after it: the room in which modules were loaded is
 * several times what an idle service uses, and V8 keeps it as long as nothing presses. Limits of
 * the heap would do the same, and cost time under load.
 */
export const rest = (): void => {
  flushCompileCache();
  setTimeout(() => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (how: object) => void;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, SOON_MS).unref();
};
