import type { Config } from "../config.ts";
import { uuid7 } from "../id.ts";
import { DELIVERY_MS } from "../lease.ts";
import { openDelivery } from "./delivery.ts";
import { composeMessage } from "./message.ts";
import type { Outcome } from "./outcome.ts";

/** The result of a check of the mail server; `problem` is null when it accepts letters. */
export interface MailCheck {
  /** The mail server's host and port, or the folder for letters. */
  readonly target: string;
  readonly problem: string | null;
}

type MailConfig = Pick<Config, "smtp" | "dataDir" | "mailFrom">;

/** Connects to the mail server as for a letter: greeting, EHLO, TLS, authentication. Never throws. */
export const checkMailServer = async (config: MailConfig): Promise<MailCheck> => {
  const delivery = openDelivery(config);
  const outcome = await delivery.probe(AbortSignal.timeout(DELIVERY_MS));
  return { target: delivery.target, problem: problemOf(outcome) };
};

/** Sends a test email at once, without going through the outbox. */
export const testDelivery = async (config: MailConfig, address: string): Promise<MailCheck> => {
  const delivery = openDelivery(config);
  const letter = { id: `test-${uuid7()}`, createdAt: new Date().toISOString(), recipient: address };
  const sentence = "This is a test email from Parley. Emails arrive.";
  const message = await composeMessage(letter, config.mailFrom, {
    subject: "A test email from Parley",
    text: `${sentence}\n`,
    html: `<!doctype html><html lang="en"><body><p>${sentence}</p></body></html>\n`,
  });
  const signal = AbortSignal.timeout(DELIVERY_MS);
  const outcome = await delivery.deliver(message, {
    signal,
    mayLeave: async () => true,
    secrets: [],
  });
  return { target: delivery.target, problem: problemOf(outcome) };
};

const problemOf = (outcome: Outcome): string | null => ("error" in outcome ? outcome.error : null);
