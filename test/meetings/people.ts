import assert from "node:assert/strict";
import { after } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "../console/browser.ts";
import { type House, startHouse } from "../console/service.ts";

/** Cameras and microphones that need no devices and no permission, and connections within one machine. */
const DEVICES = [
  // Few pictures a second: every browser encodes and decodes them on the processor.
  "--use-fake-device-for-media-stream=fps=10",
  "--use-fake-ui-for-media-stream",
  "--allow-loopback-in-peer-connection",
  "--autoplay-policy=no-user-gesture-required",
];

/** What a page's peer connections have received, by kind, summed over all of them. */
const RECEIVED = `Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
  all.flatMap((stats) => [...stats.values()]).filter(({ type }) => type === "inbound-rtp")
    .reduce((sum, one) => ({
      frames: sum.frames + (one.framesDecoded ?? 0),
      energy: sum.energy + (one.totalAudioEnergy ?? 0),
    }), { frames: 0, energy: 0 }))`;

/** Keeps the page's peer connections where the test can ask them. */
const WATCH = `globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) { super(...given); globalThis.connections.push(this); }
  };
  globalThis.sockets = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); globalThis.sockets.push(this); }
  };`;

export interface Received {
  readonly frames: number;
  readonly energy: number;
}

/** Somebody with a browser profile of their own. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What has arrived so far. */
  received(): Promise<Received>;
  /** Waits until so much more has arrived than there was. */
  receivesMore(than: Received, more?: Partial<Received>): Promise<void>;
  button(name: string | RegExp): ReturnType<Page["getByRole"]>;
}

interface Coming extends BrowserContextOptions {
  /** Signs in as the administrator before. */
  readonly asAdministrator?: boolean;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
}

export interface Meetings {
  readonly house: House;
  /** Creates a room. @returns its ID and the path of its link */
  room(
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly room: string; readonly path: string }>;
  /** Opens a link. */
  open(path: string, options?: Coming): Promise<Person>;
  /** Opens a link and goes in by this name. */
  enter(path: string, name: string, options?: Coming): Promise<Person>;
}

const settled = async (ready: () => Promise<boolean>): Promise<void> => {
  while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 200));
};

const personOf = (context: BrowserContext, page: Page): Person => {
  const received = () => page.evaluate<Received>(RECEIVED);
  return {
    page,
    context,
    received,
    receivesMore: (than, { frames = 20, energy = 0 } = {}) =>
      settled(async () => {
        const now = await received();
        return now.frames >= than.frames + frames && now.energy >= than.energy + energy;
      }),
    button: (name) => page.getByRole("button", { name }),
  };
};

/**
 * A service and a browser for the meetings of one file.
 *
 * @param environment environment variables beside those of every house
 */
export const startMeetings = async (
  environment: Readonly<Record<string, string>> = {},
): Promise<Meetings> => {
  const house = await startHouse(environment);
  const browser = await launch(DEVICES);
  after(async () => {
    await browser.close();
    await house.stop();
  });

  const open: Meetings["open"] = async (
    path,
    { asAdministrator = false, script = "", ...profile } = {},
  ) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      locale: "en-US",
      baseURL: house.url,
      ...profile,
    });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(`${WATCH};${script}`);
    const page = await context.newPage();
    const broken: string[] = [];
    page.on("pageerror", (error) => void broken.push(error.stack ?? error.message));
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) broken.push(message.text());
    });
    after(() => assert.deepEqual(broken, []));
    if (asAdministrator) {
      await page.request.post("/api/session", {
        data: { login: house.admin.email, password: house.admin.password },
      });
      await context.addInitScript(`localStorage.setItem("parley-session", "open")`);
    }
    await page.goto(path);
    return personOf(context, page);
  };

  return {
    house,
    open,
    room: async (settings = {}) => {
      const { roomSetting } = await house.client.createRoom({
        name: "Quarterly review",
        roomOwnerId: house.adminId,
        noOfModerators: 2,
        noOfParticipants: 5,
        noOfViewers: 5,
        ...settings,
      });
      const { url } = await house.client.getRoomLink({ roomId: roomSetting.room });
      return { room: roomSetting.room, path: new URL(url).pathname };
    },
    enter: async (path, name, options) => {
      const person = await open(path, options);
      await person.page.getByLabel("Your name").fill(name);
      await person.button(/^(Join|Ask to join)$/).click();
      return person;
    },
  };
};
