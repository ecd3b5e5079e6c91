/* The form in which people find a text; the service stores it, and pages search in visible text. */

/**
 * Characters that people leave out when they search: accents, points and vowel signs of scripts that are read
 * without them, the line that stretches Arabic words, and invisible characters. The voice marks of
 * Japanese and all marks of Indic scripts make other letters, and stay.
 */
const OMITTED =
  /(?![\u3099\u309a])(?=[\p{Mn}\p{Me}])[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}ـ]/gu;

/** Characters with several forms: on other keyboards, at the end of a word, by clever editors. */
const ALIKE = new Map(
  Object.entries({
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    ħ: "h",
    ŧ: "t",
    þ: "th",
    æ: "ae",
    œ: "oe",
    ς: "σ",
    ך: "כ",
    ם: "מ",
    ן: "נ",
    ף: "פ",
    ץ: "צ",
    ى: "ي",
    ی: "ي",
    ک: "ك",
    ة: "ه",
    "‘": "'",
    "’": "'",
    ʼ: "'",
    "“": '"',
    "”": '"',
    "‐": "-",
    "–": "-",
    "—": "-",
  }),
);
const VARIANT = new RegExp(`[${[...ALIKE.keys()].join("")}٠-٩۰-۹ァ-ヶ]`, "gu");

const usualForm = (letter: string): string => {
  const code = letter.charCodeAt(0);
  if (letter >= "ァ" && letter <= "ヶ")
    return String.fromCharCode(code - ("ァ".charCodeAt(0) - "ぁ".charCodeAt(0)));
  // The digits of Arabic and of Persian end in the digit itself.
  return ALIKE.get(letter) ?? String(code & 0xf);
};

/**
 * The form in which people find a text: Unicode's case folding (upper case first, because "ß" and
 * the dotless "ı" have no other way to "ss" and "i"), without what they leave out, in the usual
 * form.
 */
export const foldForSearch = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(OMITTED, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(VARIANT, usualForm);
