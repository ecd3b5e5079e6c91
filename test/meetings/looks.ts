import type { Page } from "playwright-core";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "../console/looks.ts";

export const wide = { width: 1280, height: 800 };
/** The smallest width that WCAG requires, and a laptop of 1280 by 720 at 200% zoom. */
export const narrow = { width: 320, height: 640 };
const zoomed = { width: 640, height: 360 };

/** Waits until the page has adapted to its new size: the bar queries it, and the tiles measure it. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    let frames = 0;
    const next = () => (++frames === 10 ? resolve() : requestAnimationFrame(next));
    next();
  })`);

type Size = typeof wide;

/** Checks an open page in these sizes, then its dark colors: the layout is the same. */
export const look = async (
  page: Page,
  name: string,
  sizes: Readonly<Record<string, Size>> = { wide, narrow, zoomed },
): Promise<void> => {
  for (const [label, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await drawn(page);
    await assertNothingSticksOut(page, `${name}, ${label}`);
    // Zoomed, it has the layout of the narrow one.
    if (size !== zoomed) await assertAccessible(page, `${name}, ${label}`);
    await shoot(page, `meet-${name}-light-${label}`);
  }
  await page.setViewportSize(wide);
  await prefer(page, "dark");
  await drawn(page);
  await assertAccessible(page, `${name}, dark`, { runOnly: ["color-contrast"] });
  await shoot(page, `meet-${name}-dark-wide`);
  await prefer(page, "light");
};
