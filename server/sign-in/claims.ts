import type { z } from "zod";
import { emailKey } from "../../contract/kit/fields.ts";
import { isLine, isVisible } from "../../contract/kit/plain.ts";
import type { ProviderSettings } from "../../contract/organization/providers.ts";
import { userSettings } from "../../contract/people/settings.ts";

/** The claims of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Claims =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The claim of this name. A name with points also finds a claim inside another: `realm_access.roles`.
 */
export const claimOf = (claims: Claims, name: string): unknown => {
  if (name === "") return undefined;
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let at = name.indexOf("."); at !== -1; at = name.indexOf(".", at + 1)) {
    const outer = name.slice(0, at);
    const inner = Object.hasOwn(claims, outer) ? claims[outer] : undefined;
    if (isRecord(inner)) return claimOf(inner, name.slice(at + 1));
  }
  return undefined;
};

const isTrue = (value: unknown): boolean => value === true || value === "true" || value === 1;

/** Reads the claims about a person, by the settings of the provider. */
export interface SaidOfPerson {
  /** Null where there is none that an account could have. */
  readonly email: string | null;
  readonly isVerified: boolean;
  readonly name: string | null;
  /** Undefined: the provider does not set it. */
  readonly role: string | undefined;
  readonly admin: boolean | undefined;
  readonly tags: readonly string[] | undefined;
}

const text = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

/** A name that an account can have. */
const nameIn = (value: unknown): string | null => {
  const given = text(value);
  return given !== null && isLine(given) && isVisible(given)
    ? [...given].slice(0, 200).join("")
    : null;
};

const taken = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined =>
  schema.safeParse(value).data;

const roleIn = (value: unknown): string | undefined => {
  const first = Array.isArray(value) ? value[0] : value;
  return taken(userSettings.role.sent.unwrap(), first);
};

/** So many entries of a list are read: one of a hundred thousand would hold up everybody else. */
const MOST_READ = 1_000;

const tagsIn = (value: unknown): readonly string[] => {
  const given = (Array.isArray(value) ? value : [value]).slice(0, MOST_READ);
  const texts = new Set(given.filter((one): one is string => typeof one === "string"));
  const each = [...texts].filter((one) => taken(userSettings.tags.sent.unwrap(), [one]));
  return each.slice(0, 50);
};

/** Returns whether the claim has the value, or has it among others. */
const isAdministrator = (value: unknown, wanted: string): boolean => {
  if (wanted === "") return isTrue(value);
  const all = Array.isArray(value) ? value : [value];
  return all.some((one) => typeof one !== "object" && String(one) === wanted);
};

/** Reads the claims by the settings of their provider. */
export const readClaims = (claims: Claims, settings: ProviderSettings): SaidOfPerson => {
  const email = text(claimOf(claims, settings.emailClaim));
  return {
    email: email !== null && emailKey(email) !== undefined ? email : null,
    isVerified: settings.verifiedClaim === "" || isTrue(claimOf(claims, settings.verifiedClaim)),
    name: nameIn(claimOf(claims, settings.nameClaim)),
    role: settings.roleClaim === "" ? undefined : roleIn(claimOf(claims, settings.roleClaim)),
    admin:
      settings.adminClaim === ""
        ? undefined
        : isAdministrator(claimOf(claims, settings.adminClaim), settings.adminValue),
    tags: settings.tagsClaim === "" ? undefined : tagsIn(claimOf(claims, settings.tagsClaim)),
  };
};
