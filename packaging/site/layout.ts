import packageJson from "../../package.json" with { type: "json" };
import { markdown, type Page, plainText } from "./documents.ts";
import { type Links, relative } from "./links.ts";

const { escapeHtml } = markdown.utils;

/** A group of the menu: a heading of docs/README.md with the links below it. */
export interface Group {
  readonly title: string;
  readonly entries: readonly { readonly text: string; readonly path: string }[];
}

/** The menu of the site is what docs/README.md lists. */
export const menuOf = (home: Page, links: Links): readonly Group[] => {
  const groups: { title: string; entries: { text: string; path: string }[] }[] = [];
  for (const [at, token] of home.tokens.entries()) {
    if (token.type === "heading_open" && token.tag === "h2") {
      const heading = home.tokens[at + 1];
      groups.push({ title: heading === undefined ? "" : plainText(heading), entries: [] });
    }
    const [link, text, , rest] = token.children ?? [];
    const isEntry = home.tokens[at - 2]?.type === "list_item_open" && link?.type === "link_open";
    const path = isEntry ? links.target(home.file, String(link.attrGet("href"))) : undefined;
    if (path === undefined) continue;
    groups.at(-1)?.entries.push({ text: text?.content ?? "", path });
    // A card shows its words on a line of their own.
    if (rest !== undefined) rest.content = rest.content.replace(/^: /, "");
  }
  return groups;
};

const menuHtml = (page: Page, menu: readonly Group[]): string =>
  menu
    .map(({ title, entries }) => {
      const items = entries.map(({ text, path }) => {
        const current = path === page.path ? ' aria-current="page"' : "";
        return `<li><a href="${relative(page.path, path)}"${current}>${escapeHtml(text)}</a></li>`;
      });
      return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join("\n")}</ul>`;
    })
    .join("\n");

/** The headings of a page, if they are worth a list. */
const contentsHtml = ({ headings }: Page): string => {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  const listed = shown.length > 40 ? shown.filter(({ level }) => level === 2) : shown;
  if (listed.length < 3) return "";
  const items = listed.map(
    ({ level, text, id }) =>
      `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary>
<ul>${items.join("\n")}</ul></details></nav>`;
};

const ICONS = {
  menu: '<path d="M4 6h16M4 12h16M4 18h16"/>',
  search: '<circle cx="10" cy="10" r="7"/><path d="m15 15 6 6"/>',
  theme: '<circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 1 0 0 18Z" fill="currentColor"/>',
};
const icon = (name: keyof typeof ICONS): string =>
  `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${ICONS[name]}</svg>`;

/** A whole page. */
export const pageHtml = (page: Page, menu: readonly Group[], body: string): string => {
  const to = (path: string): string => relative(page.path, path);
  const isHome = page.path === "index.html";
  const title = isHome ? page.title : `${page.title} · Parley`;
  return `<!doctype html>
<html lang="en" data-root="${"../".repeat(page.path.split("/").length - 1)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to("assets/icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("assets/site.css")}">
<script src="${to("assets/site.js")}"></script>
</head>
<body${isHome ? ' class="home"' : ""}>
<a class="skip" href="#main">Skip to the text</a>
<header>
<button class="bare narrow" popovertarget="menu" aria-label="Menu">${icon("menu")}</button>
<a class="brand" href="${to("index.html")}"><img src="${to("assets/icon.svg")}" alt="" width="26" height="26">Parley</a>
<button class="search" data-search hidden aria-label="Search">${icon("search")}<span>Search</span><kbd>/</kbd></button>
<button class="bare" data-theme-switch hidden aria-label="Light or dark">${icon("theme")}</button>
</header>
<nav id="menu" popover aria-label="Pages">
${menuHtml(page, menu)}
</nav>
<div class="page">
${contentsHtml(page)}
<main id="main" tabindex="-1">
${body}
</main>
<footer>Parley ${packageJson.version} · <a href="${to("project/changelog.html")}">Changes</a></footer>
</div>
<dialog aria-label="Search the documentation">
<form method="dialog"><input type="search" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false"><button class="bare">Close</button></form>
<p role="status"></p>
<ol></ol>
</dialog>
</body>
</html>
`;
};
