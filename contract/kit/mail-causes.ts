/** Why the mail server takes no emails at all, and the remedy. */
export const mailTroubles = {
  name: {
    is: "The mail server's name cannot be resolved.",
    mend: "Check SMTP_URL, and the DNS of this machine.",
  },
  unreachable: {
    is: "The mail server cannot be reached.",
    mend: "Check SMTP_URL. The mail server may not run, or the network may be in the way.",
  },
  silent: {
    is: "The mail server did not answer in time.",
    mend: "Check SMTP_URL: a server that expects TLS from the start needs smtps://.",
  },
  closed: {
    is: "The mail server closes the connection.",
    mend: "Its log says why.",
  },
  protocol: {
    is: "The server at the mail server’s address does not speak SMTP correctly.",
    mend: "Check SMTP_URL: host, port and scheme.",
  },
  encryption: {
    is: "The mail server answers, but not with the encryption that SMTP_URL requires.",
    mend: "Use what it offers: smtp:// for STARTTLS (usually port 587), smtps:// for TLS from the start (usually 465).",
  },
  certificate: {
    is: "The mail server's certificate is not accepted.",
    mend: "Use the host that the certificate names; for a private authority set SMTP_CA_FILE.",
  },
  login: {
    is: "The mail server refuses the login.",
    mend: "Check SMTP_URL: user and password, percent-encoded; and whether the account may send by SMTP.",
  },
  sender: {
    is: "The mail server does not accept the sender of the emails.",
    mend: "Let the account in SMTP_URL send as the address in MAIL_FROM, or set MAIL_FROM to an address that it may use.",
  },
  relay: {
    is: "The mail server does not pass on emails for this service.",
    mend: "Let it relay for this machine, or give it a user and password in SMTP_URL.",
  },
  limit: {
    is: "The mail server takes no more emails for now, because a limit has been reached.",
    mend: "Wait until the limit ends, or raise it at the mail provider.",
  },
  blocked: {
    is: "The mail server refuses emails from this machine or domain, by a block list or its rules for senders.",
    mend: "Its answer says which: have the entry removed, or set up SPF, DKIM and the machine's name in the DNS.",
  },
  busy: {
    is: "The mail server accepts no emails at the moment.",
    mend: "If this continues, check the mail server.",
  },
  refused: {
    is: "The mail server refuses emails to all recipients.",
    mend: "Its answer says why.",
  },
} as const;
export type MailCause = keyof typeof mailTroubles;
export const mailCauses = Object.keys(mailTroubles) as [MailCause, ...MailCause[]];
