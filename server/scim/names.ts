/*
 * The names of SCIM (RFC 7643, RFC 7644). Names of attributes compare without case, so each is read by its
 * key: in lower case, without the URN of the schema of people, which may precede it.
 */

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const ENTERPRISE_SCHEMA = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
/** The attributes that Parley adds to people. */
export const PARLEY_SCHEMA = "urn:ietf:params:scim:schemas:extension:parley:2.0:User";
export const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
export const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

const CORE_PREFIX = `${USER_SCHEMA.toLowerCase()}:`;

/** The key of an attribute by its name or path, such as `name.givenname`. */
export const keyOf = (path: string): string => {
  const key = path.trim().toLowerCase();
  return key.startsWith(CORE_PREFIX) ? key.slice(CORE_PREFIX.length) : key;
};

/** The keys of what Parley adds, as they are written in paths. */
export const parleyKey = (name: string): string => keyOf(`${PARLEY_SCHEMA}:${name}`);

/** A value of JSON that is an object. */
export type ScimFields = Readonly<Record<string, unknown>>;

/** A text, number or flag of JSON in lower case, as clients write true and "True"; any other value is empty. */
export const wordOf = (value: unknown): string =>
  typeof value === "object" ? "" : String(value ?? "").toLowerCase();

/** Returns whether a value is an object with fields. */
export const isFields = (value: unknown): value is ScimFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
