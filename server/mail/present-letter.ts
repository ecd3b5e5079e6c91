import type { Letter } from "../../contract/organization/organization.ts";
import type { LetterState } from "./outbox.ts";

/** An email as the list shows it: its state, never its content. */
export const presentLetter = (row: LetterState): Letter => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  recipient: row.recipient,
  state: row.state,
  attempts: row.attempts,
  dueAt: row.state === "waiting" ? row.due_at : null,
  lastError: row.last_error,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  sentTo: row.sent_to,
});
