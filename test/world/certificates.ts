import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { Scope } from "./empty-database.ts";

/** Why a test that creates certificates is skipped; false if it is not. */
export const withoutOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? false : "no openssl here";

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Its lifetime. */
  readonly days?: number;
  /** The names in it, in openssl's notation; default: those of this machine. */
  readonly names?: string;
  /** The issuer; default: self-signed. */
  readonly by?: CertificateFiles;
}

/** A folder in which real certificates are created; removed after the test. */
export const openCertificates = async (t: Scope) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-certificates-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return {
    folder,
    /** Creates a certificate and its key: `NAME.pem` and `NAME.key`. */
    make: (
      name: string,
      { days = 30, names = "IP:127.0.0.1,DNS:localhost", by }: CertificateOptions = {},
    ): CertificateFiles => {
      const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
      const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const about = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${names}`];
      const signed = by ? ["-CA", by.cert, "-CAkey", by.key] : [];
      const files = ["-keyout", key, "-out", cert, "-days", String(days)];
      execFileSync("openssl", ["req", "-x509", ...ec, ...signed, ...files, ...about], {
        stdio: "ignore",
      });
      return { cert, key };
    },
  };
};

/** The settings of a service that serves HTTPS with a certificate. */
export const servedWith = ({ cert, key }: CertificateFiles) => ({ TLS_CERT: cert, TLS_KEY: key });

/** Makes this process trust a certificate, like a machine whose owner added it; applies to `fetch` too. */
export const trust = async ({ cert }: CertificateFiles): Promise<void> =>
  setDefaultCACertificates([...getCACertificates("default"), await readFile(cert, "utf8")]);

/** Replaces a certificate and its key with others, one file after the other. */
export const replace = async (old: CertificateFiles, by: CertificateFiles): Promise<void> => {
  await copyFile(by.cert, old.cert);
  await copyFile(by.key, old.key);
};
