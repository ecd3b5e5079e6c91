import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { calls } from "../contract/calls.ts";
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
  plugins: [react(), themeStyles(), plainCalls(), fontLicense()],
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
