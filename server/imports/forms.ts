import { importFields } from "../../contract/import-fields.ts";
import type { ImportForm, ImportKind } from "../../contract/imports.ts";
import { refuseField } from "../refusal.ts";

/*
 * Turns files of other products into fields of the interface. docs/moving-in.md says what becomes of
 * what, and where each form is documented; both are changed together.
 */

type Cells = Readonly<Record<string, unknown>>;

/** How the entries of a file become fields of the interface. */
export interface Form {
  readonly fieldsOf: (cells: Cells) => Cells;
  /** Whether a column is understood. */
  readonly knows: (name: string) => boolean;
}

/** The cells that one column becomes; none if it is empty. */
type Becomes = (value: unknown) => Cells;

const as =
  (field: string): Becomes =>
  (value) => ({ [field]: value });

/** A switch, which some products write as text. */
const flag =
  (field: string): Becomes =>
  (value) => ({ [field]: String(value).toLowerCase() === "true" });

/** If guests have to ask, a moderator lets in everybody who is not a member. */
const guestPolicy: Becomes = (value) => ({ authenticationRequired: value === "ASK_MODERATOR" });

/**
 * A number of seats. In the other product 0 or less means no limit; here it must be positive, so it is
 * left out.
 */
const seats: Becomes = (value) => (Number(value) > 0 ? { noOfParticipants: Number(value) } : {});

const owners = (...emails: readonly unknown[]): Cells => {
  const named = emails
    .flatMap((some) => (typeof some === "string" ? some.split(/[;,]/) : some))
    .filter((one) => typeof one === "string" && one.trim() !== "");
  return named.length === 0
    ? {}
    : { roomOwnerId: named.map((one) => String(one).trim()).join(",") };
};

/** Skipped on purpose: docs/moving-in.md says why. */
const nothing: Becomes = () => ({});

type Columns = Readonly<Record<string, Becomes>>;

/** Greenlight 3: what its migration from version 2 takes, and its tables have. */
const greenlightUsers: Columns = {
  email: as("email"),
  name: as("name"),
  role: as("role"),
  // The numbers are those of its table.
  status: (value) => ({ accountSuspended: ["banned", "2"].includes(String(value)) }),
  external_id: nothing,
  language: nothing,
  provider: nothing,
  password_digest: nothing,
};
const greenlightRooms: Columns = {
  name: as("name"),
  friendly_id: as("room"),
  owner_email: nothing,
  shared_users_emails: nothing,
  record: flag("enableRecording"),
  guestPolicy,
  glViewerAccessCode: as("roomPassword"),
  meeting_id: nothing,
  last_session: nothing,
  provider: nothing,
  presentation: nothing,
  muteOnStart: nothing,
  glAnyoneCanStart: nothing,
  glAnyoneJoinAsModerator: nothing,
  glModeratorAccessCode: nothing,
  room_settings: nothing,
};

/** BigBlueButton: the parameters of `create`. */
const bigbluebutton: Columns = {
  name: as("name"),
  meetingID: as("room"),
  maxParticipants: seats,
  record: flag("enableRecording"),
  autoStartRecording: (value) =>
    String(value).toLowerCase() === "true" ? { recordingStrategy: "AmergedAV" } : {},
  guestPolicy,
  lockSettingsDisablePublicChat: (value) => ({
    enableChatOption: String(value).toLowerCase() !== "true",
  }),
  attendeePW: nothing,
  moderatorPW: nothing,
  welcome: nothing,
  voiceBridge: nothing,
  duration: nothing,
  logoutURL: nothing,
  allowStartStopRecording: nothing,
};

/** Jitsi: what a reservation system answers about a conference. */
const jitsi: Columns = {
  name: (value) => {
    const name = String(value).replace(/^\[[^\]]*\]/, "");
    return { name, room: name };
  },
  mail_owner: (value) => owners(value),
  start_time: as("scheduledDateTime"),
  max_occupants: seats,
  id: nothing,
  duration: nothing,
};

const forms: Readonly<
  Record<Exclude<ImportForm, "parley">, Partial<Readonly<Record<ImportKind, Columns>>>>
> = {
  greenlight: { users: greenlightUsers, rooms: greenlightRooms },
  bigbluebutton: { rooms: bigbluebutton },
  jitsi: { rooms: jitsi },
};

/** Moves settings from an object of their own to columns beside the others. */
const flat = ({ room_settings, ...cells }: Cells): Cells => ({
  ...cells,
  ...(typeof room_settings === "object" ? room_settings : {}),
});

/** The interface's own fields, which a file of any form may have as well. */
const own = (kind: ImportKind): Form => ({
  // As answers spell it: a fetched room can be imported.
  fieldsOf: ({ roomPermalink, ...cells }) =>
    roomPermalink === undefined ? cells : { roomPermaLink: roomPermalink, ...cells },
  knows: (name) => importFields[kind].has(name) || (kind === "rooms" && name === "roomPermalink"),
});

/**
 * The form of a file.
 *
 * @throws Refusal on `form`, where the product has no such file
 */
export const formOf = (form: ImportForm, kind: ImportKind): Form => {
  const { fieldsOf, knows } = own(kind);
  if (form === "parley") return { fieldsOf, knows };
  const known = forms[form][kind];
  if (known === undefined) {
    return refuseField("form", `${form} has no documented file of people: use parley`);
  }
  // A map, because a look into the object would find `__proto__` and other inherited names.
  const columns = new Map(Object.entries(known));
  return {
    fieldsOf: (cells) => {
      const all = Object.entries(flat(cells));
      const besides = all.filter(([name]) => !columns.has(name));
      const mapped = all.map(([name, value]) => columns.get(name)?.(value) ?? {});
      const ofOwners =
        form === "greenlight" ? owners(cells.owner_email, cells.shared_users_emails) : {};
      return Object.assign({ ...fieldsOf(Object.fromEntries(besides)), ...ofOwners }, ...mapped);
    },
    knows: (name) => columns.has(name) || knows(name),
  };
};
