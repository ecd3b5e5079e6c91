import { z } from "zod";
import { choice, id, instant, textField, timeZone } from "../kit/fields.ts";
import { pageLanguages } from "../kit/languages.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { colorSchemes } from "../kit/plain.ts";
import { person } from "./access.ts";

/* Parley's own operations: people's own settings, and where they are signed in. */

const account = { group: "Access", access: "person", failure: "message", status: 200 } as const;

const own = person
  .extend({
    /** The person's time zone; null for the browser's. */
    timeZone: z.string().nullable(),
    /** The language of pages and of emails to the person; null for the browser's and the organization's. */
    language: z.enum(pageLanguages).nullable(),
    colorScheme: z.enum(colorSchemes),
    /** The console's notice that the person has dismissed; null for none. */
    hiddenNotice: z.string().nullable(),
  })
  .meta({ title: "Account" });
/** An account, as its person sees it. */
export type Account = z.output<typeof own>;

export const fetchAccount = operation({
  ...account,
  id: "fetchAccount",
  method: "GET",
  path: "/api/session/account",
  summary: "My own account, with what I have chosen for it",
  in: "nothing",
  input: nothing,
  reply: success({ account: own }),
  refusals: ["account_required"],
});

export const editAccount = operation({
  ...account,
  id: "editAccount",
  changes: true,
  method: "PUT",
  path: "/api/session/account",
  summary: "Change my own name, time zone, language and colors; only what is supplied changes",
  in: "body",
  input: z.object({
    name: textField(200, { filled: true, shown: "line" })
      .optional()
      .describe("The name that others see."),
    timeZone: timeZone()
      .nullable()
      .optional()
      .describe("The time zone of dates and times; null for that of the browser."),
    language: choice(pageLanguages)
      .nullable()
      .optional()
      .describe(
        "The language of pages and of emails to me; null for that of the browser, and emails in that of the organization.",
      ),
    colorScheme: choice(colorSchemes)
      .optional()
      .describe("Light or dark pages; auto: as the device has it."),
    hiddenNotice: textField(500)
      .nullable()
      .optional()
      .describe("The notice of the console that I have put away: another one is shown."),
  }),
  reply: success({ account: own }),
  refusals: ["account_required"],
});

const session = z
  .strictObject({
    id: z.string(),
    startedAt: instant(),
    /** When the session last got a token. */
    usedAt: instant(),
    endsAt: instant(),
    /** The browser's own description at the sign-in; null if none. */
    userAgent: z.string().nullable(),
    /** True if this request's token belongs to it. */
    current: z.boolean(),
  })
  .meta({ title: "OwnSession" });
/** A running sign-in. */
export type OwnSession = z.output<typeof session>;

export const listSessions = operation({
  ...account,
  id: "listSessions",
  method: "GET",
  path: "/api/session/list",
  summary: "Where I am signed in, the newest first",
  in: "nothing",
  input: nothing,
  reply: success({ sessions: z.array(session) }),
  refusals: ["account_required"],
});

export const endSessions = operation({
  ...account,
  id: "endSessions",
  changes: true,
  method: "POST",
  path: "/api/session/end",
  summary: "End one of my sessions, or all but this one",
  in: "body",
  input: z.object({
    sessionId: id()
      .optional()
      .describe("The session that ends; omitted: all but the one of this request."),
  }),
  reply: success({ ended: z.int() }),
  refusals: ["account_required"],
});
