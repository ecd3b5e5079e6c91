import { pathHere } from "../data/base.ts";

/** The room of this page's address, `/m/ROOM`. */
export const roomId = ((): string => {
  const [, , code = ""] = pathHere().split("/");
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
})();

/** An invitation by name, which createSessionToken put behind the #. */
export const sessionToken = location.hash.length > 1 ? location.hash.slice(1) : undefined;

/** The address that others open. */
export const link = `${location.origin}${location.pathname}`;
