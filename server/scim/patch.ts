import { initialUserSettings } from "../../contract/people/settings.ts";
import {
  chosenEmail,
  type Draft,
  draftOf,
  type Email,
  emailsIn,
  groupOf,
  isUnkept,
  joined,
  keepShort,
  setAll,
  setSingle,
  singleOf,
  tagsIn,
  type WantedPerson,
  wantedIn,
} from "./draft.ts";
import { describedBy, matches, type Path, readPath } from "./filter.ts";
import { isFields, keyOf, type ScimFields, wordOf } from "./names.ts";
import { refuseScim } from "./refused.ts";

/** The most operations of one request. */
const MOST = 100;

type Op = "add" | "replace" | "remove";
const isOp = (word: string): word is Op => ["add", "replace", "remove"].includes(word);

interface Operation {
  readonly op: Op;
  readonly path: string | undefined;
  readonly value: unknown;
}

/** The fields of an object, by their keys. */
const byKey = (fields: ScimFields): ScimFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [keyOf(name), value]));

/** The operations in the body of a request (RFC 7644, 3.5.2). @throws ScimRefused `invalidSyntax` */
const operationsIn = (body: unknown): Operation[] => {
  const { operations } = isFields(body) ? byKey(body) : {};
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST) {
    return refuseScim("invalidSyntax", `Operations must be a list of 1 to ${MOST} operations.`);
  }
  return operations.map((one: unknown) => {
    const { op, path, value } = isFields(one) ? byKey(one) : {};
    // Entra ID writes Add, Replace and Remove.
    const word = wordOf(op);
    if (!isOp(word)) return refuseScim("invalidSyntax", "op must be add, replace or remove.");
    if (path !== undefined && path !== null && typeof path !== "string") {
      return refuseScim("invalidPath", "path must be text.");
    }
    return { op: word, path: path ?? undefined, value };
  });
};

/** The emails of which only one counts as primary: the last that an operation has made so. */
const onePrimary = (emails: readonly Email[], added: readonly Email[]): Email[] => {
  const isPrimary = ({ primary }: Email) => wordOf(primary) === "true";
  const others = added.some(isPrimary)
    ? emails.map((email) => ({ ...email, primary: false }))
    : emails;
  return keepShort([...others, ...added], "emails");
};

/** The emails with a part of some of them changed. */
const partOf = (some: readonly Email[], part: string, { op, value }: Operation): Email[] =>
  some.map((email) => ({ ...email, [part]: op === "remove" ? undefined : value }));

/** Changes the emails that a filter means; adding without a match makes a new one. */
const changeSome = (draft: Draft, { filter, part }: Path, operation: Operation): void => {
  const { op, value } = operation;
  const meant = draft.emails.filter((email) => filter === undefined || matches(filter, email));
  const others = draft.emails.filter((email) => !meant.includes(email));
  if (meant.length > 0) {
    if (part !== undefined) draft.emails = [...partOf(meant, part, operation), ...others];
    else draft.emails = op === "remove" ? others : onePrimary(others, emailsIn(value));
  } else if (op === "add" && filter !== undefined) {
    const made = part === undefined ? emailsIn(value) : [{ [part]: value }];
    const described = describedBy(filter);
    draft.emails = onePrimary(
      draft.emails,
      made.map((email) => ({ ...described, ...email })),
    );
  } else {
    refuseScim("noTarget", "No email address is meant by the path.");
  }
};

const changeEmails = (draft: Draft, path: Path, operation: Operation): void => {
  const { op, value } = operation;
  if (path.filter !== undefined || path.part !== undefined) changeSome(draft, path, operation);
  else if (op === "remove") draft.emails = [];
  else if (op === "replace") draft.emails = emailsIn(value);
  else draft.emails = onePrimary(draft.emails, emailsIn(value));
};

const changeTags = (draft: Draft, { filter }: Path, { op, value }: Operation): void => {
  const tags = draft.tags ?? [];
  if (op === "add") {
    draft.tags = keepShort([...new Set([...tags, ...tagsIn(value)])], "tags");
  } else if (op === "replace") {
    draft.tags = tagsIn(value);
  } else if (filter !== undefined) {
    draft.tags = tags.filter((tag) => !matches(filter, { value: tag }));
  } else {
    const removed = tagsIn(value);
    draft.tags = removed.length > 0 ? tags.filter((tag) => !removed.includes(tag)) : [];
  }
};

/** Removes the attributes of a group, or sets those that its value has. */
const changeGroup = (
  draft: Draft,
  key: string,
  members: readonly ("givenName" | "familyName" | "formatted" | "role" | "admin" | "tags")[],
  { op, value }: Operation,
): void => {
  if (op === "remove") for (const member of members) delete draft[member];
  else if (isFields(value)) setAll(draft, { [key]: value });
  else refuseScim("invalidValue", `The value of ${key} must be an object.`);
};

/** Carries out one operation at a path. @throws ScimRefused */
const changeAt = (draft: Draft, text: string, operation: Operation): void => {
  const path = readPath(text);
  const { key } = path;
  if (isUnkept(key)) return;
  if (key === "id" || key === "meta" || key.startsWith("meta.")) {
    refuseScim("mutability", `${text} cannot be changed.`);
  }
  const one = singleOf(key);
  const [, part] = /^emails\.(\w+)$/.exec(key) ?? [];
  if (one !== undefined && path.filter === undefined) {
    setSingle(draft, one, operation.op === "remove" ? null : operation.value);
    return;
  }
  if (part !== undefined && path.filter === undefined) {
    // Without a filter, the address that counts is meant.
    const chosen = chosenEmail(draft.emails);
    const others = draft.emails.filter((email) => email !== chosen);
    draft.emails = [...partOf([chosen ?? {}], part, operation), ...others];
    return;
  }
  const kind = groupOf(key);
  if (kind === "emails") changeEmails(draft, path, operation);
  else if (kind === "tags") changeTags(draft, path, operation);
  else if (kind === "name")
    changeGroup(draft, key, ["givenName", "familyName", "formatted"], operation);
  else if (kind === "extension") changeGroup(draft, key, ["role", "admin", "tags"], operation);
  else refuseScim("invalidPath", `${text} is no attribute of a person.`);
};

/** Carries out one operation. @throws ScimRefused */
const change = (draft: Draft, operation: Operation): void => {
  const { op, path, value } = operation;
  if (path !== undefined) {
    changeAt(draft, path, operation);
    return;
  }
  if (op === "remove") refuseScim("noTarget", "To remove something, path is required.");
  const fields = isFields(value)
    ? value
    : refuseScim("invalidValue", "Without path, value must be an object.");
  // Each name may be a path: Entra ID writes "name.givenName" and URNs there.
  for (const [name, one] of keepShort(Object.entries(fields), "value")) {
    const key = keyOf(name);
    if (key !== "id" && key !== "meta") changeAt(draft, name, { op, path: name, value: one });
  }
};

/**
 * A person after the operations of a request. The name follows the last of what it is made of: displayName,
 * or else the formatted name, or else its parts, if these made it before.
 *
 * @throws ScimRefused; Refusal `invalid_input`
 */
export const patched = (current: WantedPerson, body: unknown): WantedPerson => {
  const before = draftOf(current);
  const draft: Draft = { ...before };
  for (const operation of operationsIn(body)) change(draft, operation);
  // A removed value becomes that of a new person.
  draft.role ??= initialUserSettings.role;
  draft.admin ??= initialUserSettings.admin;
  draft.tags ??= [];
  if (draft.displayName === before.displayName) {
    const parts = joined(draft);
    if (draft.formatted !== undefined) draft.displayName = draft.formatted;
    else if (parts !== "" && joined(before) === current.name) draft.displayName = parts;
  }
  return wantedIn(draft, current);
};
