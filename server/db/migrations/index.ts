import { firstTables } from "./0001-first-tables.ts";
import { formerPeople } from "./0002-former-people.ts";
import { meetings } from "./0003-meetings.ts";
import { recordings } from "./0004-recordings.ts";
import { live } from "./0005-live.ts";
import { history } from "./0006-history.ts";
import { keptAnswers } from "./0007-kept-answers.ts";
import { webhooks } from "./0008-webhooks.ts";
import { undo } from "./0009-undo.ts";
import { bin } from "./0010-bin.ts";
import { accessKeyScopes } from "./0011-access-key-scopes.ts";
import { imports } from "./0012-imports.ts";
import { claims } from "./0013-claims.ts";
import { whatMeetingsKeep } from "./0014-what-meetings-keep.ts";
import { keptCaptions } from "./0015-kept-captions.ts";
import { wholes } from "./0016-wholes.ts";
import { roomsOfEntries } from "./0017-rooms-of-entries.ts";
import { whatLinksAllow } from "./0018-what-links-allow.ts";
import { doors } from "./0019-doors.ts";
import { bansOfSeats } from "./0020-bans-of-seats.ts";
import { changesOfLines } from "./0021-changes-of-lines.ts";
import { whoRecords } from "./0022-who-records.ts";
import { whatRecordingsContinue } from "./0023-what-recordings-continue.ts";
import { lineErasures } from "./0024-line-erasures.ts";
import { dueDeliveries } from "./0025-due-deliveries.ts";
import { subjectsOfAnswers } from "./0026-subjects-of-answers.ts";
import { rolesOfMessages } from "./0027-roles-of-messages.ts";
import { livingSeats } from "./0028-living-seats.ts";
import { retriedLetters } from "./0029-retried-letters.ts";
import { whereLettersWent } from "./0030-where-letters-went.ts";
import { heldLetters } from "./0031-held-letters.ts";
import { foundAsMeant } from "./0032-found-as-meant.ts";
import { roleLimits } from "./0033-role-limits.ts";
import { whatPlacesWaitFor } from "./0034-what-places-wait-for.ts";
import { roomsThatWait } from "./0035-rooms-that-wait.ts";
import { personalRooms } from "./0036-personal-rooms.ts";
import { hiddenNotices } from "./0037-hidden-notices.ts";
import { schedules } from "./0038-schedules.ts";
import { listedRooms } from "./0040-listed-rooms.ts";
import { meetingControls } from "./0042-meeting-controls.ts";
import { ratings } from "./0043-ratings.ts";
import { mappedColumns } from "./0044-mapped-columns.ts";
import { usage } from "./0045-usage.ts";
import { accountsAndLogos } from "./0046-accounts-and-logos.ts";
import { invitationLetters } from "./0047-invitation-letters.ts";
import { plannedRooms } from "./0048-planned-rooms.ts";
import { linksThatAreOver } from "./0049-links-that-are-over.ts";
import type { Migration } from "./migration.ts";

/** Every migration, in order, by hand: only migrations in this list run. */
export const migrations: readonly Migration[] = [
  firstTables,
  formerPeople,
  meetings,
  recordings,
  live,
  history,
  keptAnswers,
  webhooks,
  undo,
  bin,
  accessKeyScopes,
  imports,
  claims,
  whatMeetingsKeep,
  keptCaptions,
  wholes,
  roomsOfEntries,
  whatLinksAllow,
  doors,
  bansOfSeats,
  changesOfLines,
  whoRecords,
  whatRecordingsContinue,
  lineErasures,
  dueDeliveries,
  subjectsOfAnswers,
  rolesOfMessages,
  livingSeats,
  retriedLetters,
  whereLettersWent,
  heldLetters,
  foundAsMeant,
  roleLimits,
  whatPlacesWaitFor,
  roomsThatWait,
  personalRooms,
  hiddenNotices,
  schedules,
  listedRooms,
  meetingControls,
  ratings,
  mappedColumns,
  usage,
  accountsAndLogos,
  invitationLetters,
  plannedRooms,
  linksThatAreOver,
];
