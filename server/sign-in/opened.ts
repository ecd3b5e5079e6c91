import { noteSignedOut } from "../access/notes.ts";
import { endRemains, endTokensOf, isRemains } from "../access/tokens.ts";
import type { Change, Queries } from "../change/organization.ts";
import { PIECE, piecesOf } from "../db/pieces.ts";

/** A session that a provider opened, with its person. */
export interface OpenedByProvider {
  readonly session: string;
  readonly user_id: string;
}

/** Ends the tokens of sessions that a provider opened, and what else ends with a sign-out. */
export const endOpened = async (
  tx: Queries,
  opened: readonly OpenedByProvider[],
): Promise<void> => {
  for (const piece of piecesOf(opened, PIECE)) {
    const people = piece.map(({ user_id }) => user_id);
    const sessions = piece.map(({ session }) => session);
    await endTokensOf(tx, people, sessions);
    await endRemains(tx, people);
  }
};

/**
 * Ends the sessions that a provider opened, except the caller's own: nothing would end them once the provider is
 * gone, or is another one. In few statements: a large organization waits for it.
 */
export const endAllOpened = async (
  { tx }: Change,
  providerId: string,
  own: string | null,
): Promise<void> => {
  const opened = tx
    .selectFrom("provider_sessions")
    .where("provider_id", "=", providerId)
    .where("session", "<>", own ?? "");
  await tx
    .deleteFrom("tokens")
    .where("user_id", "in", opened.select("user_id"))
    .where((tokens) =>
      tokens.or([tokens("session", "in", opened.select("session")), isRemains(tokens)]),
    )
    .execute();
  // Only from a seat somebody comes back without a session.
  const inside = await tx
    .selectFrom("seats")
    .select("user_id")
    .where("left_at", "is", null)
    .where("user_id", "in", opened.select("user_id"))
    .execute();
  for (const piece of piecesOf(inside, PIECE)) {
    await noteSignedOut(
      tx,
      piece.map(({ user_id }) => user_id ?? ""),
    );
  }
  await tx.deleteFrom("provider_sessions").where("provider_id", "=", providerId).execute();
};
