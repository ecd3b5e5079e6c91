import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, type Plugin } from "vite";
import { moduleOf } from "../../languages/compile.ts";
import type { CatalogName } from "../../languages/read.ts";

/*
 * A language for tests: English with accents, longer by some 40 %, each message in brackets. What is not in
 * brackets on a page is no message.
 */

const OPEN = "⟦";
const CLOSE = "⟧";

const accented: Readonly<Record<string, string>> = {
  ...{ a: "áá", e: "éé", i: "íí", o: "óó", u: "úú", y: "ÿ", c: "ç", n: "ñ", s: "š", z: "ž" },
  ...{ A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú", C: "Ç", N: "Ñ", S: "Š", Z: "Ž" },
};

/** An ICU message in the language: only the visible text, not the arguments and their words. */
export const pseudoOf = (message: string): string => {
  let depth = 0;
  const letters = [...message].map((letter) => {
    if (letter === "{") depth += 1;
    if (letter === "}") depth -= 1;
    return depth % 2 === 0 ? (accented[letter] ?? letter) : letter;
  });
  return `${OPEN}${letters.join("")}${CLOSE}`;
};

const isolating = fileURLToPath(new URL("../../contract/kit/plain.ts", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

const parts: Readonly<Record<string, readonly CatalogName[]>> = {
  console: ["common", "rooms", "people", "organization", "recordings", "errors"],
  meet: ["meet"],
};

const compiled = async (names: readonly CatalogName[]): Promise<string> => {
  const entry = "virtual:pseudo";
  const plugin: Plugin = {
    name: "pseudo",
    resolveId: (id) => (id.endsWith(entry) ? `\0${entry}` : undefined),
    load: (id) => (id === `\0${entry}` ? moduleOf("en", names, isolating, pseudoOf) : undefined),
  };
  const built = await build({
    ...({ configFile: false, root, logLevel: "error", plugins: [plugin] } as const),
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "pseudo" } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error("nothing was built");
  const [chunk] = output.output;
  return chunk.code;
};

/** Serves a page the messages of the language in place of the English ones. */
export const speakPseudo = async (page: Page): Promise<void> => {
  const sources = new Map(
    await Promise.all(
      Object.entries(parts).map(async ([part, names]) => [part, await compiled(names)] as const),
    ),
  );
  const dist = `${root}/console/dist`;
  // A file for each language has the name of its part: that of English has an English text.
  const signs: Readonly<Record<string, string>> = {
    console: "Skip to the content",
    meet: "Ask to join",
  };
  await page.route(/\/assets\/(?:console|meet)-[\w-]+\.js$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const part = /assets\/(console|meet)-/.exec(pathname)?.[1] ?? "";
    const source = sources.get(part) ?? "";
    const own = readFileSync(dist + pathname.slice(pathname.indexOf("/assets/")), "utf8");
    if (!own.includes(signs[part] ?? "")) return route.continue();
    return route.fulfill({ contentType: "text/javascript", body: source });
  });
};

/** The texts of a page outside of the brackets of messages, and texts of messages that are cut. */
export const readPage = (
  page: Page,
): Promise<{ readonly bare: readonly string[]; readonly cut: readonly string[] }> =>
  page.evaluate(`(() => {
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) &&
      element.closest("script, style, .mono, code, .unseen, input[type=hidden]") === null;
    const outside = (text) => {
      let rest = "";
      let depth = 0;
      for (const letter of text) {
        if (letter === "${OPEN}") depth += 1;
        else if (letter === "${CLOSE}") depth -= 1;
        else if (depth === 0) rest += letter;
      }
      return rest;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    let read = "";
    const labels = [];
    const cut = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) {
        if (node.parentElement !== null && isShown(node.parentElement)) read += node.data + "\\n";
        continue;
      }
      if (!(node instanceof HTMLElement) || !isShown(node)) continue;
      for (const name of ["aria-label", "title", "alt", "placeholder"]) {
        const label = node.getAttribute(name);
        if (label) labels.push(outside(label));
      }
      const { overflowX, textOverflow } = getComputedStyle(node);
      const isTight = overflowX !== "visible" && overflowX !== "auto" && overflowX !== "scroll";
      const isOver = node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1;
      if (isTight && isOver && node.textContent.includes("${OPEN}")) {
        cut.push(node.tagName + "." + node.className + ": " + node.textContent.slice(0, 80));
      }
    }
    return { bare: [document.title, read, ...labels].flatMap((text) => outside(text).split("\\n")), cut };
  })()`);

/** Words that stand in every language: names of formats and products, units, dates as Intl writes them. */
const NAMES = new RegExp(
  [
    "Parley|Ctrl|API|CSV|JSONL?|XLSX|HLS|MP4|RTMP|PNG|JPEG|WebP|WebVTT|LiveKit|UTC|GMT",
    "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?=\\W)|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?=\\W)|[AP]M",
    "bytes?|[kMGT]B|#[0-9a-f]{6}|https?://\\S+|\\S+@\\S+|[\\w+-]+/[\\w/+-]+",
  ].join("|"),
  "g",
);

/** The words of a page that nobody translates. @param data what tests made */
export const untranslated = (bare: readonly string[], data: RegExp): readonly string[] => [
  ...new Set(
    bare
      .map((text) => text.replace(NAMES, "").replace(data, "").trim())
      .filter((text) => /[A-Za-z]{2}/.test(text)),
  ),
];
