import assert from "node:assert/strict";
import { test } from "node:test";
import { againOf, type Fault, faultOf } from "../../server/mail/answers.ts";

/** Answers of mail servers to a recipient or a whole email. */
const answers: Readonly<Partial<Record<Fault, readonly string[]>>> = {
  recipient: [
    "550 5.1.1 <b@example.org>: Recipient address rejected: User unknown in local recipient table",
    "550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 x - gsmtp",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "553 5.1.2 We weren't able to find the recipient domain.",
    "553 5.1.3 The recipient address is not a valid RFC-5321 address.",
    "550 5.2.1 The email account that you tried to reach is disabled.",
    "552 5.2.2 The email account that you tried to reach is over quota.",
    "554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException",
    "550 5.4.4 Unable to route: no mail hosts for domain",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required",
    "550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized",
    "550 Unrouteable address",
    "550 No such user here",
    "550 Requested action not taken: mailbox unavailable",
    "550 5.5.0 Requested action not taken: mailbox unavailable",
    "552 Mailbox quota exceeded",
    "550 sorry, no mailbox here by that name (#5.1.1)",
    "452 4.2.2 The email account that you tried to reach is over quota.",
    "450 4.2.1 The user you are trying to contact is receiving mail too quickly.",
  ],
  sender: [
    "554 5.2.252 SendAsDenied; a@example.org not allowed to send as b@example.org",
    "554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied",
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "550 5.1.8 Access denied, bad outbound sender",
    "553 5.7.1 <a@example.org>: Sender address rejected: not owned by user u",
    "550 5.1.8 <a@example.org>: Sender address rejected: Domain not found",
    "550 Sender verify failed",
    "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: a@example.org",
    "554 Access denied: User `arn:aws:iam::1:user/u' is not authorized to perform `ses:SendRawEmail' on resource",
    "550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
    "550 5.7.1 Sandbox subdomains are for test purposes only. Please add your own domain or add the address to authorized recipients",
  ],
  relay: [
    "554 5.7.1 <b@example.org>: Relay access denied",
    "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
    "550 5.7.64 TenantAttribution; Relay Access Denied",
    "550 5.7.0 Mail relay denied",
    "550 relay not permitted",
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    "550 5.7.1 Relaying denied",
  ],
  limit: [
    "550 5.4.5 Daily user sending limit exceeded.",
    "550-5.4.5 Daily sending quota exceeded. 550 5.4.5 x - gsmtp",
    "454 Throttling failure: Daily message quota exceeded.",
    "454 Throttling failure: Maximum sending rate exceeded.",
    "550 5.2.2 STOREDRV.Submission.Exception:SubmissionQuotaExceededException",
    "432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded",
    "451 Authentication failed: Maximum credits exceeded",
    "450 4.2.1 Peak SMTP relay limit exceeded for customer.",
    "554 Message rejected: Sending paused for this account.",
  ],
  blocked: [
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
    "550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]",
    "550-5.7.26 This mail has been blocked because the sender is unauthenticated. 550 5.7.26 x",
    "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.",
    "550 5.7.501 Service unavailable. Access denied, spam abuse detected from example.org",
    "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname",
    "550 5.7.23 The message was rejected because of Sender Policy Framework violation",
  ],
  login: [
    "550 5.7.57 Client not authenticated to send mail",
    "530 5.7.1 Authentication required",
    "550 5.7.1 Invalid credentials for relay [192.0.2.1].",
    "550 authentication required",
  ],
  unclear: [
    "550 5.7.1 Delivery not authorized, message refused",
    "554 5.7.1 <b@example.org>: Recipient address rejected: Access denied",
    "550 5.4.1 Recipient address rejected: Access denied",
    "550 no",
    "451 4.7.1 Greylisting in action, please come back in 00:05:00",
    "450 4.2.0 <b@example.org>: Recipient address rejected: Greylisted",
  ],
};

for (const [fault, texts] of Object.entries(answers)) {
  test(`a mail server's answer shows whose fault a refusal is: ${fault}`, () => {
    assert.deepEqual(
      texts.filter((text) => faultOf(text) !== fault).map((text) => [text, faultOf(text)]),
      [],
    );
  });
}

test("the time of a retry is read from the server's answer", () => {
  const times: readonly [string, number | undefined][] = [
    ["450 4.2.0 Greylisted, try again in 300 seconds", 300_000],
    ["451 4.7.1 Greylisting in action, please come back in 00:04:59", 299_000],
    ["451 Greylisted. Please wait at least 5 minutes", 300_000],
    ["450 Please try again in 2 hrs", 7_200_000],
    ["421 Come back after 90s", 90_000],
    ["450 Greylisted for 1 min", 60_000],
    ["450 4.2.0 later", undefined],
    ["421 4.7.0 Try again later, closing connection", undefined],
    ["452 4.5.3 over 100 messages", undefined],
  ];
  for (const [text, ms] of times) assert.equal(againOf(text), ms, text);
});
