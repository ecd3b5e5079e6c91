import { either, word } from "../../contract/kit/accepted.ts";
import { pageLanguages } from "../../contract/kit/languages.ts";
import { signInWays } from "../../contract/kit/organization-settings.ts";
import { speechLanguages } from "../../contract/kit/speech-languages.ts";
import { CommandError, cliCommand, UsageError } from "./command.ts";
import { withOrganization } from "./database.ts";
import {
  organizationPairs,
  planOptions,
  presentOrganization,
  readName,
  readPlan,
} from "./organization-options.ts";
import { pairs } from "./table.ts";

export const orgSet = cliCommand({
  name: "org set",
  arguments: ["ORG"],
  options: {
    name: { type: "string", value: "NAME", meaning: "The new name." },
    ...planOptions,
    "sign-in": {
      type: "string",
      value: "everything|providers",
      meaning: "By what its people sign in: everything also allows passwords.",
      accepts: {
        accepted: signInWays.join(" or "),
        parse: (given: string) => signInWays.find((way) => way === given),
      },
    },
    language: {
      type: "string",
      value: "TAG",
      meaning: "The language of emails to people who have chosen none.",
      accepts: {
        accepted: pageLanguages.join(", "),
        parse: (given: string) => pageLanguages.find((tag) => tag === given),
      },
    },
    "speech-language": {
      type: "string",
      value: "TAG",
      meaning: "The language of transcriptions where a moderator chooses none; none to detect it.",
      accepts: either(word("none", null), {
        accepted: "a language of Whisper such as de",
        parse: (given: string) => speechLanguages.find((tag) => tag === given),
      }),
    },
  },
  summary: "Change the name, plan, limits, way of signing in or languages of an organization.",
  details:
    "Only what is given changes. A limit below the current use deletes nothing; it prevents more. It\napplies to a running service from the next request.",
  examples: [
    "org set Acme --max-rooms 200 --max-users none",
    'org set Acme --name "Acme Europe"',
    "org set Acme --sign-in everything",
    "org set Acme --language de --speech-language de",
  ],
  async run({ arguments: [org], options, ...called }) {
    const { name } = options;
    const change = {
      ...(name !== undefined && { name: readName("--name", name) }),
      ...readPlan(options),
    };
    const { "sign-in": signInBy, language, "speech-language": speechLanguage } = options;
    const settings = {
      ...(signInBy !== undefined && { signInBy }),
      ...(language !== undefined && { language }),
      ...(speechLanguage !== undefined && { speechLanguage }),
    };
    const isEdited = Object.keys(settings).length > 0;
    if (Object.keys(change).length === 0 && !isEdited) {
      throw new UsageError(
        "Give at least one of --name, --plan, --max-rooms, --max-users, --sign-in, --language and --speech-language.",
      );
    }
    const { setOrganization } = await import("../organizations/organizations.ts");
    const { editOrganization } = await import("../organizations/settings.ts");
    const { Refusal } = await import("../lib/refusal.ts");
    const row = await withOrganization(called, org, (organization, before) =>
      organization.change(async (c) => {
        if (isEdited) await editOrganization(c, settings);
        return Object.keys(change).length === 0 ? before : setOrganization(c, change);
      }),
    ).catch((error: unknown) => {
      throw error instanceof Refusal ? new CommandError(error.message) : error;
    });
    return { value: presentOrganization(row), text: pairs(organizationPairs(row)) };
  },
});
