/*
 * A room's link as people type it: in capitals, with the sentence around it, wrapped by mail
 * programs. No schemas: pages use it too. A text means at most one code, so a guess is worth no
 * more than its code.
 */

/** Letters and digits that look different: 32, so that a random byte picks one without bias. */
export const CODE_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

const GROUP = `[${CODE_LETTERS}]{4}`;
const CODE = new RegExp(`^${GROUP}(-${GROUP}){2}$`);
/** A code within a text, in small letters, without hyphens or with doubled ones. */
const WITHIN = new RegExp(`(?<![a-z0-9])(${GROUP})-*(${GROUP})-*(${GROUP})(?![a-z0-9])`);
/** A code alone, with anything but letters between its groups. */
const ALONE = new RegExp(
  `^[^a-z0-9]*(${GROUP})[^a-z0-9]*(${GROUP})[^a-z0-9]*(${GROUP})[^a-z0-9]*$`,
);

/** Dashes, minus signs and long marks of other scripts that look like a hyphen. */
const DASHES = /[\p{Pd}\u2043\u2212\u30fc\u2500\u02d7]/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Finds a room in an address, and what surrounds it in a sentence. */
const PATH = /\/m\/+([^\s/?#&<>"“”„«»‹›]+)/i;
const AROUND = /^[\s<>()[\]{}"'“”„‘’«»‹›]+|[\s<>()[\]{}"'“”„‘’«»‹›.,;:!?。、]+$/gu;
/** How many times mail programs encode an address. */
const ENCODED = 3;

/** Returns whether a text is the code of a link, as it is made. */
export const isLinkCode = (text: string): boolean => CODE.test(text);

const decodedOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing.
    return text.replace(/%[0-7][0-9a-f]/gi, (one) =>
      String.fromCharCode(Number.parseInt(one.slice(1), 16)),
    );
  }
};

/** A text in its simplest form. */
const plain = (typed: string): string => {
  let text = typed;
  for (let turn = 0; turn < ENCODED && text.includes("%"); turn += 1) text = decodedOnce(text);
  // Line ends, which mail programs put into links, are controls too: they must not join two words.
  return text
    .replace(/[\r\n\t]+/g, " ")
    .replace(UNSEEN, "")
    .normalize("NFKC")
    .replace(DASHES, "-");
};

const joined = (match: RegExpExecArray | null): string | undefined =>
  match === null ? undefined : match.slice(1, 4).join("-");

/**
 * The code that a person means: of a link as it was typed or pasted, also within a sentence.
 * Without one, the room of the address, or the text without its surroundings.
 */
export const codeIn = (typed: string): string => {
  const text = plain(typed);
  const small = text.toLowerCase();
  const room = PATH.exec(text)?.[1];
  const code =
    joined(room === undefined ? null : WITHIN.exec(room.toLowerCase())) ??
    joined(ALONE.exec(small)) ??
    joined(WITHIN.exec(small));
  return code ?? (room ?? text).replace(AROUND, "");
};
