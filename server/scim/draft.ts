import { z } from "zod";
import { emailKey, textField } from "../../contract/kit/fields.ts";
import { initialUserSettings } from "../../contract/people/settings.ts";
import { createUser } from "../../contract/people/users.ts";
import { refusalOf } from "../lib/refusal.ts";
import {
  ENTERPRISE_SCHEMA,
  isFields,
  keyOf,
  PARLEY_SCHEMA,
  parleyKey,
  type ScimFields,
  wordOf,
} from "./names.ts";
import { refuseScim } from "./refused.ts";

/** One address among a person's emails, with its keys in lower case. */
export type Email = Readonly<Record<string, unknown>>;

/** A person as a directory writes them, attribute by attribute; undefined: no value. */
export interface Draft {
  externalId?: string | undefined;
  userName?: string | undefined;
  displayName?: string | undefined;
  formatted?: string | undefined;
  givenName?: string | undefined;
  familyName?: string | undefined;
  emails: readonly Email[];
  active?: boolean | undefined;
  role?: string | undefined;
  admin?: boolean | undefined;
  tags?: readonly string[] | undefined;
}

/** The attributes of one value, by their keys. */
const single = {
  externalid: "externalId",
  username: "userName",
  displayname: "displayName",
  "name.formatted": "formatted",
  "name.givenname": "givenName",
  "name.familyname": "familyName",
  active: "active",
  [parleyKey("role")]: "role",
  [parleyKey("admin")]: "admin",
} as const satisfies Record<string, keyof Draft>;

type Single = (typeof single)[keyof typeof single];

const TAGS = parleyKey("tags");
const EXTENSION = keyOf(PARLEY_SCHEMA);

/** The attribute of one value that has this key. */
export const singleOf = (key: string): Single | undefined =>
  Object.hasOwn(single, key) ? (single as Record<string, Single>)[key] : undefined;

/** The kind of an attribute with parts or several values; undefined for any other. */
export const groupOf = (key: string): "name" | "emails" | "tags" | "extension" | undefined => {
  if (key === "name") return "name";
  if (key === "emails") return "emails";
  if (key === TAGS) return "tags";
  return key === EXTENSION ? "extension" : undefined;
};

/** The attributes of the standard that are accepted, and not kept. */
const unkept: ReadonlySet<string> = new Set([
  "nickname",
  "profileurl",
  "title",
  "usertype",
  "preferredlanguage",
  "locale",
  "timezone",
  "password",
  "phonenumbers",
  "ims",
  "photos",
  "addresses",
  "groups",
  "entitlements",
  "roles",
  "x509certificates",
  "schemas",
  "name.middlename",
  "name.honorificprefix",
  "name.honorificsuffix",
  keyOf(ENTERPRISE_SCHEMA),
]);

/** Returns whether an attribute is of the standard, but not kept. */
export const isUnkept = (key: string): boolean =>
  unkept.has(key) ||
  unkept.has(key.split(".", 1)[0] ?? "") ||
  key.startsWith(`${keyOf(ENTERPRISE_SCHEMA)}:`);

const isNone = (value: unknown): boolean => value === null || value === undefined || value === "";

/** The most values of an attribute, and the most names in one object: operations compare each with all others. */
const MOST = 100;

/** Refuses a list that no directory sends. @throws ScimRefused `invalidValue` */
export const keepShort = <One>(list: One[], name: string): One[] =>
  list.length > MOST
    ? refuseScim("invalidValue", `${name} must have at most ${MOST} values.`)
    : list;

/** The values in a value: a list, or one. @throws ScimRefused `invalidValue` */
const valuesIn = (value: unknown, name: string): unknown[] =>
  isNone(value) ? [] : keepShort([value].flat(), name);

/** Sets an attribute of one value; null and an empty text remove it. @throws ScimRefused `invalidValue` */
export const setSingle = (draft: Draft, name: Single, value: unknown): void => {
  if (isNone(value)) {
    delete draft[name];
  } else if (name === "active" || name === "admin") {
    // Entra ID writes "True" and "False".
    const word = wordOf(value);
    if (word !== "true" && word !== "false") {
      refuseScim("invalidValue", `${name} must be true or false.`);
    }
    draft[name] = word === "true";
  } else {
    draft[name] =
      typeof value === "string" ? value : refuseScim("invalidValue", `${name} must be text.`);
  }
};

/** The addresses in a value: a list or one, objects or texts. @throws ScimRefused `invalidValue` */
export const emailsIn = (value: unknown): Email[] =>
  valuesIn(value, "emails").map((one): Email => {
    if (typeof one === "string") return { value: one };
    if (!isFields(one)) {
      return refuseScim("invalidValue", "emails must be a list of objects with value.");
    }
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [keyOf(name), part]));
  });

/** The tags in a value: a list or one, texts or objects with `value`. @throws ScimRefused `invalidValue` */
export const tagsIn = (value: unknown): string[] =>
  valuesIn(value, "tags").map((one): string => {
    const { value: text } = isFields(one) ? one : { value: one };
    return typeof text === "string"
      ? text
      : refuseScim("invalidValue", "tags must be a list of texts.");
  });

/**
 * Sets all attributes in an object; those that are not known or not kept are skipped.
 *
 * @param within what precedes the names, such as `name.`
 * @throws ScimRefused `invalidValue`
 */
export const setAll = (draft: Draft, fields: ScimFields, within = ""): void => {
  for (const [name, value] of Object.entries(fields)) {
    const key = within + keyOf(name);
    const one = singleOf(key);
    const kind = groupOf(key);
    if (one !== undefined) setSingle(draft, one, value);
    else if (kind === "emails") draft.emails = emailsIn(value);
    else if (kind === "tags") draft.tags = tagsIn(value);
    else if (kind === "name" && isFields(value)) setAll(draft, value, "name.");
    else if (kind === "extension" && isFields(value)) setAll(draft, value, `${EXTENSION}:`);
  }
};

/** The draft in the body of a request. @throws ScimRefused */
export const draftIn = (body: unknown): Draft => {
  if (!isFields(body)) return refuseScim("invalidSyntax", "The body must be a JSON object.");
  const draft: Draft = { emails: [] };
  setAll(draft, body);
  return draft;
};

/** A person as a directory wants them. */
export interface WantedPerson {
  readonly externalId: string | null;
  readonly userName: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
  readonly role: string;
  readonly admin: boolean;
  readonly tags: readonly string[];
}

/** The address that counts: the primary one, else the one of the type work, else the first. */
export const chosenEmail = (emails: readonly Email[]): Email | undefined =>
  emails.find(({ primary }) => wordOf(primary) === "true") ??
  emails.find(({ type }) => wordOf(type) === "work") ??
  emails[0];

/** The name that its parts make. */
export const joined = ({
  givenName,
  familyName,
}: Pick<Draft, "givenName" | "familyName">): string =>
  [givenName, familyName].filter(Boolean).join(" ");

const { email, name, role, tags } = createUser.input.shape;
const part = textField(200, { shown: "line" }).nullable();
const accepted = z
  .object({
    email,
    name,
    role,
    tags,
    userName: textField(254, { filled: true, shown: "line" }),
    externalId: textField(254).nullable(),
    givenName: part,
    familyName: part,
  })
  .partial();

/** Checks what differs from the person as they are: what is stored may stay. @throws Refusal `invalid_input` */
const check = (wanted: WantedPerson, current: WantedPerson | undefined): void => {
  const isSame = (key: keyof WantedPerson) =>
    JSON.stringify(wanted[key]) === JSON.stringify(current?.[key]);
  const given = Object.entries(wanted).filter(([key]) => !isSame(key as keyof WantedPerson));
  const { error } = accepted.safeParse(Object.fromEntries(given));
  if (error) throw refusalOf(error.issues);
};

/** The part of an email address before the @. */
const localPart = (userName: string): string => userName.replace(/@[^@]*$/, "") || userName;

/** The name that others see, of a new person or a replaced one. */
const nameIn = (draft: Draft): string =>
  draft.displayName ?? draft.formatted ?? (joined(draft) || localPart(draft.userName ?? ""));

/**
 * The person that a draft describes. What it leaves out of `active` and of what Parley adds stays as it is.
 *
 * @param current the person as they are; undefined for a new one
 * @throws ScimRefused `invalidValue`; Refusal `invalid_input`
 */
export const wantedIn = (draft: Draft, current?: WantedPerson): WantedPerson => {
  const { userName = refuseScim("invalidValue", "userName is required.") } = draft;
  const { value: address } = chosenEmail(draft.emails) ?? {};
  const typed =
    typeof address === "string" && address !== ""
      ? address
      : emailKey(userName) === undefined
        ? refuseScim("invalidValue", "emails is required, because userName is no email address.")
        : userName;
  const wanted: WantedPerson = {
    externalId: draft.externalId ?? null,
    userName,
    givenName: draft.givenName ?? null,
    familyName: draft.familyName ?? null,
    email: typed,
    name: nameIn(draft),
    active: draft.active ?? current?.active ?? true,
    role: draft.role ?? current?.role ?? initialUserSettings.role,
    admin: draft.admin ?? current?.admin ?? false,
    tags: draft.tags ?? current?.tags ?? [],
  };
  check(wanted, current);
  return wanted;
};

/** The draft that describes a person as they are. */
export const draftOf = (current: WantedPerson): Draft => ({
  ...current,
  displayName: current.name,
  externalId: current.externalId ?? undefined,
  givenName: current.givenName ?? undefined,
  familyName: current.familyName ?? undefined,
  emails: [{ value: current.email, type: "work", primary: true }],
});
