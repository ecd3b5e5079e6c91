import type { Generated, Selectable } from "kysely";
import type { DeliveryEvent } from "../../contract/webhooks/events.ts";

export interface WebhooksTable {
  readonly id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly description: string;
  /** JSON: the events that it wants. */
  readonly events: string;
  readonly state: "on" | "off" | "failed";
  /** Sealed. */
  readonly secret: string;
  /** Sealed; valid until `former_until`. */
  readonly former_secret: string | null;
  readonly former_until: string | null;
  /** The first failure since something was accepted. */
  readonly failing_since: string | null;
  /** The number of its last delivery. */
  readonly last_number: Generated<number>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One event for one webhook. */
export interface DeliveriesTable {
  /** Also the `webhook-id` that receivers get, however often it is sent. */
  readonly id: string;
  readonly organization_id: string;
  readonly webhook_id: string;
  /** From 1 for each webhook, in the order in which things happened. */
  readonly number: number;
  readonly event: DeliveryEvent;
  /** `room:ID`, `user:ID` or `test`: those of one subject are delivered in their order. */
  readonly subject: string;
  /** The body that is sent, byte for byte; null once it is erased with its person. */
  readonly body: string | null;
  readonly state: "waiting" | "delivered" | "failed";
  /** This claim's number: raised by every claim, so that marks of a lost one do nothing. */
  readonly attempts: number;
  /** The attempts before it was last queued: pauses start over with a replay. */
  readonly attempts_before: number;
  /** Not before this time; the lease while a process has it. */
  readonly due_at: string;
  /**
   * When it was last queued; after its first try since then, the time of that try: tries go on for
   * three days from there.
   */
  readonly queued_at: string;
  /** Of the last try. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly milliseconds: number | null;
  readonly last_error: string | null;
  /** JSON of the reason of last_error; null: a text of an earlier version. */
  readonly last_reason: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** Where the change that caused it is traced (lib/traced.ts); null: nowhere. */
  readonly trace: string | null;
}

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
