import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/** The values of `sslmode` that Parley knows. libpq's others fall back to a connection without TLS. */
const modes: readonly string[] = ["disable", "require", "verify-ca", "verify-full"];

/** Parameters of a URL that are paths, and what their files are for TLS. */
const files = { sslrootcert: "ca", sslcert: "cert", sslkey: "key" } as const;

/**
 * The problem with how a PostgreSQL URL asks for TLS, as the rest of a sentence for the operator that
 * begins with what has the URL; undefined if nothing is.
 */
export const tlsProblem = (url: string): string | undefined => {
  // The last one counts, as in the driver.
  const given: Record<string, string> = Object.fromEntries(new URL(url).searchParams);
  const { ssl, sslmode, sslrootcert, sslcert, sslkey } = given;
  if (ssl !== undefined) return "has the parameter ssl; accepted: sslmode in its place.";
  if (sslmode !== undefined && !modes.includes(sslmode)) {
    return `has sslmode=${sslmode.slice(0, 20)}; accepted: ${modes.join(", ")}.`;
  }
  if (sslmode === "verify-ca" && !sslrootcert) {
    return "has sslmode=verify-ca without sslrootcert, the PEM file of the authority that signed the server's certificate; verify-full works without it.";
  }
  if (!sslcert !== !sslkey) return "has one of sslcert and sslkey; accepted: both, or neither.";
  return filesProblem(given);
};

const filesProblem = (given: Readonly<Record<string, string>>): string | undefined => {
  const read: Partial<Record<"ca" | "cert" | "key", Buffer>> = {};
  for (const [name, part] of Object.entries(files)) {
    const path = given[name];
    if (!path) continue;
    try {
      read[part] = readFileSync(path);
      if (part !== "key") createSecureContext({ cert: read[part] });
    } catch (error) {
      return `has ${name}=${path}, which is ${codeOf(error)}; accepted: the path of a PEM file.`;
    }
  }
  try {
    createSecureContext(read);
  } catch {
    return "has an sslkey that is not the key of its sslcert, or has a passphrase; accepted: PEM files that belong together.";
  }
  return undefined;
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "syscall" in error && "code" in error
    ? `not readable (${error.code})`
    : "no PEM certificate";

/** The URL with which the driver understands `sslmode` as libpq does; otherwise it warns, and verifies always. */
export const asLibpq = (url: string): string =>
  `${url}${url.includes("?") ? "&" : "?"}uselibpqcompat=true`;
