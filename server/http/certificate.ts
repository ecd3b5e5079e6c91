import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { createSecureContext, type SecureContextOptions, Server as TlsServer } from "node:tls";
import type { Logger } from "pino";
import type { TlsFiles } from "../config/config.ts";
import { ConfigError, type Variable } from "../config/setting.ts";
import { variables } from "../config/variables.ts";
import { limits } from "./limits.ts";

/** The contents of TLS_CERT and TLS_KEY: PEM. */
interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that can be served, with its key. */
export interface Certificate extends Pair {
  readonly files: TlsFiles;
  /** The service's own certificate, the first in the file. */
  readonly own: X509Certificate;
}

const wrong = ({ name, accepted }: Variable<string>, path: string, what: string): ConfigError =>
  new ConfigError([`${name} is "${path}", ${what}; accepted: ${accepted}.`]);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** A step of reading a file; if it fails, throws the problem with the file's setting. */
const attempt = <T>(
  setting: Variable<string>,
  path: string,
  what: (code: string) => string,
  step: () => T,
): T => {
  try {
    return step();
  } catch (error) {
    throw wrong(setting, path, what(codeOf(error)));
  }
};

const readText = (setting: Variable<string>, path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: unknown) => {
    throw wrong(setting, path, `which cannot be read (${codeOf(error)})`);
  });

const readPair = async ({ cert, key }: TlsFiles): Promise<Pair> => ({
  cert: await readText(variables.tlsCert, cert),
  key: await readText(variables.tlsKey, key),
});

/** Browsers of the last ten years speak TLS 1.2; below it nothing is safe (RFC 8996). */
const contextOf = ({ cert, key }: Pair): SecureContextOptions => ({
  cert,
  key,
  minVersion: "TLSv1.2",
});

const checkPair = (pair: Pair, files: TlsFiles): Certificate => {
  const { tlsCert, tlsKey } = variables;
  const noCertificate = () => "which holds no certificate";
  const own = attempt(tlsCert, files.cert, noCertificate, () => new X509Certificate(pair.cert));
  const noKey = () => "which holds no private key, or one with a passphrase";
  const key = attempt(tlsKey, files.key, noKey, () => createPrivateKey(pair.key));
  if (!own.checkPrivateKey(key)) {
    throw wrong(tlsKey, files.key, "which is not the key of the certificate in TLS_CERT");
  }
  const refused = (code: string) => `which TLS refuses (${code})`;
  attempt(tlsCert, files.cert, refused, () => createSecureContext(contextOf(pair)));
  return { ...pair, files, own };
};

/**
 * Reads TLS_CERT and TLS_KEY. Accepts an expired certificate: browsers report it.
 *
 * @throws ConfigError that names the setting whose file is missing, unreadable or wrong
 */
export const readCertificate = async (files: TlsFiles): Promise<Certificate> =>
  checkPair(await readPair(files), files);

export const httpsOptions = (certificate: Certificate) => ({
  ...contextOf(certificate),
  handshakeTimeout: limits.handshakeMs,
});

/**
 * How often the files are read. They are small, and reading is simpler than knowing every way in
 * which they change.
 */
const LOOK_MS = 5_000;

/** The certificate that is served now. */
export interface Served {
  certificate(): Certificate;
  stop(): void;
}

/**
 * Serves a renewed certificate to new connections. Reads the files repeatedly instead of watching
 * them: certbot replaces symbolic links, Kubernetes those of a folder above, and no watcher of Node
 * sees both. A pair is used once two looks in a row found it, because the files are replaced one
 * after the other. A pair that cannot be served is logged once, and the former one stays.
 */
export const followCertificate = (server: Server, first: Certificate, log: Logger): Served => {
  if (!(server instanceof TlsServer)) throw new Error("Only a server of HTTPS has a certificate.");
  const markOf = ({ cert, key }: Pair): string => cert + key;
  const { files } = first;
  let served = first;
  let seen = markOf(first);
  let judged = seen;

  const look = async (): Promise<void> => {
    const found = await readPair(files).catch((error: Error) => error);
    const mark = found instanceof Error ? found.message : markOf(found);
    const isSettled = mark === seen;
    seen = mark;
    if (!isSettled || mark === judged) return;
    judged = mark;
    try {
      if (found instanceof Error) throw found;
      const renewed = checkPair(found, files);
      server.setSecureContext(contextOf(renewed));
      served = renewed;
      log.info({ validTo: renewed.own.validToDate }, "the certificate was read again");
    } catch (error) {
      const { validToDate } = served.own;
      log.error(
        { err: error, validTo: validToDate },
        "the files of TLS_CERT and TLS_KEY cannot be served: the certificate from before stays",
      );
    }
  };

  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => void look().then(again), LOOK_MS).unref();
  };
  const again = (): void => {
    if (timer !== undefined) wait();
  };
  wait();
  return {
    certificate: () => served,
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
