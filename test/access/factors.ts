import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import type { Ask } from "../world/ask.ts";
import type { World } from "../world/world.ts";

/** The code of a secret, now or some steps of 30 seconds later. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** Makes the proofs of a person eleven minutes old: one more than they last. */
export const ageProofs = (
  { database }: Pick<World, "database">,
  userId: string,
): Promise<unknown> =>
  database.change((tx) =>
    tx
      .updateTable("tokens")
      .set({ proved_at: new Date(Date.now() - 11 * 60_000).toISOString() })
      .where("user_id", "=", userId)
      .execute(),
  );

/** Sets up an authenticator app; its code of the step before now is used. */
export const setUpApp = async (own: Ask) => {
  const { secret, uri } = (await own("beginAuthenticator")).body;
  assert.match(uri, /^otpauth:\/\/totp\/Parley:/);
  const confirm = () => own("confirmAuthenticator", { code: codeOf(secret, -1) });
  const first = await confirm();
  // If a step ends on the way, the code is too old.
  const { status, body } = first.status === 403 ? await confirm() : first;
  assert.equal(status, 200, JSON.stringify(body));
  return { secret: secret as string, codes: body.recoveryCodes as readonly string[] };
};
