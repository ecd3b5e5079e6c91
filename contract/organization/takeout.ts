import { z } from "zod";
import { textField } from "../kit/fields.ts";
import { nothing, operation } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";

/*
 * Downloads of everything known about one person, and of a whole organization. Parley's own operations.
 */

const takeout = {
  access: "administrator",
  failure: "message",
  method: "GET",
  status: 200,
} as const;

export const exportUser = operation({
  ...takeout,
  group: "Users",
  // It has addresses, sessions and the person's words: more than a key for reading lists should
  // get.
  scope: "everything",
  id: "exportUser",
  compressed: "always",
  path: "/api/user/export",
  summary: "Everything that is known of one person, as a file",
  in: "query",
  input: z.object({
    userId: textField(128, { required: says("required") }).describe("The ID of the person."),
  }),
  file: ["application/json"],
  reply: z.string(),
  refusals: ["user_not_found"],
});

export const exportOrganization = operation({
  ...takeout,
  group: "Organization",
  // It has room passwords and stream keys: more than a key for reading lists should get.
  scope: "everything",
  id: "exportOrganization",
  path: "/api/organization/export",
  summary: "Everything of the organization, as one archive",
  in: "nothing",
  input: nothing,
  file: ["application/zip"],
  reply: z.string(),
  refusals: [],
});
