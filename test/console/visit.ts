import assert from "node:assert/strict";
import { after } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "./browser.ts";
import { type House, startHouse } from "./service.ts";

interface VisitOptions extends BrowserContextOptions {
  /** Whom to sign in; null for nobody. Default: the administrator. */
  readonly as?: { readonly login: string; readonly password: string } | null;
  /** Where to go first. */
  readonly at?: string;
  /** Failures of requests that the browser is expected to report. */
  readonly failing?: readonly number[];
  /** Whether the network is cut in the test. */
  readonly offline?: boolean;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** A service and a browser for the tests of one file. */
export interface Place {
  readonly house: House;
  readonly browser: Browser;
  /** Runs a test in a fresh browser profile, and holds the page to an empty console. */
  visit(options: VisitOptions, run: (visit: Visit) => Promise<void>): Promise<void>;
}

export const signIn = async (page: Page, login: string, password: string): Promise<void> => {
  await page.getByLabel("Email or username").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

/** Whether a line of the browser's console is about a request that the test expects to fail. */
const isExpected = (line: string, { failing = [], offline = false }: VisitOptions): boolean =>
  failing.some((status) => line.includes(`status of ${status}`)) ||
  (offline && line.includes("net::ERR_INTERNET_DISCONNECTED"));

export const startPlace = async (environment: Readonly<Record<string, string>> = {}): Promise<Place> => {
  const house = await startHouse(environment);
  const browser = await launch();
  after(async () => {
    await browser.close();
    await house.stop();
  });
  const administrator = { login: house.admin.email, password: house.admin.password };

  return {
    house,
    browser,
    visit: async (options, run) => {
      const { as = administrator, at = "/", failing: _, offline: __, ...profile } = options;
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        reducedMotion: "reduce",
        locale: "en-US",
        baseURL: house.url,
        permissions: ["clipboard-read", "clipboard-write"],
        ...profile,
      });
      context.setDefaultTimeout(8_000);
      const complaints: string[] = [];
      context.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      context.on("weberror", ({ error }) => void complaints.push(error().message));
      const page = await context.newPage();
      try {
        await page.goto(at);
        if (as !== null) {
          await signIn(page, as.login, as.password);
          await page.locator("#content h1").waitFor();
        }
        await run({ page, context });
        assert.deepEqual(complaints.filter((line) => !isExpected(line, options)), []);
      } finally {
        await context.close();
      }
    },
  };
};

/** Waits for a notice that says this. */
export const noticed = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("status").getByText(text).first().waitFor();

/** Waits until nothing is being loaded. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator("#content h1").waitFor();
  await page.locator("[data-busy]").waitFor({ state: "detached" });
};
