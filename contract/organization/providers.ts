import { z } from "zod";
import {
  emailKey,
  flag,
  id,
  instant,
  pathId,
  queryFlag,
  textField,
  webAddress,
  webLink,
} from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { DOMAINS } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import { setting, shapeOf } from "../kit/setting.ts";

/*
 * Providers of OpenID Connect, by which people sign in instead of by a password. Parley's own operations: those
 * for providers are for administrators and access keys.
 */

const providers = {
  group: "Organization",
  access: "administrator",
  failure: "message",
  status: 200,
} as const;

/** Stands for every domain. */
export const ANY_DOMAIN = "*";

/** The domain in its ASCII form, as email addresses compare; undefined for what is none. */
const domainKey = (text: string): string | undefined =>
  text === ANY_DOMAIN ? text : emailKey(`a@${text}`)?.slice(2);

const domain = textField(253, { filled: true, pasted: true })
  .refine((text) => domainKey(text) !== undefined, {
    error: says("not_domain"),
    when: ({ issues }) => issues.length === 0,
  })
  .overwrite((text) => domainKey(text) ?? text);

const domains = z
  .array(domain, { error: says("not_list", { of: "text" }) })
  .max(DOMAINS, { error: says("too_many", { max: DOMAINS, of: "entries" }) })
  .overwrite((all) => [...new Set(all)]);

const claim = () => textField(200, { pasted: true });

/** The settings of a provider beside its name and its address, with the defaults. */
export const providerSettings = {
  clientId: setting(
    textField(500, { pasted: true }),
    "",
    "The client ID that the provider gave to Parley. Without one, nobody signs in by the provider.",
  ),
  scopes: setting(
    textField(500, { pasted: true }),
    "openid email profile",
    "The scopes that Parley asks for, with spaces between them. `openid` is always among them.",
  ),
  domains: setting(
    domains,
    [],
    "The domains of email addresses for which the provider speaks, or `*` for all. Only for these a sign-in is linked to an account that has the email address, and only these get new accounts.",
  ),
  createsAccounts: setting(
    flag(),
    false,
    "Whether people who sign in for the first time and have no account get one, within the organization's limit of people.",
  ),
  emailClaim: setting(claim(), "email", "The claim with the email address."),
  verifiedClaim: setting(
    claim(),
    "email_verified",
    "The claim that is true where the provider has verified the email address. Empty: every address of the provider counts as verified, which is safe only where its people cannot choose their addresses.",
  ),
  nameClaim: setting(claim(), "name", "The claim with the name of new people."),
  roleClaim: setting(
    claim(),
    "",
    "The claim with the role, which follows it at each sign-in. Empty: the provider sets no roles.",
  ),
  adminClaim: setting(
    claim(),
    "",
    "The claim that makes administrators, such as `groups` or `realm_access.roles`; `admin` follows it at each sign-in. Empty: the provider makes and unmakes no administrators.",
  ),
  adminValue: setting(
    claim(),
    "",
    "The value that the claim has, or has among others, for administrators. Empty: true.",
  ),
  tagsClaim: setting(
    claim(),
    "",
    "The claim with the tags, which follow it at each sign-in. Empty: the provider sets no tags.",
  ),
};

/** The settings of a provider, as the rules handle them. */
export type ProviderSettings = {
  readonly [K in keyof typeof providerSettings]: z.output<(typeof providerSettings)[K]["reply"]>;
};

const provider = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    issuer: webLink(),
    on: z.boolean(),
    hasSecret: z.boolean(),
    ...shapeOf(providerSettings, "reply"),
    redirectAddress: webLink(),
    backChannelAddress: webLink(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ title: "Provider" });
/** A provider, without its client secret. */
export type Provider = z.output<typeof provider>;

const name = () => textField(80, { required: says("required"), shown: "line", pasted: true });
const issuer = (required?: ReturnType<typeof says>) =>
  webAddress(required).describe(
    "The address of the provider: its discovery document is below it, at /.well-known/openid-configuration. It is on the public Internet by https, or allowed by the operator.",
  );
const secretOf = () =>
  textField(2000, { pasted: true })
    .nullable()
    .optional()
    .describe("The client secret; null for none. It is never answered.");
const calledName = "What people read on the button that leads to the provider.";
const isOn = "Whether people can sign in by it.";
const providerId = pathId().describe("The ID of the provider.");

export const createProvider = operation({
  ...providers,
  id: "createProvider",
  fresh: "always",
  changes: true,
  method: "POST",
  path: "/api/provider",
  summary: "Add a provider of OpenID Connect",
  in: "body",
  input: z.object({
    name: name().describe(calledName),
    issuer: issuer(says("required")),
    clientSecret: secretOf(),
    on: flag().default(true).describe(isOn),
    ...shapeOf(providerSettings, "create"),
  }),
  reply: success({ provider }),
  status: 201,
  refusals: ["provider_limit"],
});

export const listProviders = operation({
  ...providers,
  id: "listProviders",
  method: "GET",
  path: "/api/provider",
  summary: "The providers by which people sign in, never their secrets",
  in: "nothing",
  input: nothing,
  reply: success({ providers: z.array(provider) }),
  refusals: [],
});

export const editProvider = operation({
  ...providers,
  id: "editProvider",
  fresh: "always",
  changes: true,
  method: "PUT",
  path: "/api/provider",
  summary: "Change a provider; only what is supplied changes",
  in: "body",
  input: z.object({
    id: id().describe("The ID of the provider."),
    name: textField(80, { filled: true, shown: "line", pasted: true })
      .optional()
      .describe(calledName),
    issuer: issuer().optional(),
    clientSecret: secretOf(),
    on: flag().optional().describe(isOn),
    ...shapeOf(providerSettings, "edit"),
  }),
  reply: success({ provider }),
  refusals: ["provider_not_found", "provider_needed"],
});

export const removeProvider = operation({
  ...providers,
  id: "removeProvider",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/provider/:id",
  summary: "Remove a provider, with its links to accounts",
  in: "path",
  input: z.object({ id: providerId }),
  reply: success({}),
  refusals: ["provider_not_found", "provider_needed"],
});

/** The steps of a test of a provider, in this order. */
export const providerChecks = ["discovery", "keys", "clientSecret"] as const;
export type ProviderCheck = (typeof providerChecks)[number];

/** The result of a test of a provider; the values of the code stand beside it. */
export interface Finding {
  readonly check: ProviderCheck;
  readonly ok: boolean;
  readonly problem: string | null;
  readonly code: string | null;
}
const finding = z.looseObject({
  check: z.enum(providerChecks),
  ok: z.boolean(),
  problem: z.string().nullable(),
  code: z.string().nullable(),
}) as unknown as z.ZodType<Finding>;

export const testProvider = operation({
  ...providers,
  id: "testProvider",
  changes: true,
  method: "POST",
  path: "/api/provider/:id/test",
  summary: "Try whether a provider answers as it should",
  in: "path",
  input: z.object({ id: providerId }),
  reply: success({ findings: z.array(finding) }),
  refusals: ["provider_not_found", "overloaded"],
});

export const unlinkUser = operation({
  ...providers,
  id: "unlinkUser",
  fresh: "always",
  changes: true,
  method: "POST",
  path: "/api/provider/unlink",
  summary: "End a person's links to providers",
  in: "body",
  input: z.object({ userId: id().describe("The ID of the person.") }),
  reply: success({ unlinked: z.int() }),
  refusals: ["user_not_found"],
});

const way = z.strictObject({ id: z.string(), name: z.string() }).meta({ title: "SignInProvider" });

export const findWaysIn = operation({
  group: "Access",
  access: "anyone",
  failure: "message",
  status: 200,
  id: "findWaysIn",
  method: "GET",
  path: "/api/session/ways",
  summary: "By what somebody can sign in",
  in: "query",
  input: z.object({
    login: textField(254, { pasted: true })
      .optional()
      .describe("The email or the username of somebody who wants to sign in."),
    organization: textField(128, { pasted: true })
      .optional()
      .describe("The ID of an organization; without it, that of a service with only one."),
    room: textField(128, { pasted: true })
      .optional()
      .describe(
        "The code of a room's link: the room's organization is meant, also where another one is named.",
      ),
    provider: textField(128, { pasted: true })
      .optional()
      .describe("The ID of a provider: its organization is meant, and no other provider answered."),
    withOrganization: queryFlag()
      .optional()
      .describe("Whether the answer has the organization, where one is meant."),
  }),
  reply: success({
    password: z.boolean(),
    providers: z.array(way),
    sentTo: z.string().nullable(),
    organization: z.exactOptional(z.strictObject({ id: z.string(), name: z.string() })),
  }),
  refusals: [],
});
/** The ways of signing in. */
export type WaysIn = z.output<typeof findWaysIn.reply>;

export const signOutOfProvider = operation({
  group: "Access",
  access: "person",
  failure: "message",
  status: 200,
  id: "signOutOfProvider",
  method: "POST",
  path: "/api/session/signOut",
  summary: "Sign out, and learn where to end the provider's session",
  in: "nothing",
  input: nothing,
  reply: success({ address: webLink().nullable() }),
  refusals: ["account_required"],
});
