// `parley start` of a twin, as a process of its own. TWIN describes it.
import { flushCompileCache } from "node:module";
import { importTwin } from "../twins/twin.ts";

const twin = JSON.parse(process.env.TWIN ?? "");
// From then on every module of the server may be asked for as the twin's.
await importTwin(twin);
const door = new URL("../../server/cli/main.ts", import.meta.url).href;
const cli = await import(`${door}?twin=${encodeURIComponent(twin.name)}`);
// Now: most twins are killed.
flushCompileCache();
await cli.run(["start"]);
