import { access } from "./access.ts";
import { common } from "./common.ts";
import { people } from "./people.ts";
import { rooms } from "./rooms.ts";

/** The English texts. */
export const en = { ...common, ...access, rooms, people };
