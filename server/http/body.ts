import { type Reason, reason } from "../../contract/kit/reasons.ts";
import { refuse } from "../lib/refusal.ts";

/** How deep arrays and objects may be nested. */
const DEPTH = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns whether a content type names no charset other than UTF-8; JSON itself has no such parameter. */
export const isUtf8 = (contentType: string): boolean =>
  [...contentType.matchAll(/;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/gi)].every(([, charset = ""]) =>
    /^"?utf-?8"?$/i.test(charset),
  );

const refuseBody = (why: Reason): never => refuse("invalid_json", [], why);

/** Returns whether a JSON text nests too deeply; checked before anything recursive reads it. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === 0x5c) at += 1;
      else if (sign === 0x22) inString = false;
    } else if (sign === 0x22) inString = true;
    else if (sign === 0x5b || sign === 0x7b) {
      depth += 1;
      if (depth > DEPTH) return true;
    } else if (sign === 0x5d || sign === 0x7d) depth -= 1;
  }
  return false;
};

/**
 * Reads a body: strict UTF-8, strict JSON (RFC 8259), limited depth. An empty body counts as none,
 * because clients send the content type with every request.
 *
 * @throws Refusal `invalid_json`
 */
export const parseBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuseBody(reason("body_not_utf8"));
  }
  if (isTooDeep(text)) refuseBody(reason("body_too_deep", { max: DEPTH }));
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the body: the answer gives the position only.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return refuseBody(
      position === undefined
        ? reason("body_cut_off")
        : reason("body_broken", { position: Number(position) }),
    );
  }
};
