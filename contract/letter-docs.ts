import type { MeaningsOf } from "./answer-fields.ts";
import type { Letter } from "./organization.ts";

/*
 * What the fields of an email mean, for the OpenAPI document and /docs. Neither the client nor the
 * console imports this file.
 */

export const letter: MeaningsOf<Letter> = {
  id: "The ID of the email.",
  userId: "The ID of the person it is for; null once the person is deleted permanently.",
  kind: "welcome: sent with a new account; invitation: with a link to choose the first password; password-reset: sent with a new password; webhook-off: a webhook was switched off.",
  recipient: "The address that the email goes to.",
  state:
    "waiting: to be tried; sent: the mail server has it; refused: given up; withdrawn: out of date before it was sent.",
  attempts: "How many times it was tried.",
  dueAt: "When the next try is due: ISO 8601, UTC; null unless it waits.",
  lastError: "What the last failed try met; null without one.",
  createdAt: "When the email was written: ISO 8601, UTC.",
  endedAt: "When it was sent, refused or withdrawn: ISO 8601, UTC; null while it waits.",
};
