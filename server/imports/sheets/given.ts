import { importFields } from "../../../contract/imports/fields.ts";
import type { ImportKind } from "../../../contract/imports/imports.ts";
import type { Product } from "../../../contract/imports/sheets.ts";
import { readCell } from "../../../contract/kit/csv.ts";
import type { Reason } from "../../../contract/kit/reasons.ts";
import {
  choiceIn,
  flagIn,
  listIn,
  numberIn,
  ownersIn,
  pageLanguageIn,
  personIn,
  statusIn,
  tidy,
} from "./cells.ts";
import type { FilledColumn } from "./columns.ts";
import { type DayOrder, momentIn } from "./dates.ts";

/** A line's values, by the fields of the interface. */
export type Given = Readonly<Record<string, unknown>>;

/** A line as fields of the interface, or why it is none. */
export interface Line {
  readonly given: Given;
  readonly fault?: Reason;
  readonly isBot?: boolean;
}

const isBlank = (value: unknown): boolean => value === undefined || value === "";

/** No field has deeper values, and a deeply nested one must not be serialized again. */
const shallow = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const isFlat = Array.isArray(value) && value.every((one) => typeof one !== "object");
  return isFlat ? value : {};
};

/** A value as its field takes it. */
const valueIn = (kind: ImportKind, field: string, value: unknown): unknown => {
  if (typeof value === "object") return value;
  if (field === "language") return pageLanguageIn(value);
  const type = importFields[kind].get(field);
  if (type === "flag") return flagIn(value);
  if (type === "number") return numberIn(value);
  if (field === "recordingResolutions") return listIn(value, /[;,\s]+/);
  if (type === "list") return listIn(value);
  return choiceIn(field, value);
};

/** The first filled value of each target, in the order of preference. */
const firstOf = (
  columns: readonly FilledColumn[],
  valueAt: (at: number) => unknown,
): ReadonlyMap<string, unknown> => {
  const values = new Map<string, unknown>();
  for (const { at, target } of columns) {
    const value = shallow(valueAt(at));
    if (value === undefined) continue;
    if (isBlank(values.get(target))) values.set(target, value);
  }
  return values;
};

const joined = (...parts: readonly unknown[]): string =>
  parts
    .map((part) => (isBlank(part) || part === null ? "" : String(tidy(part))))
    .filter((part) => part !== "")
    .join(" ");

type Values = ReadonlyMap<string, unknown>;

/** Returns whether an account is suspended, by every column that says so; undefined if none does. */
const suspension = (values: Values): unknown => {
  const suspended = values.get("accountSuspended");
  const enabled = values.get("enabled");
  const own = suspended === undefined ? undefined : valueIn("users", "accountSuspended", suspended);
  const on = isBlank(enabled) ? undefined : flagIn(enabled);
  const status = statusIn(values.get("status") ?? "");
  if (own === true || on === false || status === true) return true;
  if (own !== undefined) return own;
  if (on !== undefined) return on === true ? false : on;
  return status === false ? false : undefined;
};

/** The values from which people are made, besides fields. */
const personOf = (values: Values): Line => {
  const {
    email,
    name: beside,
    fault,
  } = personIn(values.get("email") ?? values.get("emailAndName"));
  const named = values.get("name");
  const parts = joined(values.get("firstName"), values.get("lastName"));
  const local =
    values.has("emailAndName") && typeof email === "string"
      ? email.replace(/@.*$/s, "")
      : undefined;
  const found = [parts, beside, local].find((one) => one !== undefined && one !== "");
  const name = isBlank(named) ? (found ?? named) : named;
  const suspended = suspension(values);
  return {
    given: {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(suspended !== undefined && { accountSuspended: suspended }),
    },
    ...(fault !== undefined && { fault }),
    ...(statusIn(values.get("status") ?? "") === "bot" && { isBot: true }),
  };
};

/** The values from which rooms are made, besides fields. */
const roomOf = (values: Values, product: Product | null): Line => {
  const name = values.get("name");
  const text = typeof name === "string" ? name : undefined;
  // A reservation has the tenant before the name.
  const conference = product === "jitsi" ? text?.replace(/^\[[^\]]*\]/, "") : undefined;
  const owners =
    values.get("roomOwnerId") === undefined && values.get("moreOwners") === undefined
      ? undefined
      : ownersIn(values.get("roomOwnerId"), values.get("moreOwners"));
  const policy = values.get("guestPolicy");
  const chatOff = values.get("chatOff");
  const most = values.get("atMost");
  return {
    given: {
      ...(conference !== undefined && { name: conference, room: conference }),
      ...(owners !== undefined && { roomOwnerId: owners }),
      // If guests have to ask, a moderator admits everybody who is not a member.
      ...(!isBlank(policy) && { authenticationRequired: policy === "ASK_MODERATOR" }),
      ...(!isBlank(chatOff) && { enableChatOption: flagIn(chatOff) !== true }),
      ...(flagIn(values.get("recordsByItself")) === true && { recordingStrategy: "AmergedAV" }),
      // Elsewhere 0 or less means no limit; here it must be positive, so it is left out.
      ...(Number(numberIn(most)) > 0 && { noOfParticipants: Number(numberIn(most)) }),
    },
  };
};

/**
 * A line's values.
 *
 * @param valueAt the value in a column; undefined if the line has none
 * @param about whose file it is, its time zone, and how it writes dates
 */
export const lineOf = (
  kind: ImportKind,
  columns: readonly FilledColumn[],
  valueAt: (at: number) => unknown,
  {
    product,
    timeZone,
    dayOrder,
  }: {
    readonly product: Product | null;
    readonly timeZone: string | undefined;
    readonly dayOrder: DayOrder | undefined;
  },
): Line => {
  const values = firstOf(columns, valueAt);
  const moment = momentIn(values.get("scheduledDateTime"), timeZone, dayOrder);
  const fields = [...values]
    .filter(([target]) => importFields[kind].has(target))
    .map(([target, value]) => [target, valueIn(kind, target, value)] as const)
    .filter(([, value]) => value !== undefined);
  const made = kind === "users" ? personOf(values) : roomOf(values, product);
  const when = kind === "rooms" && moment !== undefined && { scheduledDateTime: moment };
  return { ...made, given: { ...Object.fromEntries(fields), ...made.given, ...when } };
};

/** The texts that databases, formulas and people write into an empty cell. */
const NOTHING = /^(?:NULL|\\N|#?N\/A|#(?:NULL|REF|NAME|VALUE|DIV\/0)[!?]|[-–—]+)$/;

/**
 * A cell's value; undefined if it has none.
 *
 * @param isExact whether the file is Parley's own, with literal cells
 */
export const cellValue = (cell: unknown, isExact: boolean): unknown => {
  if (typeof cell !== "string") return cell;
  const text = readCell(cell);
  if (isExact) return text === "" ? undefined : text;
  const value = tidy(text);
  return value === "" || NOTHING.test(String(value)) ? undefined : value;
};
