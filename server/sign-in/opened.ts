import { endRemains, endTokensOf } from "../access/tokens.ts";
import type { Change, Queries } from "../change/organization.ts";
import { PIECE } from "../db/pieces.ts";

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
  // In pieces: a statement has no room for the sessions of a large organization.
  for (let from = 0; from < opened.length; from += PIECE) {
    const piece = opened.slice(from, from + PIECE);
    await endTokensOf(
      tx,
      piece.map(({ session }) => session),
    );
    await endRemains(
      tx,
      piece.map(({ user_id }) => user_id),
    );
  }
};

/**
 * Ends the sessions that a provider opened, except the caller's own: nothing would end them once the provider is
 * gone, or is another one.
 */
export const endAllOpened = async (
  { tx }: Change,
  providerId: string,
  own: string | null,
): Promise<void> => {
  const opened = await tx
    .deleteFrom("provider_sessions")
    .where("provider_id", "=", providerId)
    .returning(["session", "user_id"])
    .execute();
  await endOpened(
    tx,
    opened.filter(({ session }) => session !== own),
  );
};
