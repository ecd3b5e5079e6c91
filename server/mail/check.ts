import { mailTroubles } from "../../contract/kit/mail-causes.ts";
import type { Config } from "../config/config.ts";
import { uuid7 } from "../lib/id.ts";
import { DELIVERY_MS } from "../lib/lease.ts";
import { openDelivery } from "./delivery.ts";
import { composeMessage } from "./message.ts";
import type { Outcome } from "./outcome.ts";

/** The result of a check of the mail server. */
export interface MailCheck {
  /** The mail server's host and port, or the folder for letters. */
  readonly target: string;
  /** Null when it accepts letters. */
  readonly problem: string | null;
  /** The remedy. */
  readonly advice: string;
}

type MailConfig = Pick<Config, "smtp" | "dataDir" | "mailFrom">;

/** Connects to the mail server as for a letter: greeting, EHLO, TLS, authentication. Never throws. */
export const checkMailServer = async (config: MailConfig): Promise<MailCheck> => {
  const delivery = openDelivery(config);
  const outcome = await delivery.probe(AbortSignal.timeout(DELIVERY_MS));
  return { target: delivery.target, ...problemOf(outcome) };
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
  return { target: delivery.target, ...problemOf(outcome) };
};

/**
 * Explains the outcome of a single try; an answer that may be about the recipient is taken for
 * that first.
 */
const problemOf = (outcome: Outcome): Omit<MailCheck, "target"> => {
  if (!("error" in outcome)) return { problem: null, advice: "" };
  const { error } = outcome;
  if (outcome.kind !== "unreachable") {
    return {
      problem: error,
      advice: "The answer says whether this address or the sender is meant.",
    };
  }
  const { is, mend } = mailTroubles[outcome.cause];
  // A reason of our own says what is wrong; the server's words do not.
  const problem = outcome.reason === undefined ? `${is} It says: ${error}` : error;
  return { problem, advice: mend };
};
