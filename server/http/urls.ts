/** Returns whether a path, with or without its query, is the interface's. */
export const isApi = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);

/** The part of an absolute URL before its path (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query of a request's URL, which may be absolute. A URL with a fragment or an
 * impossible host leads nowhere.
 */
const withoutOrigin = (url: string): string => {
  const origin = ORIGIN.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  if (url.includes("#") || !URL.canParse(origin)) return isApi(path) ? "/api/" : "/%25";
  return path.startsWith("/") ? path : `/${path}`;
};

/**
 * A request's path and query as the service knows them. A proxy may remove PUBLIC_URL's path or
 * pass it on.
 */
export const pathOfRequest = (url: string, basePath: string): string => {
  const path = withoutOrigin(url);
  if (basePath === "" || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || rest.startsWith("?") ? `/${rest}` : path;
};
