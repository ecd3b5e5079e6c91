/**
 * The path below which the service is, without a slash at its end; empty at the root of its host. The build
 * puts every script into `assets/`.
 */
export const base = new URL(import.meta.url).pathname.replace(/\/assets\/[^/]*$/, "");

/**
 * The base of this page's address; empty also for a person on the machine itself, past the proxy.
 */
export const baseHere = (): string => (location.pathname.startsWith(`${base}/`) ? base : "");

/** The path of this page as the service knows it. */
export const pathHere = (): string => location.pathname.slice(baseHere().length);
