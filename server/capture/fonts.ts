import type { HiddenBrowser } from "./browser.ts";

/*
 * Finds out if the recorder's browser can paint names. Without a font it paints boxes, in recordings and
 * live streams.
 */

/** A letter of each script, and Debian's package with it. */
const scripts = [
  { name: "Latin", letter: "é", package: "fonts-noto-core" },
  { name: "Arabic", letter: "ع", package: "fonts-noto-core" },
  { name: "Japanese", letter: "語", package: "fonts-noto-cjk" },
  { name: "emoji", letter: "🎉", package: "fonts-noto-color-emoji" },
] as const;

export type Script = (typeof scripts)[number];

/** No font has it: the number is unassigned. */
const NO_LETTER = "\u0378";

/** Paints each letter, and returns those that look like no letter. */
const MISSING = `(() => {
  const pen = new OffscreenCanvas(96, 96).getContext("2d", { willReadFrequently: true });
  pen.font = "48px sans-serif";
  const paint = (letter) => {
    pen.clearRect(0, 0, 96, 96);
    pen.fillText(letter, 16, 64);
    return pen.getImageData(0, 0, 96, 96).data.join();
  };
  const none = [" ", ${JSON.stringify(NO_LETTER)}].map(paint);
  return ${JSON.stringify(scripts.map(({ letter }) => letter))}
    .filter((letter) => none.includes(paint(letter)))
    .join("");
})()`;

/** The scripts that a browser cannot paint. */
export const missingScripts = async (
  browser: Pick<HiddenBrowser, "evaluate">,
): Promise<readonly Script[]> => {
  const missing = String(await browser.evaluate(MISSING));
  return scripts.filter(({ letter }) => missing.includes(letter));
};
