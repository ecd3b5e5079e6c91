import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../console/browser.ts";
import { type House, startHouse } from "../console/service.ts";
import type { Twin } from "../twins/twin.ts";
import type { Patched } from "./patched.ts";

/** Cameras and microphones that need no devices and no permission, and connections within one machine. */
const DEVICES = [
  // Few pictures a second: every browser encodes and decodes them on the processor.
  "--use-fake-device-for-media-stream=device-count=3,fps=10",
  "--use-fake-ui-for-media-stream",
  "--allow-loopback-in-peer-connection",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * Pictures and sound that cost little: what a test is about is where they arrive. `opened` has every track
 * that the page was given; while `held` is there, the page gets none, as while a browser asks its person.
 */
const SMALL = `{
  const devices = navigator.mediaDevices;
  globalThis.opened = [];
  const give = async (stream) => {
    globalThis.opened.push(...stream.getTracks());
    await globalThis.held?.promise;
    return stream;
  };
  const ask = devices?.getUserMedia.bind(devices);
  const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const size = { width: 320, height: 180, frameRate: 10 };
  if (ask) devices.getUserMedia = ({ audio, video }) =>
    ask({ audio: audio && { ...audio, ...raw }, video: video && { ...video, ...size } }).then(give);
  const choose = devices?.getDisplayMedia.bind(devices);
  if (choose) devices.getDisplayMedia = () => choose({ video: { frameRate: 5 } }).then(give);
}`;

/** A browser that gives no device: what is not about pictures needs none, and costs little without. */
export const NO_DEVICES = `navigator.mediaDevices.getUserMedia = () =>
  Promise.reject(new DOMException("no", "NotAllowedError"));`;

/** What a page's peer connections have received, by kind, summed over all of them. */
const RECEIVED = `Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
  all.flatMap((stats) => [...stats.values()]).filter(({ type }) => type === "inbound-rtp")
    .reduce((sum, one) => ({
      frames: sum.frames + (one.framesDecoded ?? 0),
      energy: sum.energy + (one.totalAudioEnergy ?? 0),
    }), { frames: 0, energy: 0 }))`;

/** Every stream that a page receives: how many pictures, or packets of sound, have come. */
const STREAMS = `Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
  all.flatMap((stats, index) => [...stats.values()]
    .filter(({ type }) => type === "inbound-rtp")
    .map(({ id, kind, framesDecoded = 0, packetsReceived = 0 }) =>
      ({ id: index + id, kind, count: kind === "video" ? framesDecoded : packetsReceived }))))`;

/** Keeps the page's peer connections where the test can ask them. */
const WATCH = `globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) { super(...given); globalThis.connections.push(this); }
  };
  globalThis.sockets = [];
  globalThis.WebSocket = class extends WebSocket {
    constructor(url, ...more) {
      super(globalThis.isCut ? String(url).replace("/api/", "/nowhere/") : url, ...more);
      globalThis.sockets.push(this);
    }
  };`;

export interface Received {
  readonly frames: number;
  readonly energy: number;
}

/** A stream that arrives, and what of it has arrived. */
interface Stream {
  readonly id: string;
  readonly kind: "audio" | "video";
  readonly count: number;
}

/** From how many others pictures and sound arrive. */
export interface Streams {
  readonly video: number;
  readonly audio: number;
}

/** Somebody with a browser profile of their own. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The same person in another tab. */
  at(page: Page): Person;
  /** Takes the network away, until the page has noticed it. */
  cut(): Promise<void>;
  /** What has arrived so far. */
  received(): Promise<Received>;
  /** Waits until so much more has arrived than there was. */
  receivesMore(than: Received, more?: Partial<Received>): Promise<void>;
  /**
   * Waits until exactly so many streams go on: what must not arrive is judged beside what does.
   *
   * @param beside what has to go on, each by more than `GROWTH`; the same by default
   * @throws Error where another one goes on and on
   */
  receivesOnly(wanted: Partial<Streams>, beside?: Partial<Streams>): Promise<void>;
  button(name: string | RegExp): ReturnType<Page["getByRole"]>;
  /** The tiles of somebody on the stage, by their name or that of their screen. */
  tile(name: string): ReturnType<Page["getByRole"]>;
}

interface Coming extends BrowserContextOptions {
  /** Signs in as the administrator before. */
  readonly asAdministrator?: boolean;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
  /** Makes it a page that obeys nothing. */
  readonly patched?: Patched;
}

/** A service, and its administrator. */
export type Host = Pick<House, "url" | "admin" | "adminId" | "client">;

export interface Meetings {
  readonly house: Host;
  /** Creates a room. @returns its ID and the path of its link */
  room(
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly room: string; readonly path: string }>;
  /** Opens a link. */
  open(path: string, options?: Coming): Promise<Person>;
  /** Opens a link and goes in by this name. */
  enter(path: string, name: string, options?: Coming): Promise<Person>;
}

/** Longer than whatever is waited for takes on a busy machine. */
const IN_VAIN = 180_000;

/** Less often than `until`: each look asks a page for all of its statistics. */
const settled = async (ready: () => Promise<boolean>): Promise<void> => {
  const begun = performance.now();
  while (!(await ready())) {
    if (performance.now() - begun > IN_VAIN) throw new Error("Waited in vain for a page");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

/** What goes on gets more than so many pictures, or packets of sound, in a round. */
const GROWTH: Streams = { video: 10, audio: 20 };
/** What was under way when something was switched off has arrived by then. */
const ROUNDS = 10;

const personOf = (context: BrowserContext, page: Page): Person => {
  const received = () => page.evaluate<Received>(RECEIVED);
  const streams = () => page.evaluate<readonly Stream[]>(STREAMS);
  /** How many streams of each kind have grown by more than so much since then. */
  const grown = async (since: ReadonlyMap<string, number>, by: Streams): Promise<Streams> => {
    const more = ({ id, count }: Stream) => count - (since.get(id) ?? 0);
    const now = (await streams()).filter((stream) => more(stream) > by[stream.kind]);
    const of = (wanted: string) => now.filter(({ kind }) => kind === wanted).length;
    return { video: of("video"), audio: of("audio") };
  };
  return {
    page,
    context,
    at: (other) => personOf(context, other),
    cut: async () => {
      // While it is online: offline, a browser keeps back also that it closes what is open.
      await page.evaluate(
        "globalThis.isCut = true; globalThis.sockets.forEach((socket) => socket.close())",
      );
      await context.setOffline(true);
      // A busy browser obeys later: what it opened until then would stay open.
      await settled(() =>
        page.evaluate<boolean>("fetch('/', { cache: 'no-store' }).then(() => false, () => true)"),
      );
      await settled(() => page.getByText("The connection is lost").isVisible());
      await page.evaluate("globalThis.isCut = false");
    },
    received,
    receivesMore: (than, { frames = 10, energy = 0 } = {}) =>
      settled(async () => {
        const now = await received();
        return now.frames >= than.frames + frames && now.energy >= than.energy + energy;
      }),
    receivesOnly: async (wanted, beside = wanted) => {
      let seen: Streams = { video: 0, audio: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = new Map((await streams()).map(({ id, count }) => [id, count]));
        await settled(async () => {
          const { video, audio } = await grown(before, GROWTH);
          return video >= (beside.video ?? 0) && audio >= (beside.audio ?? 0);
        });
        seen = await grown(before, { video: 0, audio: 0 });
        const { video = seen.video, audio = seen.audio } = wanted;
        if (seen.video === video && seen.audio === audio) return;
      }
      assert.deepEqual(seen, { ...seen, ...wanted });
    },
    button: (name) => page.getByRole("button", { name }),
    tile: (name) =>
      page
        .getByRole("region", { name: "People and shared screens" })
        .getByRole("listitem")
        .filter({ hasText: name }),
  };
};

/** Waits until somebody is inside. */
export const isInside = (person: Person): Promise<void> => person.button("Leave").waitFor();

/** Signs in on the page of a meeting, before one is inside, by its button of this name. */
export const signInAs = async (
  person: Person,
  account: Host["admin"],
  button = "Sign in",
): Promise<void> => {
  await person.button(button).click();
  const dialog = person.page.getByRole("dialog");
  await dialog.getByLabel("Email or username").fill(account.email);
  await dialog.getByLabel("Password", { exact: true }).fill(account.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
};

/**
 * A service and a browser for the meetings of one file.
 *
 * @param environment environment variables beside those of every house
 * @param twin the service instead of the real one
 */
export const startMeetings = async (
  environment: Readonly<Record<string, string>> = {},
  twin?: Twin,
): Promise<Meetings & { readonly house: House }> => {
  const house = await startHouse(environment, twin);
  after(() => house.stop());
  return { ...(await openMeetings(house)), house };
};

/**
 * A browser for the meetings of a service, for one file.
 *
 * @param flags arguments of the browser beside those of every meeting
 */
export const openMeetings = async (
  house: Host,
  flags: readonly string[] = [],
): Promise<Meetings> => {
  const browser = await openBrowser(test, [...DEVICES, ...flags]);

  const open: Meetings["open"] = async (
    path,
    { asAdministrator = false, script = "", patched, ...profile } = {},
  ) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // A quarter of the dots to draw, unless people are to look at them.
      deviceScaleFactor: process.env.PARLEY_SCREENSHOTS === "1" ? 1 : 0.5,
      reducedMotion: "reduce",
      locale: "en-US",
      baseURL: house.url,
      ...profile,
    });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(`${WATCH};${SMALL};${script}`);
    const page = await context.newPage();
    await patched?.install(page);
    const broken: string[] = [];
    page.on("pageerror", (error) => void broken.push(`${error.name}: ${error.stack}`));
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) broken.push(message.text());
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http") && !/^(127\.0\.0\.1|localhost)(:|$)/.test(host)) {
        broken.push(`The page asks ${host}`);
      }
    });
    // A changed page may break: it is not ours.
    if (patched === undefined) after(() => assert.deepEqual(broken, []));
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
