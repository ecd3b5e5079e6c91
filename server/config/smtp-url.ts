/** A mail server as SMTP_URL names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps://). */
  readonly secure: boolean;
  /**
   * `required`: encrypted, the certificate checked, or no letter leaves.
   * `optional`: encrypted when the server offers it, the certificate not checked.
   * `none`: never STARTTLS.
   */
  readonly tls: "required" | "optional" | "none";
  /** Sent with EHLO; without it, the name of this machine. In SMTP_URL it is optional. */
  readonly name: string | undefined;
  /** PEM certificates that are trusted in addition to Node's. */
  readonly ca?: string | undefined;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const hostPattern = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)$/;
const namePattern = /^[A-Za-z0-9[][A-Za-z0-9.:_\]-]{0,252}$/;

/**
 * Reads `smtp://user:password@host:port?tls=required`. User and password are percent-encoded.
 *
 * Letters hold passwords, so the default is `required`: they leave this machine encrypted, to a
 * server with a valid certificate, or not at all. For a server on this machine (loopback), whose
 * certificate is usually self-signed, the default is `optional`.
 *
 * @returns undefined when the text is not such a URL.
 */
export const parseSmtpUrl = (text: string): SmtpServer | undefined => {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) return undefined;
  if (!hostPattern.test(url.hostname) || url.port === "0" || url.hash !== "") return undefined;
  if (url.pathname !== "" && url.pathname !== "/") return undefined;
  const options = new Map(url.searchParams);
  if ([...options.keys()].some((key) => key !== "tls" && key !== "name")) return undefined;

  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const tls = options.get("tls") ?? (isLoopback(host) ? "optional" : "required");
  if (tls !== "required" && tls !== "optional" && !(tls === "none" && !secure)) return undefined;
  const name = options.get("name");
  if (name !== undefined && !namePattern.test(name)) return undefined;
  const credentials = readCredentials(url);
  if (credentials === "unreadable") return undefined;
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  return { host, port, secure, tls, name, credentials };
};

/** Returns whether a host is this machine: data that is sent there does not leave it. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|(.+\.)?localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);

const readCredentials = (url: URL): SmtpServer["credentials"] | "unreadable" => {
  if (url.username === "" && url.password === "") return undefined;
  try {
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    // Both or nothing; a NUL would end the user name in AUTH PLAIN (RFC 4616).
    return user === "" || password === "" || /\0/.test(user + password)
      ? "unreadable"
      : { user, password };
  } catch {
    return "unreadable";
  }
};
