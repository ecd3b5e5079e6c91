import { type Browser, chromium } from "playwright-core";
import { windowParts } from "../../server/capture/browser.ts";
import { findChromium } from "../run/programs.ts";
import { afterAllFiles } from "../run/shared.ts";
import type { Scope } from "../world/empty-database.ts";

const chromiumPath = (): string => {
  const path = findChromium();
  if (path === undefined) {
    throw new Error(
      "The tests of the console need Chromium. Install it (apt-get install chromium-headless-shell) or set CHROMIUM to its path.",
    );
  }
  return path;
};

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Chromium obeys only the last such list: this one replaces Playwright's, and keeps the entries that
  // matter.
  `--disable-features=${[
    "AimEnabled",
    "NetworkTimeServiceQuerying",
    "PreconnectToSearch",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    ...windowParts,
  ]}`,
];

/** @param more arguments in addition to those of every test */
export const launch = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [...ARGUMENTS, ...more],
  });

const browsers = new Map<string, Browser>();

const shared = async (more: readonly string[]): Promise<Browser> => {
  const known = browsers.get(more.join());
  if (known?.isConnected()) return known;
  const browser = await launch(more);
  browsers.set(more.join(), browser);
  afterAllFiles(() => browser.close());
  return browser;
};

/**
 * The browser of this process, which its files use one after the other: starting it is most of what a short
 * file costs. Everything opened in it is closed after the test or file, and the browser itself at the end.
 *
 * @param more arguments in addition to those of every test; each set of them has a browser
 */
export const openBrowser = async (t: Scope, more: readonly string[] = []): Promise<Browser> => {
  const browser = await shared(more);
  t.after(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
};
