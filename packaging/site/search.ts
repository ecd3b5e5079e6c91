import MiniSearch from "minisearch";
import { type Page, plainText } from "./documents.ts";

/** A result of a search: a heading of a page, with the words below it. */
interface Entry {
  readonly id: number;
  readonly href: string;
  readonly heading: string;
  readonly page: string;
  readonly words: string;
  /** What people also call it: a comment below the heading, `<!-- search: SSO, SAML -->`. */
  readonly also: string;
  readonly excerpt: string;
  /** How much sooner than others it is shown. */
  readonly weight: number;
}

/** Pages that say how something is done come before those that say why, or list everything. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^project\/changelog|^promises/, 0.1],
  [/^decisions\//, 0.2],
  [/^(?:index|architecture|performance|project\/(?:test|languages|contributing))/, 0.3],
  [/^interface/, 0.5],
];

const EXCERPT = 140;

/** The sections of a page, each from its heading to the next. */
const entriesOf = ({ path, title, tokens, headings }: Page): readonly Omit<Entry, "id">[] => {
  const words: string[][] = headings.map(() => []);
  const also = headings.map(() => "");
  let at = -1;
  let isHeading = false;
  for (const token of tokens) {
    if (token.type === "heading_open") at += 1;
    isHeading = token.type === "heading_open" || (isHeading && token.type === "inline");
    if (isHeading) continue;
    if (token.type === "inline") words[at]?.push(plainText(token));
    if (token.type === "fence") words[at]?.push(token.content);
    if (token.type === "html_block")
      also[at] ||= /<!-- search: (.*) -->/.exec(token.content)?.[1] ?? "";
  }
  const weight = WEIGHTS.find(([pages]) => pages.test(path))?.[1] ?? 1;
  return headings.map(({ text, id, level }, index) => {
    const all = (words[index] ?? []).join(" ").replaceAll(/\s+/g, " ");
    const excerpt = all.length > EXCERPT ? `${all.slice(0, EXCERPT).replace(/ \S*$/, "")} …` : all;
    const href = level === 1 ? path : `${path}#${id}`;
    return {
      href,
      heading: text,
      page: title,
      words: all,
      also: also[index] ?? "",
      excerpt,
      weight,
    };
  });
};

/** The index of all pages, as a script: a page that was opened as a file can load it too. */
export const searchScript = (pages: readonly Page[]): string => {
  const options = {
    fields: ["heading", "also", "page", "words"],
    storeFields: ["href", "heading", "page", "excerpt", "weight"],
  };
  const search = new MiniSearch<Entry>(options);
  search.addAll(pages.flatMap(entriesOf).map((entry, id) => ({ id, ...entry })));
  return `globalThis.parleySearch = MiniSearch.loadJS(${JSON.stringify(search)}, ${JSON.stringify(options)});\n`;
};
