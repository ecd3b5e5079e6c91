import { tlsProblem } from "../db/postgres-tls.ts";
import type { LogFormat } from "../lib/log.ts";
import type { TracingConfig } from "../lib/opentelemetry.ts";
import { type BackupConfig, readBackup } from "./backup.ts";
import { type CaptureConfig, readCapture } from "./capture.ts";
import { type MediaConfig, readMedia } from "./media.ts";
import { type RecordingConfig, readRecording } from "./recording.ts";
import { ConfigError, defaultText, type Environment, openReader, shownText } from "./setting.ts";
import type { SmtpServer } from "./smtp-url.ts";
import { readSpeech, type SpeechConfig } from "./speech.ts";
import { readStore, type S3Config } from "./store.ts";
import { readTracing } from "./tracing.ts";
import * as values from "./values.ts";
import { drainDefault, type LogLevel, variables } from "./variables.ts";

export { ConfigError } from "./setting.ts";
export { defaultAddressOf, type Sender, type TlsFiles } from "./values.ts";

/** Every environment variable, read and checked. Nothing else in the server reads process.env. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The most connections to PostgreSQL in this process, beside the one that listens. */
  readonly databaseConnections: number;
  /** The files of TLS_CERT and TLS_KEY; undefined: plain HTTP. Their content is not checked here. */
  readonly tls: values.TlsFiles | undefined;
  /** Without a slash at its end. Made from host and port when it is not set. */
  readonly publicUrl: string;
  readonly publicUrlGiven: boolean;
  /** The path of PUBLIC_URL, below which browsers find the service; empty at the root of its host. */
  readonly basePath: string;
  /**
   * Ends the names of cookies: browsers send those of one port of a host to every other, and two installations
   * would overwrite each other's. Empty for the usual ports of http and https, and for PORT 0.
   */
  readonly cookieSuffix: string;
  /** In the form that Fastify's `trustProxy` takes. */
  readonly trustProxy: false | string[];
  readonly smtp: SmtpServer | undefined;
  readonly mailFrom: values.Sender;
  readonly mailRetrySeconds: number;
  /** How many days the files of emails stay in DATA_DIR/mail. */
  readonly mailFileDays: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The name of this installation in traces and logs. */
  readonly serviceName: string;
  readonly secret: string | undefined;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly metricsToken: string | undefined;
  /** Origins whose pages may call the interface. */
  readonly corsOrigins: readonly string[];
  /** Origins whose pages may show meetings in a frame. */
  readonly embedOrigins: readonly string[];
  /** Requests per second of one holder of a token; 0 for no limit. */
  readonly rateLimit: number;
  readonly drainSeconds: number;
  /** Where webhooks may be sent inside the operator's own network; false: nowhere. */
  readonly allowedNetworks: false | string[];
  readonly webhookRetrySeconds: number;
  /** How many days the deliveries of webhooks are kept. */
  readonly webhookDays: number;
  /** Where traces go; undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  readonly media: MediaConfig;
  /** The speech engine; undefined: there is none. */
  readonly speech: SpeechConfig | undefined;
  readonly capture: CaptureConfig;
  /** Where finished recordings are kept; undefined: in DATA_DIR. */
  readonly s3: S3Config | undefined;
  readonly recording: RecordingConfig;
  readonly backup: BackupConfig;
}

/**
 * The configuration that an environment describes. An empty variable counts as not set.
 *
 * @throws ConfigError with every value that is not accepted; its message never contains a password.
 */
export const readConfig = (env: Environment): Config => {
  const reader = openReader(env);
  const { value, optional, problems } = reader;
  const host = value(variables.host);
  const port = value(variables.port);
  const databaseUrl = optional(variables.databaseUrl);
  const cert = optional(variables.tlsCert);
  const key = optional(variables.tlsKey);
  const tls = cert === undefined || key === undefined ? undefined : { cert, key };
  const publicUrl = optional(variables.publicUrl);
  const secret = optional(variables.secret);
  const smtp = optional(variables.smtp);
  const ca = optional(variables.smtpCaFile);
  const mailFrom = optional(variables.mailFrom) ?? values.defaultSender(publicUrl);
  const s3 = readStore(reader);
  const config = {
    host,
    port,
    dataDir: value(variables.dataDir),
    databaseUrl,
    databaseConnections: value(variables.databaseConnections),
    tls,
    publicUrl: publicUrl ?? values.defaultAddressOf(host, port, { tls }),
    publicUrlGiven: publicUrl !== undefined,
    cookieSuffix: values.cookieSuffix(publicUrl ?? values.defaultAddressOf(host, port, { tls })),
    basePath: publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, ""),
    trustProxy: value(variables.trustProxy),
    smtp: smtp && { ...smtp, name: smtp.name ?? values.helloName(publicUrl, mailFrom), ca },
    mailFrom,
    mailRetrySeconds: value(variables.mailRetrySeconds),
    mailFileDays: value(variables.mailFileDays),
    logLevel: value(variables.logLevel),
    logFormat: value(variables.logFormat),
    serviceName: value(variables.otelServiceName),
    secret,
    adminEmail: value(variables.adminEmail),
    adminPassword: optional(variables.adminPassword),
    metricsToken: optional(variables.metricsToken),
    corsOrigins: value(variables.corsOrigins),
    embedOrigins: value(variables.embedOrigins),
    rateLimit: value(variables.rateLimit),
    drainSeconds: optional(variables.drainSeconds) ?? drainDefault(databaseUrl),
    allowedNetworks: value(variables.allowedNetworks),
    webhookRetrySeconds: value(variables.webhookRetrySeconds),
    webhookDays: value(variables.webhookDays),
    tracing: readTracing(reader),
    media: readMedia(reader, env.PATH ?? ""),
    speech: readSpeech(reader),
    capture: readCapture(reader, env.PATH ?? ""),
    s3,
    recording: readRecording(reader),
    backup: readBackup(reader, s3),
  };
  const wrongTls = databaseUrl && tlsProblem(databaseUrl);
  if (wrongTls) problems.push(`DATABASE_URL ${wrongTls}`);
  if (env[variables.databaseUrl.name] && !env[variables.secret.name]) {
    problems.push(
      "PARLEY_SECRET is not set; with DATABASE_URL, 64 hexadecimal digits are needed, the same for every process (openssl rand -hex 32 makes them).",
    );
  }
  if ((cert === undefined) !== (key === undefined)) {
    const [given, other] = cert === undefined ? ["TLS_KEY", "TLS_CERT"] : ["TLS_CERT", "TLS_KEY"];
    problems.push(`${given} is set and ${other} is not; accepted: both, or neither of them.`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
};

/** One row of `parley config` per variable; secrets are masked, wrong values are shown as they are. */
export const describeConfig = (
  env: Environment,
): {
  readonly name: string;
  readonly value: string | null;
  readonly default: string;
  readonly meaning: string;
  readonly accepted: string;
}[] =>
  Object.values(variables).map((setting) => {
    return {
      name: setting.name,
      value: shownText(env, setting),
      default: defaultText(setting),
      meaning: setting.meaning,
      accepted: setting.accepted,
    };
  });
