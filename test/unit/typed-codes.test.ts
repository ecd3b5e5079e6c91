import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CODE_LETTERS, codeIn, isLinkCode } from "../../contract/kit/typed-code.ts";
import { count } from "../world/seed.ts";

const CODE = "k3fm-8xqt-vw2p";
const LINK = `https://meet.example.org/m/${CODE}`;
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
const encoded = (text: string): string =>
  text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Typed and pasted forms of a room's link. */
const typed: Readonly<Record<string, string>> = {
  "the code": CODE,
  "the link": LINK,
  "in capitals": CODE.toUpperCase(),
  "with a capital, as phones begin": `K${CODE.slice(1)}`,
  "the whole link in capitals": LINK.toUpperCase(),
  "blanks around it": `  ${CODE} `,
  "a line end behind it": `${CODE}\r\n`,
  "a tab before it": `\t${LINK}`,
  "blanks between its groups": CODE.replaceAll("-", " "),
  "no hyphens": CODE.replaceAll("-", ""),
  "no hyphens in a link": LINK.replace(CODE, CODE.replaceAll("-", "")),
  "doubled hyphens": CODE.replaceAll("-", "--"),
  "hyphens with blanks": CODE.replaceAll("-", " - "),
  "full stops for hyphens": CODE.replaceAll("-", "."),
  "underscores for hyphens": CODE.replaceAll("-", "_"),
  "en dashes": CODE.replaceAll("-", "\u2013"),
  "em dashes": LINK.replaceAll("-", "\u2014"),
  "hyphens that do not break": CODE.replaceAll("-", "\u2011"),
  "minus signs": CODE.replaceAll("-", "\u2212"),
  "long marks of Japanese keyboards": CODE.replaceAll("-", "\u30fc"),
  "full-width hyphens": CODE.replaceAll("-", "\uff0d"),
  "full-width letters": wide(CODE),
  "a full-width link": wide(LINK),
  "spaces of no width": [...CODE].join("\u200b"),
  "a soft hyphen": `${CODE.slice(0, 6)}\u00ad${CODE.slice(6)}`,
  "a byte order mark": `\ufeff${LINK}`,
  "marks of direction": `\u202a${LINK}\u202c`,
  "an isolated link": `\u2068${LINK}\u2069`,
  "blanks that do not break": `\u00a0${LINK}\u00a0`,
  "a full stop": `${LINK}.`,
  "a comma": `${LINK},`,
  "a semicolon": `${LINK};`,
  "a colon": `${LINK}:`,
  "a bracket": `${LINK})`,
  "an exclamation mark": `${LINK}!`,
  "angle brackets": `<${LINK}>`,
  "angle brackets of a mail": `Meet <${LINK}>`,
  "straight quotes": `"${LINK}"`,
  "curly quotes": `\u201c${LINK}\u201d`,
  guillemets: `\u00ab${LINK}\u00bb`,
  "a Chinese full stop": `${LINK}\u3002`,
  "no scheme": `meet.example.org/m/${CODE}`,
  "only the path": `/m/${CODE}`,
  "no slash before it": `m/${CODE}`,
  "another scheme": `parley://meet.example.org/m/${CODE}`,
  "doubled slashes": `https://meet.example.org//m//${CODE}`,
  "a trailing slash": `${LINK}/`,
  "trailing slashes": `${LINK}//`,
  "a query of a mail tracker": `${LINK}?utm_source=mail&utm_campaign=back-seat-jump`,
  "a fragment": `${LINK}#top`,
  "a query without its mark": `${LINK}&fbclid=IwAR0abcdefgh`,
  "percent-encoded": encoded(CODE),
  "a link, percent-encoded": encodeURIComponent(LINK),
  "encoded twice": encodeURIComponent(encodeURIComponent(LINK)),
  "percent-encoded hyphens": LINK.replaceAll("-", "%2D"),
  "a sign of percent that encodes nothing": `${LINK}?progress=100%`,
  "a link that a mail program wrapped": `https://urldefense.example/v3/__${LINK}__;!!AbC`,
  "a link within a link": `https://safe.example.org/?url=${encodeURIComponent(LINK)}&data=05`,
  "below a path": `https://example.org/school/m/${CODE}`,
  "a sentence around the link": `Dear parents, we meet today at 6 pm: ${LINK} (no app needed).`,
  "a sentence around the code": `The code is ${CODE}, see you later.`,
  "two lines": `Our lesson\n${LINK}\nUntil then`,
  "a markdown link": `[our lesson](${LINK})`,
  "an HTML link": `<a href="${LINK}">our lesson</a>`,
};

for (const [how, text] of Object.entries(typed)) {
  test(`a link is read with ${how}`, () => assert.equal(codeIn(text), CODE));
}

/** The room of an address that has no code, as it is: people of the organization open it. */
const rooms: Readonly<Record<string, string>> = {
  "board-meeting": "board-meeting",
  "4711": "4711",
  "Board.2026": "Board.2026",
  "https://meet.example.org/m/board-meeting": "board-meeting",
  "https://meet.example.org/m/Board/": "Board",
  "https://meet.example.org/m/board-meeting?from=mail": "board-meeting",
  " /m/board-meeting. ": "board-meeting",
  "<https://meet.example.org/m/board>": "board",
  [`${CODE}a`]: `${CODE}a`,
  [`a${CODE}`]: `a${CODE}`,
  "we meet this next week": "we meet this next week",
  "%": "%",
  "": "",
};

for (const [text, room] of Object.entries(rooms)) {
  test(`a text without a code stays as it is: ${JSON.stringify(text)}`, () =>
    assert.equal(codeIn(text), room));
}

const letter = fc.constantFrom(...CODE_LETTERS);
const group = fc.string({ unit: letter, minLength: 4, maxLength: 4 });
const anyCode = fc.tuple(group, group, group).map((groups) => groups.join("-"));

test("a text means no other code than its own, so guesses gain nothing", () => {
  fc.assert(
    fc.property(anyCode, (code) => {
      assert.ok(isLinkCode(code));
      assert.equal(codeIn(code), code);
      assert.equal(codeIn(code.toUpperCase()), code);
      assert.equal(codeIn(`see https://meet.example.org/m/${code}.`), code);
    }),
    { numRuns: count(200, 5_000) },
  );
});

test("reading is stable: a read code reads the same again, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 128 }), (text) => {
      const read = codeIn(text);
      assert.ok(read.isWellFormed() && !read.includes("\0"));
      if (isLinkCode(read)) assert.equal(codeIn(read), read);
    }),
    { numRuns: count(300, 10_000) },
  );
});
