import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../run/programs.ts";

const chromiumPath = (): string => {
  const path = findChromium();
  if (path === undefined) {
    throw new Error(
      "The tests of the console need Chromium. Install it (apt-get install chromium) or set CHROMIUM to its path.",
    );
  }
  return path;
};

/** @param more arguments beside those of every test */
export const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
