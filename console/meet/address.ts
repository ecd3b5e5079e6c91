import { codeIn } from "../../contract/kit/typed-code.ts";
import { baseHere, pathHere } from "../kit/base.ts";

const ROOM_ID = /^[\w.~-]{1,128}$/;
const TOKEN = /^#[\w-]{43}$/;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The room of this page's address, `/m/ROOM`: what is no ID as it is, is read as people mean it. */
export const roomHere = (): string => {
  const typed = decoded(pathHere().replace(/^\/+m\/*/i, ""));
  return ROOM_ID.test(typed) ? typed : codeIn(typed);
};

/** The path at which a room is entered. */
const pathOf = (room: string): string => `${baseHere()}/m/${encodeURIComponent(room)}`;

/**
 * An invitation by name, which createSessionToken put behind the #. Anything else there comes from programs
 * that count who reads a mail.
 */
const tokenIn = (hash: string): string | undefined =>
  TOKEN.test(hash) ? hash.slice(1) : undefined;
export const sessionToken = tokenIn(location.hash);

/** The address that others open. */
export const linkHere = (): string => `${location.origin}${pathOf(roomHere())}`;

/** Shows that this page is at another address of its room. */
export const moveTo = (room: string): void => {
  if (room !== roomHere()) history.replaceState(history.state, "", pathOf(room));
};

/** Opens the room of a link that somebody typed or pasted, with the invitation in it. */
export const openTyped = (typed: string): void => {
  const token = tokenIn(/#[^\s"'<>]*/.exec(typed)?.[0] ?? "");
  location.assign(`${pathOf(codeIn(typed))}${token === undefined ? "" : `#${token}`}`);
};
