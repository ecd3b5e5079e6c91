import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyFolder, root } from "../folder.ts";
import { documentFiles, markdown, type Page, pagesOfDocument } from "./documents.ts";
import { menuOf, pageHtml } from "./layout.ts";
import { DECISIONS, Links, relative } from "./links.ts";
import { searchScript } from "./search.ts";

const { rules } = markdown.renderer;
// Parts that may be wider than a phone scroll on their own, by keys too.
rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n';
rules.table_close = () => "</table></div>\n";
rules.fence = (tokens, at) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]?.content ?? "")}</code></pre>\n`;
rules.heading_close = (tokens, at) => {
  const id = tokens[at - 2]?.attrGet("id") ?? "";
  const { tag = "" } = tokens[at] ?? {};
  if (tag === "h1") return "</h1>\n";
  return ` <a class="here" href="#${id}" aria-label="Link to this section">#</a></${tag}>\n`;
};

/** The list of the decisions, which a forge shows as a folder. */
const decisionsPage = (pages: readonly Page[]): Page => {
  const listed = pages
    .filter(({ file }) => file.startsWith("docs/decisions/"))
    .map(({ file, title }) => `- [${title}](${file.slice("docs/decisions/".length)})`);
  const tokens = markdown.parse(`# Decisions\n\n${listed.join("\n")}\n`, {});
  const headings = [{ level: 1, text: "Decisions", id: "decisions" }];
  return { file: "docs/decisions/index.md", path: DECISIONS, title: "Decisions", tokens, headings };
};

/** The list of the chapters of a very long document. */
const listOf = (from: Page, pages: readonly Page[]): string => {
  const items = pages.map(
    ({ path, title }) =>
      `<li><a href="${relative(from.path, path)}">${markdown.utils.escapeHtml(title)}</a></li>`,
  );
  return items.length === 0 ? "" : `<ul>\n${items.join("\n")}\n</ul>\n`;
};

const ASSETS = {
  "packaging/site/site.css": "site.css",
  "packaging/site/site.js": "site.js",
  "console/public/icon.svg": "icon.svg",
  "node_modules/minisearch/dist/umd/index.js": "minisearch.js",
  "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2": "inter.woff2",
} as const;

/** How large a site is. */
export interface Made {
  readonly pages: number;
  readonly bytes: number;
}

/**
 * Makes the site of the documents: files that a browser opens from any server or folder, and that name
 * no other host.
 *
 * @param to the folder, which is replaced
 * @throws if a link leads nowhere
 */
export const makeSite = (to: string): Made => {
  const written = documentFiles().map((file) => [file, pagesOfDocument(file)] as const);
  const pages = written.flatMap(([, own]) => own);
  const list = decisionsPage(pages);
  const links = new Links(new Map(written));
  const home = pages.find(({ path }) => path === "index.html");
  if (home === undefined) throw new Error("docs/README.md is missing.");
  const menu = menuOf(home, links);
  const folder = emptyFolder(to);
  const search = searchScript(pages);
  let bytes = 0;
  const write = (name: string, content: string): void => {
    folder.write(name, content);
    bytes += Buffer.byteLength(content);
  };
  for (const page of [...pages, list]) {
    links.lead(page);
    const body = markdown.renderer.render([...page.tokens], markdown.options, {});
    const [first, ...chapters] = pages.filter(({ file }) => file === page.file);
    write(page.path, pageHtml(page, menu, page === first ? body + listOf(page, chapters) : body));
  }
  if (links.broken.length > 0) throw new Error(`Links lead nowhere:\n${links.broken.join("\n")}`);
  write("assets/search-index.js", search);
  const copied = Object.entries(ASSETS).map(([from, name]) => [from, `assets/${name}`] as const);
  for (const [from, name] of [...copied, ...links.files]) {
    const place = join(to, name);
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(join(root, from), place);
    bytes += readFileSync(place).length;
  }
  return { pages: pages.length + 1, bytes };
};
