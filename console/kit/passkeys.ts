import { ParleyError } from "../../contract/failure.ts";
import type { NewPasskey, SignedByPasskey } from "../../contract/people/passkeys.ts";

/*
 * Passkeys in the browser, by its own JSON: browsers from before 2025 have none of it, and show no
 * passkeys.
 */

/** Returns whether this page can have passkeys: browsers bind them to names, never to addresses. */
export const canUsePasskeys = (): boolean =>
  window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Returns whether the browser can offer passkeys where a name is typed. */
export const canOfferPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** The result of the browser's question; undefined if the person has closed it, or took too long. */
const orNothing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (failure) {
    const { name } = failure as DOMException;
    if (name === "NotAllowedError" || name === "AbortError") return undefined;
    if (name !== "InvalidStateError") throw failure;
    throw new ParleyError("", {
      code: "passkey_exists",
      status: 409,
      errors: [],
      retryAfter: undefined,
      requestId: undefined,
    });
  }
};

/** Lets the person make a passkey. */
export const makePasskey = async (
  options: Readonly<Record<string, unknown>>,
): Promise<NewPasskey | undefined> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await orNothing(navigator.credentials.create({ publicKey }));
  if (!(made instanceof PublicKeyCredential)) return undefined;
  const { id, response } = made.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, response: { clientDataJSON, attestationObject, transports } };
};

/**
 * Lets the person choose a passkey.
 *
 * @param offered where a name is typed, instead of by a dialog at once
 */
export const askPasskey = async (
  options: Readonly<Record<string, unknown>>,
  { offered = false, signal }: { readonly offered?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SignedByPasskey | undefined> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const chosen = await orNothing(
    navigator.credentials.get({
      publicKey,
      ...(offered && { mediation: "conditional" }),
      ...(signal && { signal }),
    }),
  );
  if (!(chosen instanceof PublicKeyCredential)) return undefined;
  const { id, response } = chosen.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, response: { clientDataJSON, authenticatorData, signature, userHandle } };
};
