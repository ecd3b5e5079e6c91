import type { Config } from "../config/config.ts";
import { isLoopback } from "../config/smtp-url.ts";

/** The addresses of a service, for people. */
export interface ServiceAddresses {
  readonly url: string;
  /** Null if the console is not built. */
  readonly console: string | null;
  readonly interface: string;
  readonly documentation: string;
  readonly openApi: string;
}

/** This machine's address of a service that listens on all addresses. */
const openable = (url: string): string =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

/**
 * The addresses of a service.
 *
 * @param listening where it listens, such as `http://127.0.0.1:3000`
 */
export const addressesOf = (
  config: Config,
  listening: string,
  withConsole: boolean,
): ServiceAddresses => {
  const url = config.publicUrlGiven ? config.publicUrl : openable(listening);
  return {
    url,
    console: withConsole ? `${url}/` : null,
    interface: `${url}/api`,
    documentation: `${url}/docs`,
    openApi: `${url}/openapi.json`,
  };
};

/** A warning for a service that others can reach without PUBLIC_URL. */
export const exposedWithoutAddress = (
  config: Pick<Config, "host" | "publicUrl" | "publicUrlGiven">,
): string | undefined =>
  config.publicUrlGiven || isLoopback(config.host)
    ? undefined
    : `HOST is ${config.host} and PUBLIC_URL is not set: emails would link to ${config.publicUrl}, which people elsewhere may not be able to open.`;

/** The advice with which browsers allow camera and microphone. */
export const HTTPS_ADVICE =
  "Set TLS_CERT and TLS_KEY, so that Parley serves HTTPS itself, or put a proxy with TLS in front and set PUBLIC_URL to its https address.";

/** A warning for a service whose address is neither https nor on this machine. */
export const withoutCamera = ({ publicUrl }: Pick<Config, "publicUrl">): string | undefined => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname.replace(/^\[|\]$/g, ""))
    ? undefined
    : `Browsers give no camera and no microphone at ${publicUrl}: only at an https address, or on this machine itself.`;
};
