import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import { PROVIDERS } from "../kit/plain.ts";
import type { Provider, ProviderSettings } from "../organization/providers.ts";
import type { Example, MeaningsOf } from "./kit.ts";
import { points } from "./kit.ts";

/*
 * Descriptions of the operations of providers, meanings of their answers' fields, and examples. Neither the
 * client nor the console imports this file.
 */

type ProviderOperation =
  | "createProvider"
  | "listProviders"
  | "editProvider"
  | "removeProvider"
  | "testProvider"
  | "unlinkUser"
  | "findWaysIn"
  | "signOutOfProvider";

export const providerDescriptions: Readonly<Record<ProviderOperation, string>> = {
  createProvider: points(
    `Adds a provider of OpenID Connect by which the people of the organization sign in (docs/sign-in.md). An organization has at most ${PROVIDERS}.`,
    "`redirectAddress` in the answer is the address to register with the provider; its client ID and secret can be supplied later with `editProvider`.",
    "Without `domains`, only people who are linked already sign in by it.",
    "The client secret is stored encrypted, is never answered, and is not in the history.",
  ),
  listProviders: "Returns the organization's providers, oldest first, without their secrets.",
  editProvider:
    "Changes the fields that are supplied; all others stay. Another issuer ends the links of people to the provider, because its subjects are others, and the sessions that it opened, except the caller's. Refuses to switch off the last provider while people sign in by providers only.",
  removeProvider:
    "Removes a provider and the links of people to it, and ends the sessions that it opened, except the caller's. Accounts stay. Refuses the last one while people sign in by providers only.",
  testProvider:
    "Asks the provider for its discovery document, its keys, and whether it accepts the client ID and the secret, and says what is wrong. Nothing is changed.",
  unlinkUser:
    "Ends all links of a person to providers, and the sessions that they opened: the next sign-in by a provider is linked again by the email address. Needed where a provider gave the person a new identity.",
  findWaysIn:
    "Returns by what somebody signs in: a password, and the providers of an organization. The answer depends on the organization and on the domain of an email address, never on whether there is an account.",
  signOutOfProvider:
    "Ends the session, as `signOut` does, and answers where the browser ends that of the provider too; null for a session that began with a password, or where the provider has no such address.",
};

type Beside = Exclude<keyof Provider, keyof ProviderSettings>;
const provider: { readonly [K in Beside]: string } = {
  id: "The ID of the provider.",
  name: "What people read on its button.",
  issuer: "The address of the provider.",
  on: "Whether people can sign in by it.",
  hasSecret: "Whether there is a client secret.",
  redirectAddress: "Register this redirect address with the provider.",
  backChannelAddress: "Where the provider posts logout tokens, if it can (back-channel logout).",
  createdAt: "When it was added: ISO 8601, UTC.",
  updatedAt: "When it was last changed: ISO 8601, UTC.",
};

export const providerFields: {
  readonly [K in ProviderOperation]: MeaningsOf<Reply<Operations[K]>>;
} = {
  createProvider: { provider: { is: "The new provider.", fields: provider } },
  listProviders: { providers: { is: "The providers, oldest first.", fields: provider } },
  editProvider: { provider: { is: "The provider after the edit.", fields: provider } },
  removeProvider: {},
  testProvider: {
    findings: {
      is: "What was looked at. A later check is missing where an earlier one failed.",
      fields: {
        check:
          "discovery: the discovery document; keys: the keys that sign; clientSecret: whether the client ID and the secret are accepted.",
        ok: "Whether it is as it should be.",
        problem: "What is wrong, in English; null where nothing is.",
        code: "The code of the problem, as the table of reasons has it; its values stand beside it. Null where nothing is wrong.",
      },
    },
  },
  unlinkUser: { unlinked: "How many links have ended." },
  findWaysIn: {
    password: "Whether a password may be tried.",
    providers: {
      is: "The providers to choose from.",
      fields: {
        id: "The ID of the provider: a browser goes to /api/session/provider/ID.",
        name: "What its button says.",
      },
    },
    sentTo:
      "The ID of the provider that speaks for the domain of the email address: the person is sent there at once. Null where there is none, or several.",
    organization: {
      is: "The organization, with `withOrganization`; omitted where none is meant.",
      fields: { id: "The ID of the organization.", name: "Its name." },
    },
  },
  signOutOfProvider: {
    address: "Where the browser goes to end the session of the provider; null for nowhere.",
  },
};

const success = true as const;
const id = "0199c2b1-6f3d-7a52-9c18-7d4e2b8f0a61";
const createdAt = "2026-01-12T09:30:00.000Z";
const at = `https://parley.example.org/api/session/provider/${id}`;
const shown: Provider = {
  id,
  name: "Example University",
  issuer: "https://login.example.org/realms/university",
  on: true,
  hasSecret: true,
  clientId: "parley",
  scopes: "openid email profile",
  domains: ["example.org"],
  createsAccounts: true,
  emailClaim: "email",
  verifiedClaim: "email_verified",
  nameClaim: "name",
  roleClaim: "",
  adminClaim: "groups",
  adminValue: "parley-administrators",
  tagsClaim: "",
  redirectAddress: `${at}/callback`,
  backChannelAddress: `${at}/logout`,
  createdAt,
  updatedAt: createdAt,
};

export const providerExamples: { readonly [K in ProviderOperation]: Example<Operations[K]> } = {
  createProvider: {
    request: {
      name: shown.name,
      issuer: shown.issuer,
      clientId: shown.clientId,
      clientSecret: "Zk3vQ9wXr7sT1nYb5mHc8pLd",
      domains: [...shown.domains],
      createsAccounts: true,
      adminClaim: shown.adminClaim,
      adminValue: shown.adminValue,
    },
    answer: { success, provider: shown },
  },
  listProviders: { answer: { success, providers: [shown] } },
  editProvider: {
    request: { id, on: false },
    answer: { success, provider: { ...shown, on: false } },
  },
  removeProvider: { request: { id }, answer: { success } },
  testProvider: {
    request: { id },
    answer: {
      success,
      findings: [
        { check: "discovery", ok: true, problem: null, code: null },
        { check: "keys", ok: true, problem: null, code: null },
        {
          check: "clientSecret",
          ok: false,
          problem: "There is no client ID yet.",
          code: "provider_without_client_id",
        },
      ],
    },
  },
  unlinkUser: {
    request: { userId: "0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08" },
    answer: { success, unlinked: 1 },
  },
  findWaysIn: {
    request: { login: "ann@example.org" },
    answer: {
      success,
      password: true,
      providers: [{ id, name: shown.name }],
      sentTo: id,
    },
  },
  signOutOfProvider: {
    answer: {
      success,
      address:
        "https://login.example.org/realms/university/protocol/openid-connect/logout?client_id=parley",
    },
  },
};
