import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
} from "playwright-core";
import type { Twin } from "../twins/twin.ts";
import { LONG_MS } from "../world/process.ts";
import { openBrowser } from "./browser.ts";
import { type ConsoleService, patientFetch, startConsoleService } from "./service.ts";

type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

interface VisitOptions extends BrowserContextOptions {
  /** The signed-in person; null for nobody. Default: the administrator. */
  readonly as?: { readonly login: string; readonly password: string } | null;
  /** The page to open first. */
  readonly at?: string;
  /** Failed requests that the browser is expected to report. */
  readonly failing?: readonly number[];
  /** True if the test cuts the network. */
  readonly offline?: boolean;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Makes all sessions owe a proof, as they do some minutes after the sign-in. */
export const forgetProofs = ({ change }: Pick<ConsoleService, "change">): Promise<unknown> =>
  change(({ tx }) =>
    tx.updateTable("tokens").set({ proved_at: null }).where("user_id", "is not", null).execute(),
  );

/** A service and a browser for the tests of one file. */
export interface Visits {
  readonly service: ConsoleService;
  readonly browser: Browser;
  /** Runs a test in a fresh browser profile; the browser's console must stay empty. */
  visit(options: VisitOptions, run: (visit: Visit) => Promise<void>): Promise<void>;
}

export const signIn = async (page: Page, login: string, password: string): Promise<void> => {
  await page.getByLabel("Email or username").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

/** The administrator's browser after a sign-in, so that most tests begin with a reload. */
const sessionOf = async ({ url, admin }: ConsoleService): Promise<StorageState> => {
  const answer = await patientFetch(`${url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: admin.email, password: admin.password }),
  });
  const [pair = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  const cookie = {
    name,
    value,
    domain: new URL(url).hostname,
    path: "/api/session",
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: "Strict",
  } as const;
  const localStorage = [{ name: "parley-session", value: "open" }];
  return { cookies: [cookie], origins: [{ origin: url, localStorage }] };
};

/** Removes everything of a visitor except the browser's cached files. */
const forget = async (context: BrowserContext): Promise<void> => {
  const [first, ...others] = context.pages();
  for (const page of others) await page.close({ runBeforeUnload: false });
  await first?.evaluate("localStorage.clear(); sessionStorage.clear()");
  await first?.close({ runBeforeUnload: false });
  await context.clearCookies();
};

/** Returns whether a line of the browser's console is about a request that the test expects to fail. */
const isExpected = (line: string, { failing = [], offline = false }: VisitOptions): boolean =>
  failing.some((status) => line.includes(`status of ${status}`)) ||
  (offline && line.includes("net::ERR_INTERNET_DISCONNECTED"));

export const startVisits = async (
  environment: Readonly<Record<string, string>> = {},
  twin?: Twin,
): Promise<Visits> => {
  const service = await startConsoleService(environment, twin);
  const browser = await openBrowser(test);
  test.after(() => service.stop());
  const administrator = await sessionOf(service);
  const usual = {
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    locale: "en-US",
    baseURL: service.url,
    permissions: ["clipboard-read", "clipboard-write"],
  } satisfies BrowserContextOptions;
  // Profiles that tests share, because a browser with cached files need not load and compile them again: the
  // administrator's, and an anonymous one, which is emptied after each test.
  const profiles = new Map<string, Promise<BrowserContext>>();
  const profileOf = (name: string, options: BrowserContextOptions): Promise<BrowserContext> => {
    const made = profiles.get(name) ?? browser.newContext({ ...usual, ...options });
    profiles.set(name, made);
    return made;
  };

  return {
    service,
    browser,
    visit: async (options, run) => {
      const { as, at = "/", failing: _, offline, viewport, colorScheme, ...profile } = options;
      const own = offline === true || Object.keys(profile).length > 0;
      const isKnown = as === undefined;
      const state = isKnown ? { storageState: administrator } : {};
      const context = own
        ? await browser.newContext({ ...usual, ...state, ...profile })
        : await profileOf(isKnown ? "administrator" : "nobody", state);
      context.setDefaultTimeout(LONG_MS);
      const complaints: string[] = [];
      const listen = (message: ConsoleMessage) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      };
      context.on("console", listen);
      const page = await context.newPage();
      if (viewport) await page.setViewportSize(viewport);
      if (colorScheme) await page.emulateMedia({ colorScheme });
      page.on("pageerror", (error) => void complaints.push(error.message));
      try {
        await page.goto(at);
        if (as) await signIn(page, as.login, as.password);
        if (as !== null) await page.locator("#content h1").waitFor();
        await run({ page, context });
        const unexpected = complaints.filter((line) => !isExpected(line, options));
        assert.deepEqual(unexpected, []);
      } finally {
        context.off("console", listen);
        if (own) await context.close();
        else if (isKnown) await page.close({ runBeforeUnload: false });
        else await forget(context);
      }
    },
  };
};

/** Loads a page again, as if the mail server had just begun to refuse everything for this reason. */
export const withMailProblem = async (page: Page, mailProblem: object): Promise<void> => {
  await page.route("**/api/organization", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.organization.mailProblem = mailProblem;
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
};

/** Waits for a notice with this text. */
export const noticed = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("status").getByText(text).first().waitFor();

/** Waits until the element of a selector has the focus. */
export const focused = (page: Page, selector: string): Promise<void> =>
  page.locator(`${selector}:focus`).waitFor();

/** A page shows something a moment before it listens to keys: what it has planned comes before idle time. */
const listening = (page: Page): Promise<void> =>
  page.evaluate("new Promise((done) => requestIdleCallback(() => done(), { timeout: 1_000 }))");

/** Presses a key once the page listens. */
export const press = async (page: Page, key: string): Promise<void> => {
  await listening(page);
  await page.keyboard.press(key);
};

/** The placeholder of the palette's field. */
export const FIND = "Find people, rooms, pages and actions";

/** Opens the palette by its key, and types into it. @returns its field */
export const find = async (page: Page, text: string): Promise<Locator> => {
  await press(page, "Control+k");
  const field = page.getByPlaceholder(FIND);
  await field.waitFor();
  await listening(page);
  await field.fill(text);
  return field;
};

/** Scripts for the page are text: these files are compiled without the browser's types. */
export const clipboardOf = (page: Page): Promise<string> =>
  page.evaluate("navigator.clipboard.readText()");

/** Takes the clipboard away, which no browser offers to a page without HTTPS. */
export const loseClipboard = (page: Page): Promise<void> =>
  page.evaluate(`Object.defineProperty(navigator, "clipboard", { value: undefined })`);

/** Waits for the dialog with a link that could not be copied, and closes it by the keyboard. */
export const readLink = async (page: Page, url: string): Promise<void> => {
  const dialog = page.getByRole("dialog", { name: "Link", exact: true });
  await dialog.getByText(url, { exact: true }).waitFor();
  await focused(page, '[role="dialog"] [data-autofocus]');
  await press(page, "Enter");
  await dialog.waitFor({ state: "detached" });
};

/** Unfolds a group of the form for a new room. */
export const unfold = (page: Page, title: string): Promise<void> =>
  page.locator("summary", { has: page.getByRole("heading", { name: title, exact: true }) }).click();

/** Waits until nothing is loading. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator("#content h1").waitFor();
  await page.locator("[data-busy]").waitFor({ state: "detached" });
};
