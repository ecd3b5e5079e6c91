import {
  historyActors,
  historyFormats,
  historyKinds,
  historySubjects,
} from "../history/history.ts";
import {
  importFormats,
  importForms,
  importKinds,
  lineOutcomes,
  linePlans,
} from "../imports/imports.ts";
import { fileEncodings, fileFormats, products, skipReasons } from "../imports/sheets.ts";
import type { Operations } from "../index.ts";
import { pageLanguages } from "../kit/languages.ts";
import { mailCauses } from "../kit/mail-causes.ts";
import { factorFor, firstPasswords, ownersMay, signInWays } from "../kit/organization-settings.ts";
import {
  colorSchemes,
  letterKinds,
  pageSizes,
  peerTypes,
  qualities,
  repetitions,
  weekdays,
} from "../kit/plain.ts";
import { scopes } from "../kit/scopes.ts";
import { streamKinds, streamStates } from "../meetings/live.ts";
import { endReasons } from "../meetings/socket.ts";
import { binKinds } from "../organization/bin.ts";
import { letterStates } from "../organization/organization.ts";
import { providerChecks } from "../organization/providers.ts";
import { usageSteps } from "../organization/usage.ts";
import { userSortFields } from "../people/lists.ts";
import { linkRights } from "../recordings/links.ts";
import { recordingErrors, recordingStates, recordingTypes } from "../recordings/record.ts";
import { roomSortFields, roomStatuses } from "../rooms/rooms.ts";
import {
  recordingFormats,
  recordingResolutions,
  recordingStrategies,
  roomTypes,
} from "../rooms/settings.ts";
import { deliveryEvents, webhookEvents } from "../webhooks/events.ts";
import { deliveryStates } from "../webhooks/webhooks.ts";

/*
 * The names of sets of words and of requests, in the OpenAPI document and in the client. A record has its name
 * as the `title` of its schema.
 */

/** Sets of words: wherever a field takes exactly these, it is of this type. */
export const wordSets: Readonly<Record<string, readonly unknown[]>> = {
  AccessKeyScope: scopes,
  BinKind: binKinds,
  ColorScheme: colorSchemes,
  DeliveryEvent: deliveryEvents,
  DeliveryState: deliveryStates,
  EndReason: endReasons,
  FileEncoding: fileEncodings,
  FileFormat: fileFormats,
  FileProduct: products,
  FirstPasswords: firstPasswords,
  HistoryActorKind: historyActors,
  HistoryFormat: historyFormats,
  HistoryKind: historyKinds,
  HistorySubjectKind: historySubjects,
  ImportForm: importForms,
  ImportFormat: importFormats,
  ImportKind: importKinds,
  Language: pageLanguages,
  LetterKind: letterKinds,
  LetterState: letterStates,
  LineOutcome: lineOutcomes,
  LinePlan: linePlans,
  LinkRight: linkRights,
  MailCause: mailCauses,
  OwnersMay: ownersMay,
  PageSize: pageSizes,
  PeerType: peerTypes,
  PersonSortField: userSortFields,
  Quality: qualities,
  RecordingError: recordingErrors,
  RecordingFormat: recordingFormats,
  RecordingResolution: recordingResolutions,
  RecordingState: recordingStates,
  RecordingStrategy: recordingStrategies,
  RecordingType: recordingTypes,
  Repetition: repetitions,
  RoomSortField: roomSortFields,
  RoomStatus: roomStatuses,
  RoomType: roomTypes,
  SecondFactorFor: factorFor,
  SkipReason: skipReasons,
  SortOrder: ["ASC", "DESC"],
  StreamKind: streamKinds,
  StreamState: streamStates,
  UsageStep: usageSteps,
  SignInWay: signInWays,
  ProviderCheck: providerChecks,
  WebhookEvent: webhookEvents,
  Weekday: weekdays,
};

/** Requests with names of their own; any other one is called as its operation, `EditScheduleRequest`. */
export const requestNames: Partial<Readonly<Record<keyof Operations, string>>> = {
  createRoom: "RoomInput",
  editRoom: "RoomEdit",
  createUser: "PersonInput",
  editUser: "PersonEdit",
  createAccessKey: "AccessKeyInput",
  editAccessKey: "AccessKeyEdit",
  createWebhook: "WebhookInput",
  editWebhook: "WebhookEdit",
  createProvider: "ProviderInput",
  editProvider: "ProviderEdit",
  createImport: "ImportInput",
  editSchedule: "ScheduleInput",
  editOrganization: "OrganizationEdit",
};
