import { z } from "zod";
import { flag, textField } from "../kit/fields.ts";
import { says } from "../kit/reasons.ts";
import { setting } from "../kit/setting.ts";

export const defaultRole = "moderator";

const tagsOf = <T extends z.ZodType>(one: T) =>
  z
    .array(one, { error: says("not_list", { of: "text" }) })
    .max(50, { error: says("too_many", { max: 50, of: "entries" }) });

const roleOf = (text: ReturnType<typeof textField>) =>
  text.refine((value) => !value.includes(",") && value === value.trim(), {
    error: says("not_role"),
    when: ({ issues }) => issues.length === 0,
  });

const line = { shown: "line" } as const;

/**
 * The settings of a person with their defaults (interface.md, User): what create and edit share.
 * The columns that hold them are in server/records/user-columns.ts.
 */
export const userSettings = {
  admin: setting(flag(), false, "Whether the person may administer the organization."),
  meetNowEnabled: setting(flag(), false, "Whether the person may take part in instant meetings."),
  // An edit also accepts stored texts from before shown texts were checked.
  tags: setting(tagsOf(textField(100, line)), [], "Labels that instant meetings use.", {
    edit: tagsOf(textField(100)),
    reply: z.array(z.string()),
  }),
  displayRating: setting(
    flag(),
    false,
    "Whether the ratings of instant meetings are shown for the person.",
  ),
  location: setting(
    textField(200, line).nullable(),
    null,
    "Where the person is: free text or a code.",
    { edit: textField(200).nullable(), reply: z.string().nullable() },
  ),
  role: setting(
    roleOf(textField(64, { filled: true, ...line })),
    defaultRole,
    "What the person is in meetings; lists can be filtered by it.",
    { edit: roleOf(textField(64, { filled: true })), reply: z.string() },
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
