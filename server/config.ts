import { existsSync } from "node:fs";
import {
  ConfigError,
  define,
  type Environment,
  hide,
  maskUrl,
  read,
  shownText,
} from "./config-setting.ts";
import * as values from "./config-values.ts";
import { parseSmtpUrl, type SmtpServer } from "./mail/smtp-url.ts";

export { ConfigError } from "./config-setting.ts";
export { addressOf, type Sender } from "./config-values.ts";

/** Every environment variable, read and checked. Nothing else in the server reads process.env. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Without a slash at its end. Where it was not given, made from host and port. */
  publicUrl: string;
  publicUrlGiven: boolean;
  /** As Fastify's `trustProxy` takes it. */
  trustProxy: false | string[];
  smtp: SmtpServer | undefined;
  mailFrom: values.Sender;
  mailRetrySeconds: number;
  logLevel: LogLevel;
  secret: string | undefined;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
}

export type LogLevel = (typeof logLevels)[number];
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const settings = {
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
    default: "none: admin@localhost",
    meaning: "The email of the first administrator, read at the first start only.",
    accepted: "an email address",
    parse: values.parseAddress,
  }),
  adminPassword: define({
    name: "PARLEY_ADMIN_PASSWORD",
    default: "none: made and printed at the first start",
    meaning: "The password of the first administrator, read at the first start only.",
    accepted: "15 to 256 characters",
    mask: hide,
    parse: values.parsePassword,
  }),
};

/**
 * The configuration that an environment describes. A variable that is empty counts as not set.
 *
 * @throws ConfigError on the first value that is not accepted; passwords are never in its message.
 */
export function readConfig(env: Environment): Config {
  const host = read(env, settings.host) ?? "127.0.0.1";
  const port = read(env, settings.port) ?? 3000;
  const databaseUrl = read(env, settings.databaseUrl);
  const publicUrl = read(env, settings.publicUrl);
  const secret = read(env, settings.secret);
  if (databaseUrl !== undefined && secret === undefined) {
    throw new ConfigError(
      "PARLEY_SECRET is not set; with DATABASE_URL, 64 hexadecimal digits are needed, the same for every process (openssl rand -hex 32 makes them).",
    );
  }
  return {
    host,
    port,
    dataDir: read(env, settings.dataDir) ?? values.parseFolder("./data"),
    databaseUrl,
    publicUrl: publicUrl ?? values.addressOf(host, port),
    publicUrlGiven: publicUrl !== undefined,
    trustProxy: read(env, settings.trustProxy) ?? false,
    smtp: read(env, settings.smtp),
    mailFrom: read(env, settings.mailFrom) ?? values.defaultSender(publicUrl),
    mailRetrySeconds: read(env, settings.mailRetrySeconds) ?? 30,
    logLevel: read(env, settings.logLevel) ?? "info",
    secret,
    adminEmail: read(env, settings.adminEmail),
    adminPassword: read(env, settings.adminPassword),
  };
}

/** One row of `parley config` per variable; secrets are masked, wrong values are shown as they are. */
export function describeConfig(
  env: Environment,
): { name: string; value: string | null; default: string; meaning: string }[] {
  return Object.values(settings).map((setting) => {
    return {
      name: setting.name,
      value: shownText(env, setting),
      default: setting.default,
      meaning: setting.meaning,
    };
  });
}

/** Puts the variables of `.env` in the working folder, where there is one, behind those already set. */
export function loadEnvFile(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}
