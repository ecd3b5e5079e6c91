// A twin as a process of its own, so that it can be killed. TWIN describes it.
import { readConfig } from "../../server/config.ts";
import { importTwin } from "../twins/twin.ts";

const { startParley } = await importTwin(JSON.parse(process.env.TWIN ?? ""));
await startParley(readConfig(process.env));
