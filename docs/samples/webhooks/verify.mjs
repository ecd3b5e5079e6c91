/*
 * Verifies a delivery of a webhook, with nothing but Node.
 *
 *     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
 *       node verify.mjs < body
 *
 * Prints "valid", or why not with status 1.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { buffer } from "node:stream/consumers";

/** Why a delivery is refused; undefined if it is genuine. `body`: the bytes as they came, before they are parsed. */
const refusal = (secret, { id, timestamp, signature }, body) => {
  if (!id || !timestamp || !signature) return "a header is missing";
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  if (!isRecent) return "the timestamp is not within five minutes";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest("base64")}`);
  // For a day after a new secret was made there are two signatures.
  const isGenuine = signature.split(" ").some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine ? undefined : "no signature matches";
};

const { env } = process;
const headers = {
  id: env.HTTP_WEBHOOK_ID,
  timestamp: env.HTTP_WEBHOOK_TIMESTAMP,
  signature: env.HTTP_WEBHOOK_SIGNATURE,
};
const why = refusal(env.WEBHOOK_SECRET, headers, await buffer(process.stdin));
console.log(why ?? "valid");
process.exitCode = why === undefined ? 0 : 1;
