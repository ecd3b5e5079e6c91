import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import {
  type AcceptedText,
  characters,
  seconds,
  wholeNumber,
} from "../../contract/kit/accepted.ts";
import { emailKey } from "../../contract/kit/fields.ts";
import { passwordLength } from "../../contract/kit/plain.ts";
import { isLoopback } from "./smtp-url.ts";

/** Reads the texts of environment variables. Each function returns undefined for a wrong text. */

/** The PEM files with which Parley serves HTTPS itself, as absolute paths. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The sender of emails. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const hostPattern =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
/** The part of RFC 5321 that mail servers accept: a dot-atom, and an ASCII domain or [address]. */
const mailPattern =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Za-z.:]+\])$/;

export const parseHost = (text: string): string | undefined =>
  isIP(text) !== 0 || hostPattern.test(text) ? text : undefined;

export const LAST_PORT = 65_535;
/** A port; 0 for any free one. */
export const anyPort = wholeNumber({ from: 0, to: LAST_PORT });

export const parsePath = (text: string): string | undefined =>
  text === "" ? undefined : resolve(text);

/** Refuses a URL whose host is wrong because its password is not percent-encoded. */
export const parseDatabaseUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:\/\//.test(text) || url.hash !== "") return undefined;
  if ((url.pathname + url.search).includes("@")) return undefined;
  try {
    decodeURIComponent(url.username + url.password);
    return text;
  } catch {
    return undefined;
  }
};

/** The beginnings of the service's own paths: a path of PUBLIC_URL that begins so would be taken for one. */
const OWN_PATHS = ["api", "assets", "docs", "m", "r"];

/**
 * The path of an address, without the slash at its end. The characters are those that need no encoding in
 * a page or a cookie.
 */
const parseBasePath = (pathname: string): string | undefined => {
  const path = pathname.replace(/\/+$/, "");
  const [, first = ""] = path.split("/");
  return /^(\/[A-Za-z0-9._~-]+)*$/.test(path) && !OWN_PATHS.includes(first) ? path : undefined;
};

/** An address for people's browsers, without the slash at its end. */
export const parsePublicUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text) || text.length > 2_000) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return undefined;
  const path = parseBasePath(url.pathname);
  return path === undefined ? undefined : url.origin + path;
};

/** Addresses and ranges of them; false for none. */
export const parseNetworks = (text: string): false | string[] | undefined => {
  if (text === "none") return false;
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every(isAddressRange) ? entries : undefined;
};

const isAddressRange = (text: string): boolean => {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
};

/** `Name <address>` or a bare address. */
export const parseSender = (text: string): Sender | undefined => {
  const parts = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [text, "", text];
  const name = (parts[1] ?? "").trim().replace(/^"(.*)"$/, "$1");
  const address = parseAddress((parts[2] ?? "").trim());
  if (address === undefined || /\p{C}|\p{Zl}|\p{Zp}/u.test(name)) return undefined;
  return { name, address };
};

export const parseAddress = (text: string): string | undefined =>
  text.length <= 254 && mailPattern.test(text) ? text : undefined;

/** An administrator's address: one that the interface would accept. */
export const emailAddress: AcceptedText<string> = {
  accepted: "an email address",
  parse: (text) => (emailKey(text) === undefined ? undefined : text),
};

/** Before the first retry. */
export const retrySeconds = seconds({ from: 0, to: 3_600, isAbove: true });

/** How long something is kept: up to ten years. */
export const keptDays = wholeNumber({ from: 1, to: 3_650, unit: "days" });

/** The certificates in a file, as PEM. */
export const parseCertificates = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, "utf8");
    new X509Certificate(text);
    return text;
  } catch {
    return undefined;
  }
};

export const secretKey = characters({
  from: 64,
  to: 64,
  of: "hexadecimal digits",
  each: /[0-9a-fA-F]/,
});

/** The same rule as for a password changed later. */
export const ownPassword = characters({ from: passwordLength.min, to: passwordLength.max });

/** `http://HOST:PORT`, or https with a certificate: the default address of the service. */
export const defaultAddressOf = (
  host: string,
  port: number,
  { tls }: { readonly tls: TlsFiles | undefined },
): string =>
  `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The end of the names of cookies at an address: its port, where it is not the usual one. */
export const cookieSuffix = (address: string): string => {
  const { port } = new URL(address);
  return port === "" || port === "0" ? "" : `_${port}`;
};

/** Most servers refuse a mailbox at an IP address or at localhost: there it is a placeholder. */
export const defaultSender = (publicUrl: string | undefined): Sender => {
  const host = publicUrl === undefined ? "localhost" : new URL(publicUrl).hostname;
  const domain = /^[\d.]+$|^\[/.test(host) || isLoopback(host) ? "localhost" : host;
  return { name: "Parley", address: `no-reply@${domain}` };
};

/**
 * The name with which Parley introduces itself to the mail server (EHLO), which many servers want to be a
 * domain: that of PUBLIC_URL or of the sender; undefined where neither has one.
 */
export const helloName = (
  publicUrl: string | undefined,
  { address }: Sender,
): string | undefined => {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const hosts = publicUrl === undefined ? [domain] : [new URL(publicUrl).hostname, domain];
  const names = hosts.filter(
    (host) => isIP(host) === 0 && !host.startsWith("[") && !isLoopback(host),
  );
  return names.find((name) => name.includes(".")) ?? names[0];
};

/** Origins that fit into a Content-Security-Policy: other characters would change the policy. */
export const parseFrameOrigins = (text: string): string[] | undefined => {
  const origins = parseOrigins(text);
  return origins?.every((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin)) ? origins : undefined;
};

/** Origins as browsers send them. */
export const parseOrigins = (text: string): string[] | undefined => {
  if (text === "none") return [];
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? origins
    : undefined;
};
