import type { z } from "zod";
import { choice, flag, hexColor, webAddress, whole } from "./fields.ts";
import { fallbackLanguage, pageLanguages } from "./languages.ts";
import { setting } from "./setting.ts";
import { speechLanguages } from "./speech-languages.ts";

/** The longest retention, in days: ten years. */
const DAYS = 3650;
const days = () => whole(1, DAYS, { nullable: true });

/** The rights that an organization may give to room owners who are not administrators. */
export const ownersMay = ["nothing", "edit", "create"] as const;
export type OwnersMay = (typeof ownersMay)[number];

/** How people get their first password. */
export const firstPasswords = ["email", "link"] as const;

/** Of whom an organization demands a second factor. */
export const factorFor = ["nobody", "administrators", "everybody"] as const;

/** By what the people of an organization may sign in. */
export const signInWays = ["everything", "providers"] as const;
export type SignInWay = (typeof signInWays)[number];

/**
 * The settings of an organization with their defaults, in the order in which they are answered. A new
 * one is a line here, and its label in the console.
 */
export const organizationSettings = {
  accentColor: setting(
    hexColor().nullable(),
    null,
    "The color of buttons and links, such as #3b5bb5; null for Parley's own. Pages make it darker or lighter where texts could not be read.",
  ),
  binDays: setting(
    days().nullable(),
    null,
    "For how many days deleted rooms and people rest in the recycle bin; null for no bin. New organizations begin with 30. What rests already keeps its days.",
  ),
  binFor: setting(
    choice(["console", "everything"]),
    "console",
    "What goes into the recycle bin: console, what is deleted in the console; everything, also what deleteRoom and deleteUsers delete.",
  ),
  firstPasswords: setting(
    choice(firstPasswords),
    "email",
    "How people who are created get their first password, unless the request says otherwise: email, in the welcome email and in the answer; link, they choose it by a link in the email.",
  ),
  historyDays: setting(
    days().nullable(),
    null,
    "After how many days entries of the history are removed; null to keep them.",
  ),
  imprintLink: setting(
    webAddress().nullable(),
    null,
    "The address of the imprint, linked on every page that guests see; null for none.",
  ),
  language: setting(
    choice(pageLanguages),
    fallbackLanguage,
    "The language of emails to people who have chosen none, of pages for guests whose browser asks for none that there is, and of the words in recordings.",
  ),
  letterDays: setting(
    days().nullable(),
    90,
    "After how many days the list of emails forgets an email that is not waiting, and its file goes; null to keep it until its person is deleted.",
  ),
  meetingDays: setting(
    days().nullable(),
    null,
    "After how many days a meeting that has ended is deleted, with attendance, chat and transcript; null to keep it until its room is deleted.",
  ),
  mustChoosePassword: setting(
    flag(),
    false,
    "Whether people whose password an administrator sets, by createUser or resetPassword, must choose a new one at the next sign-in, unless the request says otherwise.",
  ),
  ownersMay: setting(
    choice(ownersMay),
    "nothing",
    "What people without `admin` may do with rooms. They always see those that they own. `nothing`: no more than that; `edit`: change the settings of those; `create`: that, and create rooms, which they then own; new organizations begin with this.",
  ),
  privacyLink: setting(
    webAddress().nullable(),
    null,
    "The address of the privacy notice, linked on every page that guests see; null for none.",
  ),
  rateMeetings: setting(
    flag(),
    false,
    "Whether people are asked, after a meeting, how good the connection was.",
  ),
  recordingDays: setting(
    days().nullable(),
    null,
    "After how many days recordings are deleted, and what was said in meetings (transcripts), recorded or not; null to keep them until somebody deletes them.",
  ),
  secondFactorFor: setting(
    choice(factorFor),
    "nobody",
    "Of whom the organization demands a second factor. People without one set it up at their next sign-in by a password, and can do nothing else until then.",
  ),
  signInBy: setting(
    choice(signInWays),
    "everything",
    "By what people sign in: everything, also by a password; providers, only by the organization's providers. An administrator who has signed in by one can choose that; the operator can undo it (`parley org set`).",
  ),
  speechLanguage: setting(
    choice(speechLanguages).nullable(),
    null,
    "The language of transcriptions whose moderator chooses none, if the speech engine accepts one; null: the engine detects it.",
  ),
};

/** The settings of a new organization; older ones have the defaults. */
export const settingsOfNew = { binDays: 30, ownersMay: "create" } as const;

/** All settings of an organization, as the rules handle them. */
export type OrganizationSettings = {
  readonly [K in keyof typeof organizationSettings]: z.output<
    (typeof organizationSettings)[K]["reply"]
  >;
};

/** The defaults of all settings. */
export const initialOrganizationSettings = Object.fromEntries(
  Object.entries(organizationSettings).map(([name, { initial }]) => [name, initial]),
) as OrganizationSettings;

/** Stored settings, JSON; settings that were never changed have their defaults. */
export const settingsOf = ({ settings }: { readonly settings: string }): OrganizationSettings => ({
  ...initialOrganizationSettings,
  ...JSON.parse(settings),
});
