import { z } from "zod";
import { choice, dateTime, id, instant, pathId, textField } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { scopes } from "../kit/scopes.ts";
import { setting, shapeOf } from "../kit/setting.ts";

/*
 * Parley's own operations: access keys for programs, and what each key may do.
 */

/** A time as the database stores it; beyond the year 9999, text order would differ from time order. */
const moment = () =>
  dateTime()
    .transform((value) => new Date(value).toISOString())
    .refine((value) => value.length === 24, { error: says("too_far", { year: 10_000 }) });

/**
 * The settings of an access key with their defaults, which fit keys from before there were
 * settings.
 */
export const accessKeySettings = {
  name: setting(
    textField(100, { shown: "line" }),
    "",
    "What the key is for, such as the name of the program.",
    { edit: textField(100), reply: z.string() },
  ),
  scope: setting(
    choice(scopes),
    "everything",
    "What the key may do: `read` answers only, neither the history, the deliveries of webhooks nor a person's whole file, and `(set)` in place of secrets; `secrets`, read also the passwords and stream keys of rooms and the addresses of webhooks; `rooms`, also change rooms, meetings and recordings; `people`, also change people without `admin`; `scim`, nothing but [SCIM](sign-in.md#scim); `everything`.",
  ),
  expiresAt: setting(
    moment().nullable(),
    null,
    "When the key and its tokens end; null: when it is removed.",
    { edit: moment().nullable(), reply: instant().nullable() },
  ),
};

/** The settings of an access key, as the rules handle them. */
export type AccessKeySettings = {
  readonly [K in keyof typeof accessKeySettings]: z.output<(typeof accessKeySettings)[K]["reply"]>;
};

/** The defaults of all settings. */
export const initialAccessKeySettings = Object.fromEntries(
  Object.entries(accessKeySettings).map(([name, { initial }]) => [name, initial]),
) as AccessKeySettings;

const named = { title: "AccessKey" } as const;
const accessKey = z
  .strictObject({
    accessKey: z.string(),
    createdAt: instant(),
    ...shapeOf(accessKeySettings, "reply"),
    /** When the key was last exchanged for a token; null: never. */
    lastUsedAt: instant().nullable(),
  })
  .meta(named);
/** An access key, without its secret. */
export type AccessKey = z.output<typeof accessKey>;

const keys = { group: "Organization", access: "administrator", failure: "message" } as const;

export const listAccessKeys = operation({
  ...keys,
  id: "listAccessKeys",
  method: "GET",
  path: "/api/accessKey",
  summary: "The organization's access keys, never their secrets",
  in: "nothing",
  input: nothing,
  reply: success({ accessKeys: z.array(accessKey) }),
  status: 200,
  refusals: [],
});

export const createAccessKey = operation({
  ...keys,
  id: "createAccessKey",
  fresh: "always",
  changes: true,
  method: "POST",
  path: "/api/accessKey",
  summary: "Create an access key; its secret is shown only once",
  in: "body",
  input: z.object(shapeOf(accessKeySettings, "create")),
  reply: success({ accessKey: accessKey.extend({ secretAccessKey: z.string() }).meta(named) }),
  status: 201,
  refusals: [],
});

export const editAccessKey = operation({
  ...keys,
  id: "editAccessKey",
  fresh: "always",
  changes: true,
  method: "PUT",
  path: "/api/accessKey",
  summary: "Edit an access key: only what is supplied changes, at once and for its tokens too",
  in: "body",
  input: z.object({
    accessKey: id().describe("The access key to edit."),
    ...shapeOf(accessKeySettings, "edit"),
  }),
  reply: success({ accessKey }),
  status: 200,
  refusals: ["access_key_not_found"],
});

export const removeAccessKey = operation({
  ...keys,
  id: "removeAccessKey",
  fresh: "always",
  changes: true,
  method: "DELETE",
  path: "/api/accessKey/:id",
  summary: "Remove an access key; its tokens end at once",
  in: "path",
  input: z.object({ id: pathId().describe("The access key to remove.") }),
  reply: success({}),
  status: 200,
  refusals: ["access_key_not_found"],
});
