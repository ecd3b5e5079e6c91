import { organizationTables } from "./0050-organizations.ts";
import { peopleTables } from "./0051-people.ts";
import { roomTables } from "./0052-rooms.ts";
import { meetingTables } from "./0053-meetings.ts";
import { recordingTables } from "./0054-recordings.ts";
import { historyTables } from "./0055-history.ts";
import { webhookTables } from "./0056-webhooks.ts";
import { importTables } from "./0057-imports.ts";
import { scheduleTables } from "./0058-schedules.ts";
import { usageTables } from "./0059-usage.ts";
import { datesTakenAway } from "./0060-dates-taken-away.ts";
import { deletedRooms } from "./0065-deleted-rooms.ts";
import { historySearch } from "./0068-history-search.ts";
import { invitationTerms } from "./0071-invitations.ts";
import { peopleSearch } from "./0072-people-search.ts";
import { entriesByKind } from "./0073-history-kinds.ts";
import { invitationDoors } from "./0075-invitation-doors.ts";
import { lastRuns } from "./0076-last-runs.ts";
import { secondDevices } from "./0077-second-devices.ts";
import { providerTables } from "./0080-providers.ts";
import { secondFactors } from "./0085-second-factors.ts";
import { passkeyTables } from "./0086-passkeys.ts";
import { peoplesLanguages } from "./0090-languages.ts";
import { directoryPeople } from "./0095-directory-people.ts";
import { traces } from "./0099-traces.ts";
import { demandedPasswords } from "./0100-demanded-passwords-beside-0099.ts";
import { runLanguages } from "./0102-speech-languages.ts";
import { lastReasons } from "./0103-last-reasons.ts";
import { sessionClients } from "./0104-session-clients.ts";
import type { Migration } from "./migration.ts";

/**
 * Every migration, in order, by hand: only migrations in this list run. They begin at 0050, because former
 * names must not come to mean something else (../former.ts).
 */
export const migrations: readonly Migration[] = [
  organizationTables,
  peopleTables,
  roomTables,
  meetingTables,
  recordingTables,
  historyTables,
  webhookTables,
  importTables,
  scheduleTables,
  usageTables,
  datesTakenAway,
  deletedRooms,
  historySearch,
  invitationTerms,
  peopleSearch,
  entriesByKind,
  invitationDoors,
  lastRuns,
  secondDevices,
  providerTables,
  secondFactors,
  passkeyTables,
  peoplesLanguages,
  directoryPeople,
  traces,
  demandedPasswords,
  runLanguages,
  lastReasons,
  sessionClients,
];
