import { createHmac, randomBytes } from "node:crypto";
import { reason } from "../../contract/kit/reasons.ts";
import { type Seal, SealError } from "../db/seal.ts";

/*
 * Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md).
 */

const PREFIX = "whsec_";

/** A new secret: `whsec_` and the base64 of 32 random bytes. */
export const makeSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** The context in which a secret is sealed: it opens for its own webhook only. */
export const secretContext = (webhookId: string): string => `webhook:${webhookId}`;

/** The secret of a webhook; undefined if the key cannot open it. */
export const openSecret = (seal: Seal, webhookId: string, sealed: string): string | undefined => {
  try {
    return seal.open(sealed, secretContext(webhookId));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** Why a delivery waits if the key that sealed its webhook's secret was lost. */
export const unopened = reason("webhook_secret_unreadable");

const signatureOf = (secret: string, signed: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(signed)
    .digest("base64")}`;

/**
 * The headers of a delivery.
 *
 * @param secrets all valid secrets; there is a signature for each
 * @param seconds the time of this try, in seconds since 1970
 */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  seconds: number,
  body: string,
): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": secrets
    .map((secret) => signatureOf(secret, `${id}.${seconds}.${body}`))
    .join(" "),
});
