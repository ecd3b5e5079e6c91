// `parley start` of a twin, as a process of its own. TWIN describes it.
import { flushCompileCache } from "node:module";
import { becomeTwin } from "../twins/twin.ts";

becomeTwin(JSON.parse(process.env.TWIN ?? ""));
await import("../../server/main.ts");
const { run } = await import("../../server/cli/main.ts");
// Now: most twins are killed.
flushCompileCache();
await run(["start"]);
