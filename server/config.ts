import { existsSync } from "node:fs";
import { ConfigError, type Environment, read, shownText } from "./config-setting.ts";
import * as values from "./config-values.ts";
import { type LogLevel, settings } from "./config-variables.ts";
import type { SmtpServer } from "./mail/smtp-url.ts";

export { ConfigError } from "./config-setting.ts";
export { addressOf, type Sender } from "./config-values.ts";

/** Every environment variable, read and checked. Nothing else in the server reads process.env. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Without a slash at its end. Where it was not given, made from host and port. */
  readonly publicUrl: string;
  readonly publicUrlGiven: boolean;
  /** As Fastify's `trustProxy` takes it. */
  readonly trustProxy: false | string[];
  readonly smtp: SmtpServer | undefined;
  readonly mailFrom: values.Sender;
  readonly mailRetrySeconds: number;
  readonly logLevel: LogLevel;
  readonly secret: string | undefined;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  readonly metricsToken: string | undefined;
  /** Origins whose pages may call the interface. */
  readonly corsOrigins: string[];
  /** Requests a second of one holder of a token; 0 for no limit. */
  readonly rateLimit: number;
  readonly drainSeconds: number;
}

/**
 * The configuration that an environment describes. A variable that is empty counts as not set.
 *
 * @throws ConfigError on the first value that is not accepted; passwords are never in its message.
 */
export const readConfig = (env: Environment): Config => {
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
    metricsToken: read(env, settings.metricsToken),
    corsOrigins: read(env, settings.corsOrigins) ?? [],
    rateLimit: read(env, settings.rateLimit) ?? 1000,
    drainSeconds: read(env, settings.drainSeconds) ?? (databaseUrl === undefined ? 0 : 5),
  };
};

/** One row of `parley config` per variable; secrets are masked, wrong values are shown as they are. */
export const describeConfig = (
  env: Environment,
): {
  readonly name: string;
  readonly value: string | null;
  readonly default: string;
  readonly meaning: string;
}[] =>
  Object.values(settings).map((setting) => {
    return {
      name: setting.name,
      value: shownText(env, setting),
      default: setting.default,
      meaning: setting.meaning,
    };
  });

/** Puts the variables of `.env` in the working folder, where there is one, behind those already set. */
export const loadEnvFile = (): void => {
  if (existsSync(".env")) process.loadEnvFile(".env");
};
