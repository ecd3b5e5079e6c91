import type { X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { type Config, ConfigError, type TlsFiles } from "../config/config.ts";
import { readCertificate } from "../http/certificate.ts";
import { DAY_MS } from "../lib/durations.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "certificate";

/** With less time left, the certificate should have been renewed. */
const LATE_MS = 14 * DAY_MS;

const RENEW =
  "Renew it into the same files, or have a program such as certbot do so; a running service reads them by itself.";

/** Short-lived certificates are renewed when a part of their time is left. */
const checkTime = ({ validFromDate, validToDate }: X509Certificate): Check => {
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()];
  const until = `valid until ${validToDate.toISOString().slice(0, 10)}`;
  if (Date.now() < from) {
    const found = `The certificate in TLS_CERT is valid from ${validFromDate.toISOString()} only.`;
    return fault(
      name,
      found,
      "Check this machine's clock, or go back to the previous certificate.",
    );
  }
  if (Date.now() > to) return fault(name, `The certificate in TLS_CERT was ${until}.`, RENEW);
  return to - Date.now() < Math.min(LATE_MS, (to - from) / 4)
    ? note(name, `The certificate in TLS_CERT is ${until}.`, RENEW)
    : ok(name, until);
};

const checkHost = (own: X509Certificate, { publicUrl, publicUrlGiven }: Config): Check[] => {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, "");
  const isNamed = (isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)) !== undefined;
  if (!publicUrlGiven || isNamed) return [];
  const found = `The certificate in TLS_CERT is not for ${host}, the host of PUBLIC_URL: browsers refuse it.`;
  return [
    note(
      name,
      found,
      "Fine if a proxy in front has a certificate for this host; otherwise get one.",
    ),
  ];
};

/** The group may read it, so that the service can read root's file. */
const checkMode = async ({ key }: TlsFiles): Promise<Check[]> => {
  const { mode } = await stat(key);
  return process.platform === "win32" || (mode & 0o007) === 0
    ? []
    : [note(name, `Every user of this machine can read ${key}.`, `chmod o= ${key}`)];
};

/**
 * The files of TLS_CERT and TLS_KEY: whether they can be served, for how long, and for which host.
 */
export const checkTls = async (config: Config): Promise<Check[]> => {
  if (config.tls === undefined) return [];
  try {
    const { own } = await readCertificate(config.tls);
    return [checkTime(own), ...checkHost(own, config), ...(await checkMode(config.tls))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "Correct the setting, or let the user of the service read the file.";
    return error.problems.map((problem) => fault(name, problem, advice));
  }
};
