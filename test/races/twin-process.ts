// A twin as a process of its own, so that it can be killed: prints where it listens.
import { flushCompileCache } from "node:module";
import { readConfig } from "../../server/config.ts";
import { importTwin } from "../twins/twin.ts";
import * as twins from "../twins/twins.ts";

const twin = Object.values(twins).find(({ name }) => name === process.env.TWIN);
const { startParley } = twin ? await importTwin(twin) : await import("../../server/main.ts");
// Now: it is going to be killed.
flushCompileCache();
const { url } = await startParley(readConfig(process.env), { logTo: { write: () => {} } });
console.log(url);
