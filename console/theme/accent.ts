/*
 * An organization's color for buttons and links, made darker on light pages and lighter on dark
 * ones until text in it and on it is readable.
 */

type Rgb = readonly [number, number, number];

/**
 * The contrast for text (WCAG 2.2, 1.4.3), and some more, because text also stands on tinted areas.
 */
const READABLE = 5.4;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The darkest background of text on light pages, and the lightest on dark ones. */
const LIGHT_PAGE: Rgb = [0xf4, 0xf6, 0xf9];
const DARK_PAGE: Rgb = [0x22, 0x26, 0x2d];
const STEP = 0.04;

const read = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const write = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, at) => part + ((other[at] ?? 0) - part) * share) as unknown as Rgb;

/** Relative luminance (WCAG 2.2). */
const luminance = (color: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: Rgb, other: Rgb): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The color, moved toward black or white until it is readable on a background. */
const readableOn = (color: Rgb, background: Rgb, toward: Rgb): Rgb => {
  let share = 0;
  while (share < 1 && contrast(mix(color, toward, share), background) < READABLE) share += STEP;
  return mix(color, toward, Math.min(share, 1));
};

/** The colors of a page that follow from one color. */
export interface Accent {
  readonly filled: string;
  readonly hover: string;
  readonly text: string;
}

/**
 * The colors of pages of each scheme.
 *
 * @param hex such as #3b5bb5
 */
export const accentOf = (hex: string): { readonly light: Accent; readonly dark: Accent } => {
  const color = read(hex);
  const filled = readableOn(color, WHITE, BLACK);
  const button = { filled: write(filled), hover: write(mix(filled, BLACK, 0.12)) };
  const onLight = readableOn(color, LIGHT_PAGE, BLACK);
  const onDark = readableOn(color, DARK_PAGE, WHITE);
  return {
    light: { ...button, text: write(onLight) },
    dark: { ...button, text: write(onDark) },
  };
};
