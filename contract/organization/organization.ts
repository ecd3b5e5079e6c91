import { z } from "zod";
import { instant, pathId, textField } from "../kit/fields.ts";
import { lastReason } from "../kit/last-reason.ts";
import { mailCauses } from "../kit/mail-causes.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { organizationSettings } from "../kit/organization-settings.ts";
import { limitTo, pagination, queryPage, search, sentPage } from "../kit/pages.ts";
import { letterKinds } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import { shapeOf } from "../kit/setting.ts";

/*
 * Parley's own operations: the organization and its emails.
 */

const used = z.strictObject({ rooms: z.int(), users: z.int() });
const settings = z
  .strictObject(shapeOf(organizationSettings, "reply"))
  .meta({ title: "OrganizationSettings" });
const limits = z.strictObject({ rooms: z.int().nullable(), users: z.int().nullable() });

const organization = {
  group: "Organization",
  access: "administrator",
  failure: "message",
} as const;

export const getOrganization = operation({
  ...organization,
  id: "getOrganization",
  method: "GET",
  path: "/api/organization",
  summary: "The organization: its plan, what is used, and what needs attention",
  in: "nothing",
  input: nothing,
  reply: success({
    organization: z
      .strictObject({
        id: z.string(),
        name: z.string(),
        plan: z.string().nullable(),
        /** null: no limit. */
        limits,
        used,
        /** Rooms by status. */
        rooms: z.strictObject({ free: z.int(), busy: z.int(), occupied: z.int() }),
        /** Meetings with somebody inside, and how many people are inside them. */
        meetings: z.strictObject({ running: z.int(), inside: z.int() }),
        letters: z.strictObject({ waiting: z.int(), refused: z.int() }),
        /** Where emails go: to a mail server, or only into a folder of the service. */
        mail: z.enum(["smtp", "folder"]),
        /** Why the mail server takes no emails, so that all of them wait. */
        mailProblem: z
          .strictObject({
            cause: z.enum(mailCauses),
            message: z.string(),
            answer: z.string().nullable(),
            lastReason: lastReason.nullable(),
          })
          .optional(),
        /**
         * `ready` if a machine of the installation can capture meetings; off: the operator has switched
         * it off.
         */
        recorder: z.enum(["ready", "missing", "off"]),
        /** The media engine of meetings; direct: each browser connects to all others, for at most six people. */
        media: z.enum(["livekit", "direct"]),
        /** Roles in use, revoked accounts included. */
        roles: z.array(z.string()),
        /** The space of finished recordings, and what must still move to the store or be erased. */
        recordings: z.strictObject({
          count: z.int(),
          bytes: z.int(),
          waiting: z.int(),
          erasing: z.int(),
        }),
        settings,
      })
      .meta({ title: "Organization" }),
  }),
  status: 200,
  refusals: [],
});

export const editOrganization = operation({
  ...organization,
  id: "editOrganization",
  fresh: "sometimes",
  changes: true,
  method: "PUT",
  path: "/api/organization",
  summary: "Change the organization's name and settings; only what is supplied changes",
  in: "body",
  input: z.object({
    ...shapeOf(organizationSettings, "edit"),
    name: textField(200, { filled: true, shown: "line", pasted: true })
      .optional()
      .describe("The name of the organization; no other one of the service has it."),
  }),
  reply: success({ settings, name: z.string() }),
  status: 200,
  refusals: ["organization_name_taken", "provider_untried"],
});

const letter = z
  .strictObject({
    id: z.string(),
    userId: z.string().nullable(),
    kind: z.enum(letterKinds),
    recipient: z.string(),
    state: z.enum(["waiting", "sent", "refused", "withdrawn"]),
    attempts: z.int(),
    /** When the next try is due; null if the letter is sent, refused or withdrawn. */
    dueAt: instant().nullable(),
    lastError: z.string().nullable(),
    lastReason: lastReason.nullable(),
    createdAt: instant(),
    endedAt: instant().nullable(),
    sentTo: z.enum(["server", "file"]).nullable(),
  })
  .meta({ title: "Letter" });
/** The state of an email, without its content. */
export type Letter = z.output<typeof letter>;
export const letterStates = letter.shape.state.options;

const size = limitTo(100);
const letterPage = z.object({
  page: queryPage,
  limit: size.taken,
  state: z
    .enum(letterStates, { error: says("not_one_of", { accepted: letterStates }) })
    .optional()
    .describe("Only emails in this state."),
  search: search.describe("A part of the recipient's address."),
});

export const listLetters = operation({
  ...organization,
  id: "listLetters",
  compressed: "always",
  method: "GET",
  path: "/api/letter",
  summary: "The emails and their state, newest first",
  in: "query",
  input: letterPage,
  sent: letterPage.extend({ page: sentPage, limit: size.sent }),
  reply: success({ letters: z.array(letter), pagination }),
  status: 200,
  refusals: [],
});

export const retryLetter = operation({
  ...organization,
  id: "retryLetter",
  changes: true,
  method: "POST",
  path: "/api/letter/:id/retry",
  summary: "Try a refused email again",
  in: "path",
  input: z.object({ id: pathId().describe("The ID of the email in the list of emails.") }),
  reply: success({}),
  status: 200,
  refusals: ["letter_not_found", "letter_not_refused", "letter_outdated"],
});

export const retryLetters = operation({
  ...organization,
  id: "retryLetters",
  changes: true,
  method: "POST",
  path: "/api/letter/retry",
  summary: "Try all refused emails again",
  in: "nothing",
  input: nothing,
  reply: success({ retried: z.int() }),
  status: 200,
  refusals: [],
});
