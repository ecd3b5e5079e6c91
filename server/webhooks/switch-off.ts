import type { ExpressionBuilder } from "kysely";
import { type Reason, textOf } from "../../contract/kit/reasons.ts";
import { type Change, openOrganization, service } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import type { Tables } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { letterLanguage, postLetter } from "../mail/outbox.ts";
import { countOn, webhookSubject } from "./webhooks.ts";

/**
 * How long a webhook may accept nothing before it is switched off, and how long a delivery is
 * tried.
 */
export const KEEP_TRYING_MS = 3 * DAY_MS;

const tellAdministrators = async (
  change: Change,
  { seal, loginUrl }: { readonly seal: Seal; readonly loginUrl: string },
  { webhook, lastReason }: { readonly webhook: string; readonly lastReason: Reason },
): Promise<void> => {
  const { tx, organization } = change;
  const administrators = await tx
    .selectFrom("users")
    .select(["id", "name", "email", "language", "credentials"])
    .where("organization_id", "=", organization.id)
    .where("admin", "=", true)
    .where("account_deleted", "=", false)
    .where("account_suspended", "=", false)
    .execute();
  for (const { id, name, email, credentials, ...person } of administrators) {
    const language = letterLanguage(organization, person);
    await postLetter(change, seal, {
      organizationId: organization.id,
      userId: id,
      kind: "webhook-off",
      recipient: email,
      credentials,
      content: { language, name, loginUrl, webhook, lastError: textOf(lastReason), lastReason },
    });
  }
};

/** A webhook whose delivery was not accepted. */
export interface Failing {
  readonly id: string;
  readonly organizationId: string;
  readonly lastReason: Reason;
  /** The address if it answered 410, otherwise null. */
  readonly gone: string | null;
}

/** The condition that the receiver asks for no more deliveries, or has accepted nothing for three days. */
export const hasFailed =
  ({ gone }: Pick<Failing, "gone">) =>
  (eb: ExpressionBuilder<Tables, "webhooks">) =>
    gone === null
      ? eb("failing_since", "<", now(-KEEP_TRYING_MS))
      : // Not if the webhook's address was edited meanwhile.
        eb("url", "=", gone);

/**
 * Switches off a webhook that answered 410 or accepted nothing for three days, and notifies the
 * administrators.
 *
 * @returns whether it was switched off
 */
export const switchOff = (
  database: Database,
  webhook: Failing,
  mail: { readonly seal: Seal; readonly loginUrl: string },
): Promise<boolean> =>
  openOrganization(database, webhook.organizationId, service).change(async (change) => {
    const off = await change.tx
      .updateTable("webhooks")
      .set({ state: "failed", updated_at: change.now })
      .where("id", "=", webhook.id)
      .where("state", "=", "on")
      .where(hasFailed(webhook))
      .returning(["id", "url"])
      .executeTakeFirst();
    if (off === undefined) return false;
    await countOn(change);
    const { lastReason } = webhook;
    change.happened({
      kind: "webhookSwitchedOff",
      subject: webhookSubject(off),
      after: { lastError: textOf(lastReason), lastReason },
    });
    await tellAdministrators(change, mail, { webhook: off.url, lastReason });
    return true;
  });
