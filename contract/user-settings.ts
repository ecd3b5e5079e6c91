import { z } from "zod";
import { flag, textField } from "./fields.ts";
import { setting } from "./setting.ts";

export const defaultRole = "moderator";

const tags = () =>
  z
    .array(textField(100), { error: "must be an array of text" })
    .max(50, { error: "must have at most 50 entries" });

const rolePhrase = "must be a role of 1 to 64 characters without a comma and surrounding spaces";
const role = () =>
  textField(64, { filled: true }).refine(
    (value) => !value.includes(",") && value === value.trim(),
    {
      error: rolePhrase,
      when: ({ issues }) => issues.length === 0,
    },
  );

/**
 * The settings of a person with their defaults (interface.md, User): what create and edit share.
 * The columns that hold them are in server/users/columns.ts.
 */
export const userSettings = {
  admin: setting(flag(), false, "Whether the person may administer the organization."),
  meetNowEnabled: setting(flag(), false, "Whether the person may take part in instant meetings."),
  tags: setting(tags(), [], "Labels that instant meetings use."),
  displayRating: setting(
    flag(),
    false,
    "Whether the ratings of instant meetings are shown for the person.",
  ),
  location: setting(textField(200).nullable(), null, "Where the person is: free text or a code."),
  role: setting(
    role(),
    defaultRole,
    "What the person is in meetings; lists can be filtered by it.",
  ),
};

export type UserSettingName = keyof typeof userSettings;
/** Everything that can be set on a person, as the rules handle it. */
export type UserSettings = {
  [K in UserSettingName]: z.output<(typeof userSettings)[K]["reply"]>;
};

/** The defaults of all settings. */
export const initialUserSettings = Object.fromEntries(
  Object.entries(userSettings).map(([name, { initial }]) => [name, initial]),
) as UserSettings;
