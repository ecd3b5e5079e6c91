import { oneOf, printableCharacters, seconds, wholeNumber } from "../../contract/kit/accepted.ts";
import { isShared } from "../db/place.ts";
import { logFormats } from "../lib/log.ts";
import { backupSettings } from "./backup.ts";
import { captureSettings } from "./capture.ts";
import { mediaSettings } from "./media.ts";
import { recordingSettings } from "./recording.ts";
import { define, defineOptional, hide, maskUrl } from "./setting.ts";
import { parseSmtpUrl } from "./smtp-url.ts";
import { speechSettings } from "./speech.ts";
import { storeSettings } from "./store.ts";
import { tracingSettings } from "./tracing.ts";
import * as values from "./values.ts";

export type LogLevel = (typeof logLevels)[number];
export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const DRAIN_SHARED = 5;
const DRAIN_ALONE = 0;

/** A proxy has to notice the stop only where several processes share a database. */
export const drainDefault = (databaseUrl: string | undefined): number =>
  isShared({ databaseUrl }) ? DRAIN_SHARED : DRAIN_ALONE;

/** How to write a user or password with characters that separate the parts of a URL. */
export const PERCENT =
  "percent-encode special characters in user and password: % is %25, @ is %40, : is %3A, / is %2F, # is %23, ? is %3F";

/** Every variable with its default, its meaning and its check. */
export const variables = {
  host: define({
    name: "HOST",
    default: "127.0.0.1",
    meaning: "The address to listen on; 0.0.0.0 or :: for all addresses of the machine.",
    accepted: "an IP address or a host name",
    parse: values.parseHost,
  }),
  port: define({
    name: "PORT",
    default: "3000",
    meaning: "The port to listen on. 0 takes any free one.",
    ...values.anyPort,
  }),
  dataDir: define({
    name: "DATA_DIR",
    default: "./data",
    meaning:
      "The folder for the SQLite database, the sealing key and, without SMTP_URL, the emails.",
    accepted: "the path of a folder",
    parse: values.parsePath,
  }),
  databaseUrl: defineOptional({
    name: "DATABASE_URL",
    unset: "none: SQLite in DATA_DIR",
    meaning: "A PostgreSQL database (14 or later). Any number of processes may share it.",
    accepted: `a URL postgres://user:password@host:port/database; ${PERCENT}`,
    mask: maskUrl,
    parse: values.parseDatabaseUrl,
  }),
  databaseConnections: define({
    name: "DATABASE_CONNECTIONS",
    default: "10",
    meaning:
      "The connections to PostgreSQL in which each process works; it listens on one more. Where fewer are allowed, requests wait.",
    ...wholeNumber({ from: 2, to: 200 }),
  }),
  publicUrl: defineOptional({
    name: "PUBLIC_URL",
    unset: "http://HOST:PORT, with TLS_CERT https",
    meaning:
      "The address at which people open Parley; the default login address in emails. Another host name ends all passkeys.",
    accepted:
      "an http or https URL without user, query and fragment; its path, if it has one, of letters, digits and . _ ~ -, and not beginning with /api, /assets, /docs, /m or /r",
    mask: maskUrl,
    parse: values.parsePublicUrl,
  }),
  trustProxy: define({
    name: "TRUST_PROXY",
    default: "none",
    meaning: "The proxies whose X-Forwarded-For header is trusted for the address of a client.",
    accepted:
      "none, or IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal and uniquelocal, joined by commas",
    parse: values.parseNetworks,
  }),
  tlsCert: defineOptional({
    name: "TLS_CERT",
    unset: "none: Parley speaks HTTP, for this machine or for a proxy with TLS",
    meaning: "The certificate with which Parley serves HTTPS itself. Changed files are read again.",
    accepted:
      "with TLS_KEY, the path of a PEM file: the service's own certificate first, then those that signed it",
    parse: values.parsePath,
  }),
  tlsKey: defineOptional({
    name: "TLS_KEY",
    unset: "none",
    meaning: "The private key of the certificate in TLS_CERT.",
    accepted:
      "with TLS_CERT, the path of a PEM file: the private key of its certificate, without a passphrase",
    parse: values.parsePath,
  }),
  smtp: defineOptional({
    name: "SMTP_URL",
    unset: "none: emails become .eml files in DATA_DIR/mail",
    meaning:
      "The mail server: smtp://host:587 (STARTTLS) or smtps://host:465 (TLS from the start). " +
      "By default emails, which carry passwords, are sent encrypted, to a server with a valid certificate, or not at all (?tls=required). " +
      "?tls=optional encrypts if the server offers it, without a check of its certificate (the default on this machine). ?name= is sent with EHLO, otherwise the host of PUBLIC_URL or the domain of MAIL_FROM.",
    accepted: `a URL smtp://user:password@host:port or smtps://..., with ?tls=required, optional or (smtp only) none, and ?name=; ${PERCENT}`,
    mask: maskUrl,
    parse: parseSmtpUrl,
  }),
  smtpCaFile: defineOptional({
    name: "SMTP_CA_FILE",
    unset: "none: the authorities that Node knows",
    meaning:
      "Certificates of a private authority that signed the mail server's, besides those that Node knows.",
    accepted: "the path of a readable file of PEM certificates",
    parse: values.parseCertificates,
  }),
  mailFrom: defineOptional({
    name: "MAIL_FROM",
    unset: "Parley, no-reply@ the host of PUBLIC_URL (without it localhost)",
    meaning: "The sender of emails. Its domain is part of their Message-IDs.",
    accepted: "Name <address> or an address, in ASCII",
    parse: values.parseSender,
  }),
  mailRetrySeconds: define({
    name: "MAIL_RETRY_SECONDS",
    default: "30",
    meaning: "Seconds before the first retry of an email; doubles up to an hour, for four days.",
    ...values.retrySeconds,
  }),
  mailFileDays: define({
    name: "MAIL_FILE_DAYS",
    default: "7",
    meaning:
      "How many days emails stay in DATA_DIR/mail, where they are written without SMTP_URL. They hold passwords.",
    ...values.keptDays,
  }),
  logLevel: define({
    name: "LOG_LEVEL",
    default: "info",
    meaning: "The lowest level that is logged.",
    ...oneOf(logLevels),
  }),
  logFormat: define({
    name: "LOG_FORMAT",
    default: "json",
    meaning: "The names in log lines: Parley's own, or those of the Elastic Common Schema.",
    ...oneOf(logFormats),
  }),
  secret: defineOptional({
    name: "PARLEY_SECRET",
    unset: "none: made at the first start and kept in DATA_DIR/secret.key",
    meaning:
      "The key that encrypts emails and secrets in the database (openssl rand -hex 32), the same for every process on it. Required with DATABASE_URL.",
    ...values.secretKey,
    mask: hide,
  }),
  adminEmail: define({
    name: "PARLEY_ADMIN_EMAIL",
    default: "admin@parley.local",
    meaning: "The email of the first administrator, read at the first start only.",
    ...values.emailAddress,
  }),
  adminPassword: defineOptional({
    name: "PARLEY_ADMIN_PASSWORD",
    unset: "none: made and printed at the first start",
    meaning: "The password of the first administrator, read at the first start only.",
    ...values.ownPassword,
    mask: hide,
  }),
  metricsToken: defineOptional({
    name: "METRICS_TOKEN",
    unset: "none: there is no /metrics",
    meaning: "The Bearer token with which Prometheus reads GET /metrics.",
    ...printableCharacters({ from: 16, to: 256 }),
    mask: hide,
  }),
  corsOrigins: define({
    name: "CORS_ORIGINS",
    default: "none",
    meaning: "The origins whose pages may call the API, with tokens of their own.",
    accepted: "none, or origins such as https://portal.example.org, joined by commas",
    parse: values.parseOrigins,
  }),
  embedOrigins: define({
    name: "EMBED_ORIGINS",
    default: "none",
    meaning:
      "The origins whose pages may show meetings in a frame (docs/embedding.md). The console is never framed.",
    accepted: "none, or origins such as https://portal.example.org, joined by commas",
    parse: values.parseFrameOrigins,
  }),
  rateLimit: define({
    name: "RATE_LIMIT",
    default: "1000",
    meaning:
      "Requests per second and token holder, in each process; without a valid token per address (behind a proxy set TRUST_PROXY), as many WebSockets per address, and files of recordings and streams per viewer. 0 for no limit.",
    ...wholeNumber({ from: 0, to: 1_000_000 }),
  }),
  drainSeconds: defineOptional({
    name: "DRAIN_SECONDS",
    unset: `${DRAIN_SHARED} with DATABASE_URL, otherwise ${DRAIN_ALONE}`,
    meaning:
      "Seconds for which a stopping service still accepts requests, so that a proxy notices.",
    ...seconds({ from: 0, to: 300 }),
  }),
  allowedNetworks: define({
    name: "ALLOWED_NETWORKS",
    default: "none",
    meaning:
      "The addresses inside the operator's network to which webhooks, live streams and the recorder of direct meetings may connect. Administrators, owners of rooms and people's browsers choose these addresses: allow only what they may reach.",
    accepted:
      "none, or IP addresses, ranges (10.1.2.0/24) and the words loopback, linklocal and uniquelocal, joined by commas",
    parse: values.parseNetworks,
  }),
  webhookRetrySeconds: define({
    name: "WEBHOOK_RETRY_SECONDS",
    default: "10",
    meaning:
      "Seconds before the first retry of a webhook's delivery; doubles up to an hour, for three days.",
    ...values.retrySeconds,
  }),
  webhookDays: define({
    name: "WEBHOOK_DAYS",
    default: "30",
    meaning: "How many days the deliveries of webhooks are kept.",
    ...values.keptDays,
  }),
  ...tracingSettings,
  ...mediaSettings,
  ...captureSettings,
  ...speechSettings,
  ...storeSettings,
  ...recordingSettings,
  ...backupSettings,
};
