import { organizations } from "./0050-organizations.ts";
import { people } from "./0051-people.ts";
import { rooms } from "./0052-rooms.ts";
import { meetings } from "./0053-meetings.ts";
import { recordings } from "./0054-recordings.ts";
import { history } from "./0055-history.ts";
import { webhooks } from "./0056-webhooks.ts";
import { imports } from "./0057-imports.ts";
import { schedules } from "./0058-schedules.ts";
import { usage } from "./0059-usage.ts";
import { datesTakenAway } from "./0060-dates-taken-away.ts";
import { deletedRooms } from "./0065-deleted-rooms.ts";
import type { Migration } from "./migration.ts";

/**
 * Every migration, in order, by hand: only migrations in this list run. They begin at 0050, because former
 * names must not come to mean something else (../former.ts).
 */
export const migrations: readonly Migration[] = [
  organizations,
  people,
  rooms,
  meetings,
  recordings,
  history,
  webhooks,
  imports,
  schedules,
  usage,
  datesTakenAway,
  deletedRooms,
];
