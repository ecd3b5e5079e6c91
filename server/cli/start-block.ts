import { fallbackLanguage, languageFor, pageLanguages } from "../../contract/kit/languages.ts";
import type { Messages } from "../../languages/messages.ts";
import { hasAll, readCatalog } from "../../languages/read.ts";
import type { FirstStart } from "../organizations/first-start.ts";
import type { ServiceAddresses } from "./addresses.ts";
import { columns } from "./table.ts";

/** The words of the start. */
export type StartTexts = Messages["start"];

/** The words of the start in the language of the terminal (LC_ALL, LC_MESSAGES, LANG): plain texts. */
export const startTexts = ({
  LC_ALL,
  LC_MESSAGES,
  LANG,
}: Readonly<Record<string, string | undefined>>): StartTexts => {
  // Such as de_AT.UTF-8; "C" is no language.
  const [name = ""] = (LC_ALL || LC_MESSAGES || LANG || "").split(/[.@]/);
  const offered = pageLanguages.filter((language) => hasAll(language, "start"));
  const language = languageFor([name.replaceAll("_", "-")], offered) ?? fallbackLanguage;
  return Object.fromEntries(readCatalog(language, "start")) as unknown as StartTexts;
};

const indented = (rows: readonly (readonly string[])[]): string[] =>
  columns(rows.map(([name = "", ...rest]) => [`  ${name}`, ...rest]));

/**
 * The first start's sign-in and access key, in lines. A password from the settings is not repeated.
 */
export const firstStartLines = (texts: StartTexts, made: FirstStart): string[] => [
  texts.made,
  "",
  ...indented([
    [texts.organization, `${made.organization.name} (${made.organization.id})`],
    [texts.administrator, made.admin.email],
    [texts.username, made.admin.username],
    [texts.password, made.passwordGenerated ? made.admin.password : texts.passwordOfSettings],
    [texts.accessKey, made.accessKey.accessKey],
    [texts.secretAccessKey, made.accessKey.secretAccessKey],
  ]),
  "",
];

/** The same for programs. */
export const firstStartValue = (made: FirstStart) => ({
  organization: made.organization,
  admin: {
    email: made.admin.email,
    username: made.admin.username,
    password: made.passwordGenerated ? made.admin.password : null,
  },
  accessKey: {
    accessKey: made.accessKey.accessKey,
    secretAccessKey: made.accessKey.secretAccessKey,
  },
});

/** The addresses of the service, in lines. */
export const addressLines = (
  texts: StartTexts,
  addresses: ServiceAddresses,
  notices: readonly string[],
): string[] => [
  texts.ready,
  "",
  ...indented([
    [texts.console, addresses.console ?? texts.consoleMissing],
    [texts.interface, addresses.interface],
    [texts.documentation, addresses.documentation],
    [texts.openApi, addresses.openApi],
  ]),
  ...notices.flatMap((notice) => ["", notice]),
  "",
];
