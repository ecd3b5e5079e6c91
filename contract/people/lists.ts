import { z } from "zod";
import { choice, flag, id, textField } from "../kit/fields.ts";
import { pageLanguages } from "../kit/languages.ts";
import { operation, success } from "../kit/operation.ts";
import { limit, page, pagination, search, sortOrder } from "../kit/pages.ts";
import { says } from "../kit/reasons.ts";
import { listedUser, pagedUser, revokedUser } from "./record.ts";
import { BULK, bulk, userOperation } from "./users.ts";

/** One role or several joined by commas; an empty part matches nobody. */
const roles = textField(2000, { required: says("role_required") })
  .transform(splitRoles)
  .describe("One role, or several joined by commas, such as moderator,admin.");
function splitRoles(joined: string): string[] {
  return [...new Set(joined.split(",").map((part) => part.trim()))];
}

const roleFilter = z.object({
  role: textField(2000, { filled: true })
    .transform(splitRoles)
    .optional()
    .describe("Only people of this role, or of several joined by commas. Without it: everybody."),
});

export const userSortFields = ["name", "createdAt"] as const;

/** The console's filters besides the role. */
const filters = {
  state: choice(["active", "suspended"])
    .optional()
    .describe("Only accounts that are active, or only suspended ones."),
  admin: flag().optional().describe("true: only administrators; false: only people who are none."),
};

const userPage = z.object({
  sortBy: z
    .enum(userSortFields, { error: says("invalid_sort_field") })
    .default("name")
    .describe("The field that orders the list."),
  sortOrder,
  role: roles,
  ...filters,
  page,
  limit,
  search,
});

const fault = { code: "database_error", detail: true } as const;

const reading = { ...userOperation, scope: "read" } as const;

export const fetchUsers = operation({
  ...reading,
  id: "fetchUsers",
  compressed: "always",
  path: "/api/user/fetchOrgUsers",
  summary: "All people, suspended ones included, revoked ones not",
  input: roleFilter,
  reply: success({ users: z.array(listedUser) }),
  list: "users",
});

export const listUsers = operation({
  ...reading,
  id: "listUsers",
  compressed: "always",
  path: "/api/user/fetchOrgUsersWithPagination",
  summary: "People in pages, with the rooms that they own",
  input: userPage,
  reply: success({ users: z.array(pagedUser), pagination }),
  list: "users",
  fault,
});

export const fetchRevokedUsers = operation({
  ...reading,
  id: "fetchRevokedUsers",
  compressed: "always",
  path: "/api/user/fetchDeletedOrgUsers",
  summary: "All revoked people",
  input: roleFilter,
  reply: success({ users: z.array(revokedUser) }),
  list: "users",
});

export const listRevokedUsers = operation({
  ...reading,
  id: "listRevokedUsers",
  compressed: "always",
  path: "/api/user/fetchDeletedOrgUsersWithPagination",
  summary: "Revoked people in pages, with the rooms that they owned",
  input: userPage,
  reply: success({ users: z.array(pagedUser), pagination }),
  list: "users",
  fault,
});

/** Parley's own: the console uses it for the owners of a page of rooms, and for one person. */
export const findUsers = operation({
  ...reading,
  id: "findUsers",
  compressed: "always",
  path: "/api/user/findOrgUsers",
  summary: "People by their IDs, revoked ones included; unknown IDs are skipped",
  input: z.object({
    userIds: z
      .array(id(says("not_id_of", { of: "user" })), { error: says("user_ids_not_array") })
      .min(1, { error: says("user_ids_empty") })
      .max(BULK, { error: bulk })
      .describe("The user IDs of the people to find."),
    withLanguages: flag()
      .optional()
      .describe("Whether the answer also has `languages`: those that these people have chosen."),
    withMustChoosePassword: flag()
      .optional()
      .describe("Whether the answer also has `mustChoosePassword`."),
  }),
  reply: success({
    users: z.array(listedUser),
    /** The IDs of those who must choose a new password. */
    mustChoosePassword: z.array(z.string()).optional(),
    languages: z
      .array(z.strictObject({ userId: z.string(), language: z.enum(pageLanguages).nullable() }))
      .optional(),
  }),
  tagged: "asked for one",
});
