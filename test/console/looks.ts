import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { pathOfPicture } from "../world/pictures.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Pictures for people, on request (PARLEY_SCREENSHOTS=1): drawing whole pages takes long. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (process.env.PARLEY_SCREENSHOTS !== "1") return;
  await page.screenshot({ path: pathOfPicture(name), fullPage: true });
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The findings of axe: WCAG 2.2 A and AA, and its advice on landmarks and headings. */
export const assertAccessible = async (page: Page, where: string, options = {}): Promise<void> => {
  // Through the debugger: the page's own policy allows no injected script.
  if (!(await page.evaluate<boolean>("Boolean(globalThis.axe)"))) await page.evaluate(axe);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`,
  );
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 200)} ${failureSummary}`,
    ),
  );
  assert.deepEqual(findings, []);
};

/** Shows the page as to people who prefer light or dark colors. */
export const prefer = async (page: Page, colorScheme: "light" | "dark"): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
};

export const assertNothingSticksOut = async (page: Page, where: string): Promise<void> => {
  const over = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.ok(over <= 0, `${where} is ${over} px too wide`);
};

/**
 * Where a text of somebody else stands on a page without an element of its own: in text, in labels and in the
 * title without isolation.
 */
export const bareTexts = (page: Page, foreign: string): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const foreign = ${JSON.stringify(foreign)};
    const isBare = (text) => text.split(/\\u2068[^\\u2069]*\\u2069/).join("").includes(foreign);
    const bare = isBare(document.title) ? ["title: " + document.title] : [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        const { parentElement } = node;
        // A field, an option and a pill are boxes of their own.
        const isApart = parentElement.closest("bdi, textarea, option, [role=option], .mantine-Pill-label");
        if (isBare(node.data) && !isApart) bare.push(parentElement.outerHTML.slice(0, 200));
        continue;
      }
      for (const name of ["aria-label", "title", "alt", "placeholder"]) {
        const label = node.getAttribute?.(name) ?? "";
        if (isBare(label)) bare.push(name + ": " + label);
      }
    }
    return bare;
  })()`);
