import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { calls } from "../contract/calls.ts";
import { moduleOf } from "../languages/compile.ts";
import { completeLanguages } from "../languages/read.ts";
import { themeVariables } from "./theme/variables.ts";

const NAME = "virtual:theme.css";

/**
 * Mantine writes its colors as a <style> element at runtime; the build writes them to a file instead, so that
 * the Content-Security-Policy needs no 'unsafe-inline'.
 */
const themeStyles = (): Plugin => ({
  name: "theme-styles",
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? themeVariables() : undefined),
});

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * How each operation is called, without the schemas: a meeting page then loads no schemas at all, and the
 * console only those of its forms.
 */
const plainCalls = (): Plugin => ({
  name: "plain-calls",
  load: (id) =>
    id.endsWith("/contract/calls.ts")
      ? `export const calls = ${JSON.stringify(calls)};`
      : undefined,
});

/** The catalogs of messages that the pages of the console show, and those of a meeting. */
const parts = {
  console: ["common", "rooms", "people", "organization", "recordings", "errors"],
  meet: ["meet"],
} as const;
const TEXTS = /^virtual:texts(?:\/([\w-]+)\/(console|meet))?$/;

/**
 * The messages of each complete language, compiled: a file for each, of which a page loads the one of
 * its language.
 */
const texts = (): Plugin => ({
  name: "texts",
  resolveId: (id) => (TEXTS.test(id) ? `\0${id}` : undefined),
  load: (id) => {
    const [found, language, part] = TEXTS.exec(id.slice(1)) ?? [];
    if (!id.startsWith("\0") || found === undefined) return undefined;
    if (language !== undefined && (part === "console" || part === "meet"))
      return moduleOf(language, parts[part], file("../contract/kit/plain.ts"));
    const loaders = completeLanguages().map((one) => {
      const load = (name: string) => `${name}: () => import("virtual:texts/${one}/${name}")`;
      return `${JSON.stringify(one)}: { ${load("console")}, ${load("meet")} }`;
    });
    return `export const loaders = { ${loaders.join(", ")} };`;
  },
});

/**
 * The files of a page's own part, which its first script loads after the texts: the page names them,
 * so that browsers load both at once.
 */
const startTogether = (): Plugin => ({
  name: "start-together",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle = {}, filename }) => {
      const page = relative(file("."), filename).replace(/\.html$/, "");
      const folder = page === "index" ? "" : `${page}/`;
      const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
      const byName = new Map(chunks.map((one) => [one.fileName, one]));
      const start = chunks.find((one) => one.facadeModuleId?.startsWith(file(`${folder}start.ts`)));
      const [scripts, styles] = [new Set<string>(), new Set<string>()];
      const add = (name: string): void => {
        const chunk = byName.get(name);
        if (chunk === undefined || scripts.has(name)) return;
        scripts.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
        for (const one of chunk.imports) add(one);
      };
      if (start !== undefined) add(start.fileName);
      const link = (rel: string, name: string) => ({
        tag: "link",
        attrs: { rel, crossorigin: true, href: `/${name}` },
        injectTo: "head" as const,
      });
      return [
        ...[...scripts].map((name) => link("modulepreload", name)),
        ...[...styles].map((name) => link("stylesheet", name)),
      ];
    },
  },
});

/** The license of the fonts, which must be wherever they are. */
const fontLicense = (): Plugin => ({
  name: "font-license",
  generateBundle() {
    const source = readFileSync(file("../node_modules/@fontsource-variable/inter/LICENSE"));
    this.emitFile({ type: "asset", fileName: "inter-license.txt", source });
  },
});

export default defineConfig({
  root: file("."),
  plugins: [react(), themeStyles(), plainCalls(), texts(), startTogether(), fontLicense()],
  resolve: {
    alias: [{ find: /^zod$/, replacement: file("kit/zod.ts") }],
  },
  css: {
    // Mantine's styles are plain CSS already; keeps Vite from looking for a configuration above this folder.
    postcss: { plugins: [] },
  },
  // Scripts and styles find each other wherever the service is; the service completes the links of the pages.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  build: {
    // The pages: console, meeting, recorder and shared recording; each loads only its own part.
    rolldownOptions: {
      input: ["index", "meet", "capture", "watch"].map((name) => file(`${name}.html`)),
    },
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // A small asset inlined into the page would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
});
