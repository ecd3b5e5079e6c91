import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, assertNothingSticksOut, shoot } from "../console/looks.ts";
import { settled } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { SECONDS } from "./films.ts";

/** Checks that frames of a film are drawn, and that time advances. */
export const plays = async (page: Page): Promise<void> => {
  await page.locator("video").waitFor();
  await page.evaluate("document.querySelector('video').muted = true");
  await page.evaluate("document.querySelector('video').play()");
  const drawn = () =>
    page.evaluate<number>(`(() => {
      const video = document.querySelector("video");
      return video.currentTime > 1 ? video.getVideoPlaybackQuality().totalVideoFrames : 0;
    })()`);
  await until("frames are drawn", async () => (await drawn()) > 5);
  const seconds = await page.evaluate<number>("document.querySelector('video').duration");
  assert.ok(Math.abs(seconds - SECONDS) < 0.5, `${seconds}`);
};

const wide = { width: 1280, height: 860 };
/** The smallest width that WCAG requires. */
const narrow = { width: 320, height: 640 };

/** @param isDrawn waits until a page of the console is drawn; the shared page is, once it plays */
export const look = async (page: Page, name: string, isDrawn = settled): Promise<void> => {
  for (const [label, size] of Object.entries({ wide, narrow })) {
    await page.setViewportSize(size);
    await isDrawn(page);
    await assertNothingSticksOut(page, `${name}, ${label}`);
    await assertAccessible(page, `${name}, ${label}`, { rules: { region: { enabled: false } } });
    await shoot(page, `${name}-${label}`);
  }
  await page.setViewportSize(wide);
};

/** The captions of the player: the beginning and text of each. */
export const cuesOf = (page: Page) =>
  page.evaluate<string[]>(`[...(document.querySelector("video").textTracks[0]?.cues ?? [])]
    .map(({ startTime, text }) => startTime + " " + text)`);
