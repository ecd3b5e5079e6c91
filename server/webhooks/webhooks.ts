import type { Checked, Reply } from "../../contract/kit/operation.ts";
import { WEBHOOKS } from "../../contract/kit/plain.ts";
import { textOf } from "../../contract/kit/reasons.ts";
import { readsSecrets } from "../../contract/kit/scopes.ts";
import { CONCEALED, concealedAddress, isConcealed } from "../../contract/kit/secrets.ts";
import {
  type createWebhook as creating,
  type editWebhook as editing,
  type Webhook,
  webhookDescription,
} from "../../contract/webhooks/webhooks.ts";
import { allFacts, changedFacts, type Happened } from "../change/history.ts";
import { type Change, type Organization, type Queries, timeAfter } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import { now } from "../db/now.ts";
import type { Seal } from "../db/seal.ts";
import type { WebhookRow } from "../db/webhook-tables.ts";
import { type IsAllowed, refuseInside } from "../lib/dialing.ts";
import { DAY_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { DELIVERY_LEASE_MS } from "../lib/lease.ts";
import { refuse, refuseField, refuseFields } from "../lib/refusal.ts";
import { shownTextErrors } from "../lib/shown-texts.ts";
import { makeSecret, openSecret, secretContext, unopened } from "./sign.ts";

/** How long the former secret stays valid after a rotation. */
const ROTATION_MS = DAY_MS;

/** A webhook as the history names it: the rest of its address may hold a key. */
export const webhookSubject = ({
  id,
  url,
}: Pick<WebhookRow, "id" | "url">): Happened["subject"] => ({
  kind: "webhook",
  id,
  name: new URL(url).origin,
});

/** A webhook of the organization. @throws Refusal `webhook_not_found` */
export const findWebhook = async (
  tx: Queries,
  organizationId: string,
  id: string,
): Promise<WebhookRow> =>
  (await tx
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst()) ?? refuse("webhook_not_found");

/** Counts the enabled webhooks, in the organization's row. */
export const countOn = async ({ tx, organization }: Change): Promise<void> => {
  await tx
    .updateTable("organizations")
    .set(({ selectFrom }) => ({
      webhooks: selectFrom("webhooks")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("organization_id", "=", organization.id)
        .where("state", "=", "on"),
    }))
    .where("id", "=", organization.id)
    .execute();
};

/** Facts that the history conceals. */
export const webhookSecrets: ReadonlySet<string> = new Set(["url"]);

/** The fields of a webhook that the history keeps: everything editable, never its secrets. */
export const webhookFacts = ({ url, description, events, state }: WebhookRow) => ({
  url,
  description,
  events: JSON.parse(events) as unknown,
  state,
});

const present = (row: WebhookRow, waiting: number): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: JSON.parse(row.events),
  state: row.state,
  failingSince: row.failing_since,
  formerSecretUntil: row.former_until,
  waiting,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The number of waiting deliveries, by webhook. */
const waitingOf = async (
  db: Queries,
  organizationId: string,
): Promise<(webhookId: string) => number> => {
  const counts = await db
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .select(({ fn }) => ["webhook_id", fn.countAll<number | string>().as("count")])
    .where("webhooks.organization_id", "=", organizationId)
    .where("deliveries.state", "=", "waiting")
    .groupBy("webhook_id")
    .execute();
  const byId = new Map(counts.map(({ webhook_id, count }) => [webhook_id, Number(count)]));
  return (id) => byId.get(id) ?? 0;
};

const shown = async (tx: Queries, row: WebhookRow): Promise<Webhook> =>
  present(row, (await waitingOf(tx, row.organization_id))(row.id));

/**
 * Makes a webhook.
 *
 * @returns it with its secret, which is shown only now
 * @throws Refusal `webhook_limit`, `invalid_input` for an address in the operator's network
 */
export const createWebhook = async (
  change: Change,
  { url, events, description }: Checked<typeof creating>,
  { seal, isAllowed }: { readonly seal: Seal; readonly isAllowed: IsAllowed },
): Promise<Reply<typeof creating>["webhook"]> => {
  const { tx, organization, now: at } = change;
  if (isConcealed(url)) refuseField("url", "stands_for_secret", { text: CONCEALED });
  refuseInside("url", url, isAllowed);
  const there = await tx
    .selectFrom("webhooks")
    .select("id")
    .where("organization_id", "=", organization.id)
    .execute();
  if (there.length >= WEBHOOKS) refuse("webhook_limit");
  const id = uuid7();
  const secret = makeSecret();
  const row: WebhookRow = {
    id,
    organization_id: organization.id,
    url,
    description,
    events: JSON.stringify(events),
    state: "on",
    secret: seal.seal(secret, secretContext(id)),
    last_number: 0,
    former_secret: null,
    former_until: null,
    failing_since: null,
    created_at: at,
    updated_at: at,
  };
  await tx.insertInto("webhooks").values(row).execute();
  await countOn(change);
  change.happened({
    kind: "webhookCreated",
    subject: webhookSubject(row),
    after: allFacts(webhookFacts(row), webhookSecrets),
  });
  return { ...present(row, 0), secret };
};

/** The webhooks of an organization, oldest first; callers who read no secrets see only hosts. */
export const listWebhooks = async ({ read, id, caller }: Organization): Promise<Webhook[]> => {
  const rows = await read
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", id)
    .orderBy("id")
    .execute();
  const waiting = await waitingOf(read, id);
  const addressOf = readsSecrets(caller.scope, "Webhooks")
    ? (url: string) => url
    : concealedAddress;
  return rows.map((row) => present({ ...row, url: addressOf(row.url) }, waiting(row.id)));
};

/**
 * Edits a webhook: only supplied fields change.
 *
 * @throws Refusal `webhook_not_found`, `proof_needed`, `invalid_input` for a new address in the operator's network
 */
export const editWebhook = async (
  change: Change,
  { id, url: given, events, description, on }: Checked<typeof editing>,
  isAllowed: IsAllowed,
): Promise<Webhook> => {
  const { tx, organization } = change;
  const row = await findWebhook(tx, organization.id, id);
  // The concealed value, sent back, changes nothing.
  const url = given === concealedAddress(row.url) ? row.url : (given ?? row.url);
  if (url !== row.url) {
    if (isConcealed(url)) refuseField("url", "stands_for_secret", { text: CONCEALED });
    // What is sent to the new address cannot be taken back, nor the former one restored.
    demandProof(change);
    refuseInside("url", url, isAllowed);
  }
  refuseFields(shownTextErrors({ description: webhookDescription }, row, { description }));
  // A webhook that is switched on starts over: waiting deliveries are tried at once.
  const begins = on === true && row.state !== "on";
  const state: WebhookRow["state"] =
    on === undefined || on === (row.state === "on") ? row.state : on ? "on" : "off";
  // No other columns: senders change `failing_since` without the organization's lock.
  const set = {
    url,
    description: description ?? row.description,
    state,
    events: events === undefined ? row.events : JSON.stringify(events),
    ...(begins && { failing_since: null }),
    updated_at: timeAfter(change, row.updated_at),
  };
  const edited: WebhookRow = { ...row, ...set };
  await tx.updateTable("webhooks").set(set).where("id", "=", id).execute();
  if (begins) {
    await tx
      .updateTable("deliveries")
      .set(({ ref }) => ({ due_at: now(), queued_at: now(), attempts_before: ref("attempts") }))
      .where("webhook_id", "=", id)
      .where("state", "=", "waiting")
      .execute();
    change.leaveWork("deliveries");
  }
  await countOn(change);
  const facts = changedFacts(webhookFacts(row), webhookFacts(edited), webhookSecrets);
  if (Object.keys(facts.after).length > 0) {
    change.happened({ kind: "webhookEdited", subject: webhookSubject(edited), ...facts });
  }
  return shown(tx, edited);
};

/** Removes a webhook with its deliveries. @throws Refusal `webhook_not_found` */
export const removeWebhook = async (change: Change, id: string): Promise<void> => {
  const { tx, organization } = change;
  const row = await findWebhook(tx, organization.id, id);
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
  await countOn(change);
  change.happened({
    kind: "webhookRemoved",
    subject: webhookSubject(row),
    before: allFacts(webhookFacts(row), webhookSecrets),
  });
};

/**
 * Makes a new secret; the former one stays valid for a day, unless its key was lost. Deliveries
 * that waited for a readable secret become due.
 *
 * @throws Refusal `webhook_not_found`
 */
export const rotateSecret = async (
  change: Change,
  id: string,
  seal: Seal,
): Promise<Reply<typeof creating>["webhook"]> => {
  const { tx, organization } = change;
  const row = await findWebhook(tx, organization.id, id);
  const secret = makeSecret();
  const signs = openSecret(seal, id, row.secret) !== undefined;
  const rotated = await tx
    .updateTable("webhooks")
    .set({
      secret: seal.seal(secret, secretContext(id)),
      former_secret: signs ? row.secret : null,
      former_until: signs ? now(ROTATION_MS) : null,
      updated_at: timeAfter(change, row.updated_at),
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("deliveries")
    .set({ due_at: now() })
    .where("webhook_id", "=", id)
    .where("state", "=", "waiting")
    .where("last_error", "=", textOf(unopened))
    // An earlier time may be the lease of a delivery that is being sent.
    .where("due_at", ">", now(DELIVERY_LEASE_MS))
    .execute();
  change.leaveWork("deliveries");
  change.happened({ kind: "webhookSecretRotated", subject: webhookSubject(row) });
  return { ...(await shown(tx, rotated)), secret };
};
