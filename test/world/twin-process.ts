// `parley start` of a twin, as a separate process. TWIN describes the twin.
import { flushCompileCache } from "node:module";
import { becomeTwin } from "../twins/twin.ts";

becomeTwin(JSON.parse(process.env.TWIN ?? ""));
await import("../../server/main.ts");
const { run } = await import("../../server/cli/main.ts");
// Flushed now, because most twins are killed.
flushCompileCache();
await run(["start"]);
