/** Whether a path, with its query or without, is one of the interface. */
export const isApi = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);

/** The part of an absolute URL before its path (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query of a request's URL, which may be absolute. A URL with a fragment or an impossible
 * host leads to a path that does not exist.
 */
export const withoutOrigin = (url: string): string => {
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  if (url.includes("#") || !URL.canParse(origin)) return isApi(path) ? "/api/" : "/%25";
  return path.startsWith("/") ? path : `/${path}`;
};
