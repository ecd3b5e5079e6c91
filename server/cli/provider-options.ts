import { text } from "node:stream/consumers";
import type { Provider } from "../../contract/organization/providers.ts";
import { CommandError } from "./command.ts";
import { pairs } from "./table.ts";

/** The options with which a provider is set. */
export const providerOptions = {
  "client-id": {
    type: "string",
    value: "ID",
    meaning: "The client ID that the provider gave to Parley.",
  },
  domains: {
    type: "string",
    value: "DOMAINS",
    meaning: "The email domains of its people, joined by commas; * for all.",
  },
  "creates-accounts": {
    type: "string",
    value: "yes|no",
    meaning: "Whether people get an account at their first sign-in.",
    accepts: {
      accepted: "yes or no",
      parse: (given: string) => (given === "yes" ? true : given === "no" ? false : undefined),
    },
  },
  "secret-stdin": {
    type: "boolean",
    meaning: "Read the client secret from standard input.",
  },
} as const;

interface Given {
  readonly "client-id": string | undefined;
  readonly domains: string | undefined;
  readonly "creates-accounts": boolean | undefined;
  readonly "secret-stdin": boolean;
}

/** The client secret on standard input: its first line. @throws CommandError if it is empty */
const readSecret = async (): Promise<string> => {
  const [line = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (line.trim() !== "") return line.trim();
  throw new CommandError("There is no client secret on standard input.");
};

/** The settings in the options, in the form of the interface. */
export const readProvider = async (given: Given) => ({
  ...(given["client-id"] !== undefined && { clientId: given["client-id"] }),
  ...(given.domains !== undefined && {
    domains: given.domains
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean),
  }),
  ...(given["creates-accounts"] !== undefined && { createsAccounts: given["creates-accounts"] }),
  ...(given["secret-stdin"] && { clientSecret: await readSecret() }),
});

/** A provider as lines. */
export const providerPairs = (provider: Provider): string =>
  pairs({
    Provider: provider.name,
    ID: provider.id,
    Address: provider.issuer,
    State: provider.on ? "on" : "off",
    "Client ID": provider.clientId || "none",
    "Client secret": provider.hasSecret ? "set" : "none",
    Domains: provider.domains.join(", ") || "none",
    "Redirect address": provider.redirectAddress,
    "Back-channel logout": provider.backChannelAddress,
  });
