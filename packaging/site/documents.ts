import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { root } from "../folder.ts";

/** Parses and renders Markdown as a forge does; comments of HTML are not shown. */
export const markdown = MarkdownIt({ html: true });

/** The address of a heading, as a forge makes it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, "")
    .replaceAll(" ", "-");

/** The words of a heading, a link or a paragraph, without its marks. */
export const plainText = (token: Token): string =>
  (token.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");

/** A heading in a page of the site. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A page of the site: a document, or a chapter of a very long one. */
export interface Page {
  /** The document in the repository, such as docs/operating.md. */
  readonly file: string;
  /** The address within the site, such as operating.html. */
  readonly path: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  readonly headings: readonly Heading[];
}

/** A document with more words than this becomes one page a chapter. */
const LONGEST_PAGE = 20_000;

/** Every document that is a page: all of docs, and those of the project that docs link to. */
export const documentFiles = (): readonly string[] =>
  globSync(
    [
      "docs/**/*.md",
      "{README,CONTRIBUTING,CHANGELOG}.md",
      "{test,languages}/README.md",
      "bench/figures.md",
    ],
    {
      cwd: root,
    },
  )
    .map((file) => file.split(sep).join("/"))
    .sort();

/** The address of a document's page. */
const pathOf = (file: string): string => {
  if (file === "docs/README.md") return "index.html";
  const within = file.startsWith("docs/") ? file.slice("docs/".length) : `project/${file}`;
  return within.toLowerCase().replace(/\.md$/, ".html");
};

/** Gives each heading its address as `id`, a repeated one with a number. */
const withIds = (tokens: readonly Token[]): void => {
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const slug = slugOf(tokens[at + 1]?.content ?? "");
    const before = taken.get(slug) ?? 0;
    taken.set(slug, before + 1);
    token.attrSet("id", before === 0 ? slug : `${slug}-${before}`);
  }
};

const headingsOf = (tokens: readonly Token[]): readonly Heading[] =>
  tokens.flatMap((token, at) => {
    const inline = tokens[at + 1];
    if (token.type !== "heading_open" || inline === undefined) return [];
    const level = Number(token.tag.slice(1));
    return [{ level, text: plainText(inline), id: String(token.attrGet("id")) }];
  });

/** Cuts before each heading of the second level. */
const chaptersOf = (tokens: readonly Token[]): readonly (readonly Token[])[] => {
  const starts = [...tokens.entries()].flatMap(([at, { type, tag }]) =>
    type === "heading_open" && tag === "h2" ? [at] : [],
  );
  return [0, ...starts].map((start, at) => tokens.slice(start, starts[at]));
};

/** The pages of a document. */
export const pagesOfDocument = (file: string): readonly Page[] => {
  const text = readFileSync(join(root, file), "utf8");
  const tokens = markdown.parse(text, {});
  withIds(tokens);
  const headings = headingsOf(tokens);
  const [first] = headings;
  if (first === undefined) throw new Error(`${file} has no heading.`);
  const path = pathOf(file);
  const whole = { file, path, title: first.text, tokens, headings };
  if (text.split(/\s+/).length <= LONGEST_PAGE) return [whole];
  return chaptersOf(tokens).map((chapter, at) => {
    if (at === 0) return { ...whole, tokens: chapter, headings: headingsOf(chapter) };
    for (const token of chapter) {
      if (token.type.startsWith("heading_")) token.tag = `h${Number(token.tag.slice(1)) - 1}`;
    }
    const own = headingsOf(chapter);
    const title = own[0]?.text ?? first.text;
    const place = path.replace(/\.html$/, `/${own[0]?.id}.html`);
    return { file, path: place, title, tokens: chapter, headings: own };
  });
};
