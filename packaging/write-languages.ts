// `npm run languages`: writes the types of the messages from the English catalogs.
import { writeFileSync } from "node:fs";
import { typesSource } from "../languages/compile.ts";

writeFileSync(new URL("../languages/messages.ts", import.meta.url), typesSource());
