import { reason } from "../../contract/kit/reasons.ts";
import type { Config } from "../config/config.ts";
import { timeOf } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { atLeast, growing, jittered } from "../lib/backoff.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import { ownTrouble } from "../lib/last-trouble.ts";
import { DELIVERY_MS, markInTime } from "../lib/lease.ts";
import { meter } from "../lib/measured.ts";
import { addToSpan, traced } from "../lib/traced.ts";
import type { Log } from "../lib/worker.ts";
import {
  type ClaimedLetter,
  markRefused,
  markSent,
  mayLeave,
  postponeLetter,
  releaseLetter,
} from "./claims.ts";
import type { LetterDelivery } from "./delivery.ts";
import { letterSecrets } from "./letter-html.ts";
import { type LetterContent, writeLetter } from "./letters.ts";
import { composeMessage, type EmailMessage } from "./message.ts";
import { openContent } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";
import { linkLasts, makePasswordCode } from "./password-code.ts";
import type { Verdicts } from "./verdicts.ts";

/** The dependencies of a postman. */
export interface PostmanNeeds {
  readonly database: Database;
  readonly seal: Seal;
  readonly config: Pick<Config, "mailFrom" | "mailRetrySeconds" | "publicUrl">;
  readonly log: Log;
  readonly delivery: LetterDelivery;
  readonly verdicts: Verdicts;
}

const LONGEST_PAUSE_MS = HOUR_MS;
const KEEP_TRYING_MS = 4 * DAY_MS;

/**
 * Brings a claimed letter to an outcome: delivered, refused, postponed or given back.
 *
 * @param since performance.now() before the claim, before the lease began
 * @param stop aborted when the postman must stop: unsent letters are given back
 */
export const carryLetter = async (
  bag: PostmanNeeds,
  letter: ClaimedLetter,
  since: number,
  stop: AbortSignal,
): Promise<Outcome> => {
  const { id, kind, attempts, trace } = letter;
  const attributes = {
    "parley.letter.id": id,
    "parley.letter.kind": kind,
    "parley.attempt": attempts,
  };
  return traced("email", { kind: "consumer", attributes, cause: trace }, async () => {
    const outcome = bag.verdicts.weigh(letter, await deliver(bag, letter, since, stop));
    if (outcome.kind !== "sent") addToSpan({ "error.type": outcome.kind });
    meter("letter", outcome.kind);
    // In time: a letter that was sent but not marked would be sent again.
    await markInTime(() => settle(bag, letter, outcome, stop.aborted), since, stop);
    return outcome;
  });
};

/** A letter with a link to choose a password, which opens the account only for its current recipient. */
const addressed = async (
  { seal, database }: Pick<PostmanNeeds, "seal" | "database">,
  letter: ClaimedLetter,
  content: LetterContent,
): Promise<LetterContent> => {
  const { userId, credentials, accountCreatedAt: createdAt, recipient: email } = letter;
  const lasts = linkLasts[letter.kind];
  if (lasts === undefined || userId === null || createdAt === null) return content;
  const link = new URL(content.loginUrl);
  // The code is in the fragment, so it reaches no server's log.
  const until = (await timeOf(database.read)) + lasts;
  link.hash = makePasswordCode(seal, { userId, credentials, createdAt, email }, until);
  return { ...content, loginUrl: link.href };
};

const deliver = async (
  bag: PostmanNeeds,
  letter: ClaimedLetter,
  since: number,
  stop: AbortSignal,
): Promise<Outcome> => {
  let content: LetterContent;
  let message: EmailMessage;
  try {
    content = await addressed(bag, letter, openContent(bag.seal, letter, bag.config.publicUrl));
    const calendar = "calendar" in content ? content.calendar : undefined;
    const text = await writeLetter(letter.kind, content);
    message = await composeMessage(letter, bag.config.mailFrom, text, calendar);
  } catch (error) {
    const detail = error instanceof Error ? error.name : "unknown";
    const trouble = ownTrouble(reason("email_unreadable", { detail }));
    return { kind: "refused", ...trouble, isClear: true };
  }
  // After a pause of the process the timer may fire late, so check the clock too.
  const inTime = () => performance.now() - since < DELIVERY_MS && !stop.aborted;
  if (!inTime()) return { kind: "held" };
  const timer = AbortSignal.timeout(
    Math.max(1, Math.round(DELIVERY_MS - (performance.now() - since))),
  );
  return await bag.delivery.deliver(message, {
    signal: AbortSignal.any([stop, timer]),
    mayLeave: async () => inTime() && (await mayLeave(bag.database, letter)) && inTime(),
    secrets: letterSecrets(content),
  });
};

/** Stores and logs the outcome of a letter. */
const settle = async (
  bag: PostmanNeeds,
  letter: ClaimedLetter,
  outcome: Outcome,
  stopped: boolean,
): Promise<void> => {
  const { database, log } = bag;
  const about = { letter: letter.id, attempt: letter.attempts };
  const tell = (level: "info" | "warn", marked: boolean, text: string, more: object = {}) => {
    if (marked) log[level]({ ...about, ...more }, text);
    else log.warn(about, `${text} It was withdrawn, or another postman has it.`);
  };
  if (outcome.kind === "sent") {
    tell("info", await markSent(database, letter, bag.delivery.to), "Email sent.");
  } else if (outcome.kind === "refused") {
    const { error } = outcome;
    tell("warn", await markRefused(database, letter, outcome), "Email refused.", { error });
  } else if (outcome.kind === "held" || stopped) {
    await releaseLetter(database, letter);
  } else if (Date.now() - Date.parse(letter.triedSince) > KEEP_TRYING_MS) {
    const { error } = outcome;
    tell("warn", await markRefused(database, letter, outcome), "Email given up.", { error });
  } else if (outcome.kind === "failed") {
    const { error, againMs } = outcome;
    const { mailRetrySeconds } = bag.config;
    const own = jittered(growing(mailRetrySeconds * 1000, letter.attempts, LONGEST_PAUSE_MS));
    const pauseMs = atLeast(own, againMs, LONGEST_PAUSE_MS);
    const marked = await postponeLetter(database, letter, pauseMs, outcome);
    tell("warn", marked, "Email postponed.", { error, pauseMs: Math.round(pauseMs) });
  } else {
    // No pause for this letter: the concurrency limit holds all back until the server answers.
    await postponeLetter(database, letter, 0, outcome, outcome.cause);
  }
};
