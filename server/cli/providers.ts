import { operations } from "../../contract/index.ts";
import type { Checked, Operation } from "../../contract/kit/operation.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import { orgOption } from "./access-key-create.ts";
import { CommandError, cliCommand, UsageError } from "./command.ts";
import { withDatabase, withOrganization } from "./database.ts";
import { providerOptions, providerPairs, readProvider } from "./provider-options.ts";
import { table } from "./table.ts";
import { accountOf, sealOf } from "./user-reset-password.ts";

/** Checks an input as the interface does. @throws UsageError with what is not accepted */
const checked = async <O extends Operation>(operation: O, input: unknown): Promise<Checked<O>> => {
  const { refusalOf } = await import("../lib/refusal.ts");
  const { success, data, error } = operation.input.safeParse(input);
  if (success) return data as Checked<O>;
  throw new UsageError(refusalOf(error.issues).message);
};

const sayRefusal = async (error: unknown): Promise<never> => {
  const { Refusal } = await import("../lib/refusal.ts");
  throw error instanceof Refusal ? new CommandError(error.message) : error;
};

/** The parts of the service that the rules of providers need at the command line. */
const toolsOf = async ({
  config,
  database,
}: {
  readonly config: Config;
  readonly database: Database;
}) => {
  const { isAmong } = await import("../lib/networks.ts");
  return {
    config,
    publicUrl: config.publicUrl,
    isAllowed: isAmong(config.allowedNetworks),
    seal: await sealOf(config, database, "no client secret can be sealed. Put it back."),
  };
};

const providerArgument = ["PROVIDER"] as const;

export const providerAdd = cliCommand({
  name: "provider add",
  arguments: [],
  options: {
    ...orgOption,
    name: {
      type: "string",
      value: "NAME",
      meaning: "What people read on its button.",
      required: true,
    },
    issuer: {
      type: "string",
      value: "URL",
      meaning: "The address of the provider.",
      required: true,
    },
    ...providerOptions,
  },
  summary: "Add a provider of OpenID Connect by which people sign in.",
  details: "It shows the redirect address to register with the provider.",
  examples: [
    'provider add --org Acme --name "Acme account" --issuer https://login.example.org/realms/acme',
    "provider add --org Acme --name Acme --issuer https://login.example.org/ --client-id parley --domains example.org --creates-accounts yes --secret-stdin < secret.txt",
  ],
  async run({ options: { org, name, issuer, ...given }, ...called }) {
    const input = { name, issuer, ...(await readProvider(given)) };
    const wanted = await checked(operations.createProvider, input);
    const { createProvider } = await import("../sign-in/providers.ts");
    const made = await withOrganization(called, org, async (organization, _, installation) => {
      const tools = await toolsOf(installation);
      return organization.change((change) => createProvider(change, wanted, tools));
    }).catch(sayRefusal);
    return { value: made, text: providerPairs(made) };
  },
});

export const providerList = cliCommand({
  name: "provider list",
  arguments: [],
  options: orgOption,
  summary: "List the providers by which the people of an organization sign in.",
  examples: ["provider list --org Acme"],
  async run({ options: { org }, ...called }) {
    const { listProviders } = await import("../sign-in/providers.ts");
    const all = await withOrganization(called, org, (organization, _, { config }) =>
      listProviders(organization, config.publicUrl),
    );
    const text = table(
      ["ID", "NAME", "ADDRESS", "STATE", "DOMAINS"],
      all.map(({ id, name, issuer, on, domains }) => [
        id,
        name,
        issuer,
        on ? "on" : "off",
        domains.join(" ") || "-",
      ]),
      'There is no provider yet. "parley provider add" adds one.',
    );
    return { value: all, text };
  },
});

export const providerSet = cliCommand({
  name: "provider set",
  arguments: providerArgument,
  options: {
    ...orgOption,
    name: { type: "string", value: "NAME", meaning: "What people read on its button." },
    issuer: { type: "string", value: "URL", meaning: "The address of the provider." },
    state: { type: "string", value: "on|off", meaning: "Whether people can sign in by it." },
    ...providerOptions,
  },
  summary: "Change a provider; only what is given changes.",
  examples: [
    "provider set 0199c2b1-6f3d-7a52-9c18-7d4e2b8f0a61 --org Acme --domains example.org,example.com",
    "provider set 0199c2b1-6f3d-7a52-9c18-7d4e2b8f0a61 --org Acme --state off",
  ],
  async run({ arguments: [id], options: { org, name, issuer, state, ...given }, ...called }) {
    if (state !== undefined && state !== "on" && state !== "off") {
      throw new UsageError("--state is on or off.");
    }
    const wanted = await checked(operations.editProvider, {
      id,
      ...(name !== undefined && { name }),
      ...(issuer !== undefined && { issuer }),
      ...(state !== undefined && { on: state === "on" }),
      ...(await readProvider(given)),
    });
    const { editProvider } = await import("../sign-in/providers.ts");
    const edited = await withOrganization(called, org, async (organization, _, installation) => {
      const tools = await toolsOf(installation);
      return organization.change((change) => editProvider(change, wanted, null, tools));
    }).catch(sayRefusal);
    return { value: edited, text: providerPairs(edited) };
  },
});

export const providerRemove = cliCommand({
  name: "provider remove",
  arguments: providerArgument,
  options: orgOption,
  summary: "Remove a provider, with its links to accounts.",
  examples: ["provider remove 0199c2b1-6f3d-7a52-9c18-7d4e2b8f0a61 --org Acme"],
  async run({ arguments: [id], options: { org }, ...called }) {
    const { removeProvider } = await import("../sign-in/providers.ts");
    await withOrganization(called, org, (organization) =>
      organization.change((change) => removeProvider(change, id, null)),
    ).catch(sayRefusal);
    return { value: { removed: id }, text: "The provider is removed." };
  },
});

export const providerTest = cliCommand({
  name: "provider test",
  arguments: providerArgument,
  options: orgOption,
  summary: "Try whether a provider answers as it should.",
  examples: ["provider test 0199c2b1-6f3d-7a52-9c18-7d4e2b8f0a61 --org Acme"],
  async run({ arguments: [id], options: { org }, ...called }) {
    const { tryProvider } = await import("../sign-in/try-provider.ts");
    const findings = await withOrganization(called, org, async (organization, _, installation) =>
      tryProvider(organization, id, await toolsOf(installation)),
    ).catch(sayRefusal);
    return {
      value: findings,
      text: findings.map(({ check, problem }) => `${check}: ${problem ?? "ok"}`).join("\n"),
      failed: findings.some(({ ok }) => !ok),
    };
  },
});

export const providerUnlink = cliCommand({
  name: "provider unlink",
  arguments: ["EMAIL"],
  options: {},
  summary: "End a person's links to providers.",
  details: "The next sign-in by a provider is linked again by the email address.",
  examples: ["provider unlink ann@example.org"],
  async run({ arguments: [email], ...called }) {
    const { openOrganization, operator } = await import("../change/organization.ts");
    const { unlinkUser } = await import("../sign-in/accounts.ts");
    const unlinked = await withDatabase(called, async ({ database }) => {
      const { id, organization_id } = await accountOf(database, email);
      const { change } = openOrganization(database, organization_id, operator);
      return change((begun) => unlinkUser(begun, id));
    });
    return { value: { unlinked }, text: `Links that have ended: ${unlinked}` };
  },
});
