// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { captureProblems } from "../../server/capture/problems.ts";
import { findChromium } from "../run/programs.ts";

/** The lines of doctor about fonts. */
const fontsOf = async (chromium: string | undefined): Promise<readonly string[]> => {
  const config = { chromium, ffmpeg: undefined, path: process.env.PATH ?? "" };
  const problems = await captureProblems(config);
  return problems.map(({ text, advice }) => `${text} ${advice}`).filter((one) => /font/.test(one));
};

const missing = (names: string, packages: string): string =>
  `This machine has no fonts for ${names}. Recordings and live streams show boxes in their place. Install them (on Debian: "apt install ${packages}").`;

/** The browser on a machine without a font. */
const withoutFonts = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), "parley-fonts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "fonts"));
  const settings = join(folder, "fonts.conf");
  writeFileSync(
    settings,
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir></fontconfig>`,
  );
  const program = join(folder, "chromium");
  const lines = ["#!/bin/sh", `FONTCONFIG_FILE=${settings} exec "${findChromium()}" "$@"`, ""];
  writeFileSync(program, lines.join("\n"), { mode: 0o700 });
  return program;
};

test("doctor names the packages of all fonts where the recorder's browser has none", async (t) => {
  assert.deepEqual(await fontsOf(withoutFonts(t)), [
    missing(
      "Latin, Arabic, Japanese, emoji",
      "fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji",
    ),
  ]);
});

/** The letters that doctor paints, with their packages. */
const letters = [
  ["Latin", "e9", "fonts-noto-core"],
  ["Arabic", "639", "fonts-noto-core"],
  ["Japanese", "8a9e", "fonts-noto-cjk"],
  ["emoji", "1f389", "fonts-noto-color-emoji"],
] as const;

test("doctor misses no font that the system has, as fontconfig lists them", {
  skip: spawnSync("fc-list").status !== 0 && "fc-list is not installed",
}, async () => {
  const lacking = letters.filter(
    ([, letter]) => spawnSync("fc-list", [`:charset=${letter}`]).stdout.length === 0,
  );
  const names = lacking.map(([name]) => name).join(", ");
  const packages = [...new Set(lacking.map(([, , name]) => name))].join(" ");
  assert.deepEqual(
    await fontsOf(findChromium()),
    lacking.length === 0 ? [] : [missing(names, packages)],
  );
});
