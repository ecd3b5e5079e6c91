import { define, hide, maskUrl } from "./config-setting.ts";
import * as values from "./config-values.ts";
import { parseSmtpUrl } from "./mail/smtp-url.ts";

export type LogLevel = (typeof logLevels)[number];
export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Every variable with its default, its meaning and its check. */
export const settings = {
  host: define({
    name: "HOST",
    default: "127.0.0.1",
    meaning: "The address to listen on. 0.0.0.0 or :: for every one of this machine.",
    accepted: "an IP address or a host name",
    parse: values.parseHost,
  }),
  port: define({
    name: "PORT",
    default: "3000",
    meaning: "The port to listen on. 0 takes any free one.",
    accepted: "a whole number from 0 to 65535",
    parse: values.parsePort,
  }),
  dataDir: define({
    name: "DATA_DIR",
    default: "./data",
    meaning:
      "The folder for the SQLite database, the sealing key and, without SMTP_URL, the letters.",
    accepted: "the path of a folder",
    parse: values.parseFolder,
  }),
  databaseUrl: define({
    name: "DATABASE_URL",
    default: "none: SQLite in DATA_DIR",
    meaning: "A PostgreSQL database (14 or later). Any number of processes may share it.",
    accepted: "a URL postgres://user:password@host:port/database",
    mask: maskUrl,
    parse: values.parseDatabaseUrl,
  }),
  publicUrl: define({
    name: "PUBLIC_URL",
    default: "http://HOST:PORT",
    meaning: "The address under which people reach Parley: the default login address in letters.",
    accepted: "an http or https URL without user, query and fragment",
    mask: maskUrl,
    parse: values.parsePublicUrl,
  }),
  trustProxy: define({
    name: "TRUST_PROXY",
    default: "none",
    meaning: "The proxies whose X-Forwarded-For is believed when sign-ins are counted by address.",
    accepted:
      "none, or IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal and uniquelocal, joined by commas",
    parse: values.parseTrustProxy,
  }),
  smtp: define({
    name: "SMTP_URL",
    default: "none: letters become .eml files in DATA_DIR/mail",
    meaning:
      "The mail server: smtp://host:587 (STARTTLS) or smtps://host:465 (TLS from the start), user and password percent-encoded. " +
      "Letters carry passwords: unless you say otherwise they leave this machine encrypted and to a server with a good certificate, or not at all (?tls=required). " +
      "?tls=optional encrypts when the server offers it and does not check its certificate (the default for a server on this machine); ?tls=none does not encrypt. ?name= is sent with EHLO.",
    accepted:
      "a URL smtp://user:password@host:port or smtps://..., with ?tls=required, optional or (smtp only) none, and ?name=",
    mask: maskUrl,
    parse: parseSmtpUrl,
  }),
  mailFrom: define({
    name: "MAIL_FROM",
    default: "Parley <no-reply@ and the host of PUBLIC_URL, or localhost>",
    meaning: "Who letters come from. Its domain stands in their Message-IDs.",
    accepted: "Name <address> or an address, in ASCII",
    parse: values.parseSender,
  }),
  mailRetrySeconds: define({
    name: "MAIL_RETRY_SECONDS",
    default: "30",
    meaning: "The first pause after a failed delivery; it doubles up to an hour, for four days.",
    accepted: "a number of seconds above 0, at most 3600",
    parse: values.parseSeconds,
  }),
  logLevel: define({
    name: "LOG_LEVEL",
    default: "info",
    meaning: "The least important kind of line that is logged.",
    accepted: `one of ${logLevels.join(", ")}`,
    parse: (text: string) => logLevels.find((level) => level === text),
  }),
  secret: define({
    name: "PARLEY_SECRET",
    default: "none: made at the first start and kept in DATA_DIR/secret.key",
    meaning:
      "The key that seals letters in the database (openssl rand -hex 32). Every process on one database needs the same. Required with DATABASE_URL.",
    accepted: "64 hexadecimal digits",
    mask: hide,
    parse: values.parseSecret,
  }),
  adminEmail: define({
    name: "PARLEY_ADMIN_EMAIL",
    default: "none: admin@parley.local",
    meaning: "The email of the first administrator, read at the first start only.",
    accepted: "an email address",
    parse: values.parseEmail,
  }),
  adminPassword: define({
    name: "PARLEY_ADMIN_PASSWORD",
    default: "none: made and printed at the first start",
    meaning: "The password of the first administrator, read at the first start only.",
    accepted: "15 to 256 characters",
    mask: hide,
    parse: values.parsePassword,
  }),
  metricsToken: define({
    name: "METRICS_TOKEN",
    default: "none: there is no /metrics",
    meaning: "The Bearer token with which Prometheus reads GET /metrics.",
    accepted: "16 to 256 printable ASCII characters without spaces",
    mask: hide,
    parse: (text: string) => (/^[!-~]{16,256}$/.test(text) ? text : undefined),
  }),
  corsOrigins: define({
    name: "CORS_ORIGINS",
    default: "none: pages of other origins are refused by browsers",
    meaning: "The origins whose pages may call the interface, with tokens of their own.",
    accepted: "origins such as https://portal.example.org, joined by commas",
    parse: values.parseOrigins,
  }),
  rateLimit: define({
    name: "RATE_LIMIT",
    default: "1000",
    meaning: "Requests a second that one holder of a token may make of one process; 0: no limit.",
    accepted: "a whole number from 0 to 1000000",
    parse: (text: string) =>
      /^\d{1,7}$/.test(text) && Number(text) <= 1_000_000 ? Number(text) : undefined,
  }),
  drainSeconds: define({
    name: "DRAIN_SECONDS",
    default: "5 with DATABASE_URL, otherwise 0",
    meaning:
      "How long a service that was told to stop still accepts requests, so that a proxy can notice that it is not ready.",
    accepted: "a number of seconds from 0 to 300",
    parse: (text: string) =>
      /^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 300 ? Number(text) : undefined,
  }),
};
