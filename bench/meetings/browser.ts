import type { BrowserContext, Page } from "playwright-core";
import { launch } from "../../test/console/browser.ts";

/** Cameras and microphones without devices, and connections within one machine. */
const ARGUMENTS = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  "--allow-loopback-in-peer-connection",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * Checks every 20 ms whether another picture was decoded. `pictures.last` is when, in milliseconds of the
 * machine's clock; `pictures.gap` is the longest time between two pictures so far.
 */
const WATCH = `globalThis.pictures = { first: 0, last: 0, gap: 0 };
  globalThis.sockets = [];
  const connections = new Map();
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) { super(...given); connections.set(this, 0); }
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      globalThis.sockets.push(this);
      this.addEventListener("open", () => { this.openedAt = performance.timeOrigin + performance.now(); });
    }
  };
  const look = async () => {
    let isNew = false;
    for (const [connection, before] of connections) {
      if (connection.connectionState === "closed") continue;
      for (const one of (await connection.getStats()).values()) {
        if (one.type !== "inbound-rtp" || one.kind !== "video") continue;
        if (one.framesDecoded > before) {
          connections.set(connection, one.framesDecoded);
          isNew = true;
        }
      }
    }
    const now = performance.timeOrigin + performance.now();
    const { pictures } = globalThis;
    if (isNew) {
      if (pictures.last > 0) pictures.gap = Math.max(pictures.gap, now - pictures.last);
      pictures.first ||= now;
      pictures.last = now;
    }
    setTimeout(look, 20);
  };
  look();`;

/**
 * Enters the name and clicks as soon as the form is there. Playwright's own waits can end half a second late,
 * because it looks for an element less and less often.
 */
const enterAs = (name: string): string => `new Promise((resolve) => {
  const look = () => {
    const field = document.querySelector("input[name=name]");
    const button = document.querySelector("form button[type=submit]");
    if (field === null || button === null) return setTimeout(look, 10);
    // As typing does it: React hears only of what its own setter has not written.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
      .set.call(field, ${JSON.stringify(name)});
    field.dispatchEvent(new Event("input", { bubbles: true }));
    button.click();
    resolve();
  };
  look();
})`;

/** When pictures arrived, in milliseconds of the machine's clock. */
export interface Pictures {
  /** 0: none yet. */
  readonly first: number;
  readonly last: number;
  /** The longest time between two since the last reset. */
  readonly gap: number;
}

/** Somebody in a browser window. */
export interface Visitor {
  readonly page: Page;
  pictures(): Promise<Pictures>;
  /** Forgets the gap so far. */
  reset(): Promise<void>;
  /** Since when a meeting socket has been open; 0 while there is none. */
  connectedSince(): Promise<number>;
}

/** One browser, whose caches are filled after the first visit: each person keeps a profile. */
export interface Visitors {
  profile(): Promise<BrowserContext>;
  /** Opens a link in a profile and enters. */
  enter(profile: BrowserContext, link: string, name: string): Promise<Visitor>;
  close(): Promise<void>;
}

export const openVisitors = async (): Promise<Visitors> => {
  const browser = await launch(ARGUMENTS);
  return {
    async profile() {
      const context = await browser.newContext({ locale: "en-US" });
      context.setDefaultTimeout(60_000);
      await context.addInitScript(WATCH);
      return context;
    },
    async enter(profile, link, name) {
      const page = await profile.newPage();
      await page.goto(link, { waitUntil: "commit" });
      await page.evaluate<void>(enterAs(name));
      return {
        page,
        pictures: () => page.evaluate<Pictures>("globalThis.pictures"),
        reset: () => page.evaluate<void>("globalThis.pictures.gap = 0"),
        connectedSince: () =>
          page.evaluate<number>(`Math.max(0, ...globalThis.sockets
            .filter((one) => one.readyState === 1 && one.url.endsWith("/api/meeting/socket"))
            .map((one) => one.openedAt ?? 0))`),
      };
    },
    close: () => browser.close(),
  };
};

/** The machine's clock, as the pages report it. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** Waits until the condition is true. @throws Error after a minute */
export const untilSeen = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > 60_000) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
