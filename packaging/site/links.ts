import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Token } from "markdown-it";
import { root } from "../folder.ts";
import type { Page } from "./documents.ts";

/** The address of one page or file of the site, seen from another. */
export const relative = (from: string, to: string): string =>
  posix.relative(posix.dirname(from), to);

/** Where the list of the decisions is, to which documents link as to a folder. */
export const DECISIONS = "decisions/index.html";

const IS_ELSEWHERE = /^(?:https?|mailto):/;

/** Leads links of documents to pages of the site, and notes the files that they need and the broken ones. */
export class Links {
  /** Pictures and samples that pages show or link to: where they are in the repository, and in the site. */
  readonly files = new Map<string, string>();
  readonly broken: string[] = [];
  readonly #pages: ReadonlyMap<string, readonly Page[]>;

  constructor(pages: ReadonlyMap<string, readonly Page[]>) {
    this.#pages = pages;
  }

  /** The address in the site of a target that a document names. */
  target(file: string, href: string): string | undefined {
    const [name = "", heading] = href.split("#");
    const target = name === "" ? file : posix.join(posix.dirname(file), name);
    const pages = this.#pages.get(target);
    if (pages !== undefined) {
      if (heading === undefined) return pages[0]?.path;
      const page = pages.find(({ headings }) => headings.some(({ id }) => id === heading));
      return page && `${page.path}#${heading}`;
    }
    if (target === "docs/decisions") return DECISIONS;
    const place = join(root, target);
    if (heading !== undefined || !existsSync(place) || !statSync(place).isFile()) return undefined;
    // As text, so that a browser shows a sample and runs none.
    const isPicture = /\.(?:png|webp|svg)$/.test(target);
    const path = isPicture ? target.replace(/^docs\//, "") : `files/${target}.txt`;
    this.files.set(target, path);
    return path;
  }

  /** The same, seen from the page that names it. */
  from(page: Page, href: string): string {
    if (IS_ELSEWHERE.test(href)) return href;
    const target = this.target(page.file, href);
    if (target === undefined) this.broken.push(`${page.file}: ${href}`);
    return target === undefined ? "" : relative(page.path, target);
  }

  /** Leads all links and pictures of a page to where they are in the site. */
  lead(page: Page): void {
    for (const token of page.tokens) {
      for (const inner of [token, ...(token.children ?? [])]) this.#leadToken(page, inner);
    }
  }

  #leadToken(page: Page, token: Token): void {
    for (const name of ["href", "src"]) {
      const value = token.attrGet(name);
      if (value !== null) token.attrSet(name, this.from(page, String(value)));
    }
    if (token.type.startsWith("html_")) {
      token.content = token.content
        .replaceAll(/<!--.*?-->/gs, "")
        .replaceAll(
          /\b(src|srcset|href)="([^"]+)"/g,
          (_, name, value) => `${name}="${this.from(page, value)}"`,
        );
    }
  }
}
