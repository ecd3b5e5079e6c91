import { type Reason, textOf } from "../../contract/kit/reasons.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { atLeast, growing, jittered } from "../lib/backoff.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { DELIVERY_MS, markInTime } from "../lib/lease.ts";
import { meter } from "../lib/measured.ts";
import { addToSpan, traced } from "../lib/traced.ts";
import type { Log } from "../lib/worker.ts";
import {
  type ClaimedDelivery,
  markDelivered,
  markFailed,
  mayDeliver,
  releaseDelivery,
} from "./claims.ts";
import { type PostResult, post, TIMEOUT_MS } from "./post.ts";
import { openSecret, signedHeaders, unopened } from "./sign.ts";
import { type Failing, hasFailed, KEEP_TRYING_MS, switchOff } from "./switch-off.ts";

/** The dependencies of a sender. */
export interface SenderNeeds {
  readonly database: Database;
  readonly seal: Seal;
  readonly config: Pick<
    Config,
    "publicUrl" | "allowedNetworks" | "webhookRetrySeconds" | "webhookDays"
  >;
  readonly log: Log;
}

/** The status with which a receiver asks for no more deliveries (Standard Webhooks). */
const GONE = 410;
const LONGEST_PAUSE_MS = HOUR_MS;

/**
 * Sends a claimed delivery and stores the result.
 *
 * @param since performance.now() before the claim, before the lease began
 * @param stop aborted when the sender must stop: unanswered deliveries are given back
 */
export const carryDelivery = async (
  bag: SenderNeeds,
  claimed: ClaimedDelivery,
  since: number,
  stop: AbortSignal,
): Promise<void> => {
  const { id, trace, event, organization_id, webhook_id, attempts } = claimed;
  const attributes = {
    "parley.organization.id": organization_id,
    "parley.webhook.id": webhook_id,
    "parley.delivery.id": id,
    "parley.event": event,
    "parley.attempt": attempts,
  };
  await traced("webhook delivery", { kind: "consumer", attributes, cause: trace }, async () => {
    const tried = await send(bag, claimed, since, stop);
    if (tried?.status) addToSpan({ "http.response.status_code": tried.status });
    await markInTime(() => settle(bag, claimed, tried, stop.aborted), since, stop);
  });
};

/**
 * A webhook's secret, and the former one while it is valid; undefined if the key cannot open them.
 */
const secretsOf = (
  seal: Seal,
  { webhook_id, secret, isRotating, former_secret }: ClaimedDelivery,
): (string | undefined)[] =>
  [secret, isRotating ? former_secret : null].map((sealed) =>
    sealed === null ? undefined : openSecret(seal, webhook_id, sealed),
  );

/** @returns undefined if it must no longer be sent */
const send = async (
  { database, seal, config }: SenderNeeds,
  claimed: ClaimedDelivery,
  since: number,
  stop: AbortSignal,
): Promise<PostResult | undefined> => {
  const [secret, former] = secretsOf(seal, claimed);
  if (secret === undefined) {
    return { status: null, answer: null, milliseconds: 0, reason: unopened };
  }
  // After a pause of the process a timer may fire late, so check the clock too.
  const inTime = () => performance.now() - since < DELIVERY_MS - TIMEOUT_MS && !stop.aborted;
  if (!inTime() || !(await mayDeliver(database, claimed)) || !inTime()) return undefined;
  const seconds = Math.floor(Date.now() / 1000);
  const secrets = former === undefined ? [secret] : [secret, former];
  const headers = signedHeaders(secrets, claimed.id, seconds, claimed.body);
  return post(claimed.url, headers, claimed.body, {
    organizationId: claimed.organization_id,
    networks: config.allowedNetworks,
    stop,
  });
};

const settle = async (
  bag: SenderNeeds,
  claimed: ClaimedDelivery,
  tried: PostResult | undefined,
  stopped: boolean,
): Promise<void> => {
  const { database, config, log } = bag;
  const about = { delivery: claimed.id, webhook: claimed.webhook_id, attempt: claimed.attempts };
  if (tried?.reason === null) {
    await markDelivered(database, claimed, tried);
    meter("delivery", "delivered");
    return log.info(about, "Webhook delivered.");
  }
  if (tried === undefined || (stopped && tried.status === null)) {
    await releaseDelivery(database, claimed);
    return;
  }
  const error = textOf(tried.reason);
  // A webhook that is switched off keeps its waiting deliveries, this one included.
  const isOff = await endFailing(bag, claimed, tried.status, tried.reason);
  const isOver = !isOff && Date.now() - Date.parse(claimed.queued_at) > KEEP_TRYING_MS;
  const nth = claimed.attempts - claimed.attempts_before;
  const own = jittered(growing(config.webhookRetrySeconds * 1000, nth, LONGEST_PAUSE_MS));
  const pauseMs = isOver ? undefined : atLeast(own, tried.againMs, LONGEST_PAUSE_MS);
  await markFailed(database, claimed, tried, pauseMs);
  addToSpan({ "error.type": tried.status === null ? "no_answer" : String(tried.status) });
  meter("delivery", isOver ? "given_up" : "postponed");
  log.warn({ ...about, error }, isOver ? "Webhook given up." : "Webhook postponed.");
};

/** Switches off a webhook that has failed. @returns whether it is off */
const endFailing = async (
  bag: SenderNeeds,
  claimed: ClaimedDelivery,
  status: number | null,
  lastReason: Reason,
): Promise<boolean> => {
  const { database, seal, config, log } = bag;
  const webhook: Failing = {
    id: claimed.webhook_id,
    organizationId: claimed.organization_id,
    lastReason,
    gone: status === GONE ? claimed.url : null,
  };
  const failing = await database.read
    .selectFrom("webhooks")
    .select("id")
    .where("id", "=", claimed.webhook_id)
    .where("state", "=", "on")
    .where(hasFailed(webhook))
    .executeTakeFirst();
  if (failing === undefined) return false;
  const loginUrl = `${config.publicUrl}/webhooks`;
  if (!(await switchOff(database, webhook, { seal, loginUrl }))) return true;
  log.warn({ webhook: failing.id }, "Webhook switched off.");
  return true;
};
