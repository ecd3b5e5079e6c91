import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { createClient } from "../../contract/client.ts";
import { openBrowser } from "../console/browser.ts";
import { type ConsoleService, startConsoleService } from "../console/service.ts";
import type { Twin } from "../twins/twin.ts";
import type { Scope } from "../world/empty-database.ts";
import { LONG_MS } from "../world/process.ts";
import type { Patched } from "./patched.ts";

/** Fake cameras and microphones without devices and permission, and connections within one machine. */
const DEVICES = [
  // Few pictures per second: every browser encodes and decodes them on the processor.
  "--use-fake-device-for-media-stream=device-count=3,fps=10",
  "--use-fake-ui-for-media-stream",
  "--allow-loopback-in-peer-connection",
  "--autoplay-policy=no-user-gesture-required",
];

/**
 * Pictures and sound that cost little: the tests are about where they arrive. `opened` has every track that
 * the page was given; while `held` exists, the page gets none, as while a browser asks its user.
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

/** A browser that provides no devices, for tests that are not about pictures: it costs little. */
export const NO_DEVICES = `navigator.mediaDevices.getUserMedia = () =>
  Promise.reject(new DOMException("no", "NotAllowedError"));`;

/** The data that a page's peer connections have received, by kind, summed over all of them. */
const RECEIVED = `Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
  all.flatMap((stats) => [...stats.values()]).filter(({ type }) => type === "inbound-rtp")
    .reduce((sum, one) => ({
      frames: sum.frames + (one.framesDecoded ?? 0),
      energy: sum.energy + (one.totalAudioEnergy ?? 0),
    }), { frames: 0, energy: 0 }))`;

/** Every stream that a page receives: how many pictures, or packets of sound, have arrived. */
const STREAMS = `Promise.all(globalThis.connections.map((pc) => pc.getStats())).then((all) =>
  all.flatMap((stats, index) => [...stats.values()]
    .filter(({ type }) => type === "inbound-rtp")
    .map(({ id, kind, framesDecoded = 0, packetsReceived = 0 }) =>
      ({ id: index + id, kind, count: kind === "video" ? framesDecoded : packetsReceived }))))`;

/** Makes the page's peer connections accessible to the test. */
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

/** A received stream, and how much of it has arrived. */
interface Stream {
  readonly id: string;
  readonly kind: "audio" | "video";
  readonly count: number;
}

/** The number of other people from whom pictures and sound arrive. */
export interface Streams {
  readonly video: number;
  readonly audio: number;
}

/** A person with a separate browser profile. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The same person in another tab, which is empty. */
  tab(): Promise<Person>;
  /** Closes all tabs. */
  leave(): Promise<void>;
  /** Takes the network away, until the page has noticed it. */
  cut(): Promise<void>;
  /** The messages that have arrived so far. */
  received(): Promise<Received>;
  /** Waits until this much more has arrived. */
  receivesMore(than: Received, more?: Partial<Received>): Promise<void>;
  /**
   * Waits until exactly this many streams keep growing: what must not arrive is judged relative to what does.
   *
   * @param beside what must keep growing, each by more than `GROWTH`; the same by default
   * @throws Error if another stream keeps growing
   */
  receivesOnly(wanted: Partial<Streams>, beside?: Partial<Streams>): Promise<void>;
  button(name: string | RegExp): ReturnType<Page["getByRole"]>;
  /** A person's tiles on the stage, by their name or that of their screen. */
  tile(name: string): ReturnType<Page["getByRole"]>;
}

interface Coming extends BrowserContextOptions {
  /** Signs in as the administrator first. */
  readonly asAdministrator?: boolean;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
  /** Modifies the page so that it obeys nothing. */
  readonly patched?: Patched;
}

/** A service, and its administrator. */
export type Host = Pick<ConsoleService, "url" | "admin" | "adminId" | "client">;

export interface Meetings {
  readonly service: Host;
  /** Creates a room. @returns its ID and the path of its link */
  room(
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly room: string; readonly path: string }>;
  /** Opens a link. */
  open(path: string, options?: Coming): Promise<Person>;
  /** Opens a link and enters under this name. */
  enter(path: string, name: string, options?: Coming): Promise<Person>;
}

/** The meetings of a service of the tests' own. */
interface OwnMeetings extends Meetings {
  readonly service: ConsoleService;
  /** Guests who only take seats and send nothing, without browsers. */
  sit(path: string, names: readonly string[]): Promise<void>;
}

/** Takes seats for guests who send nothing, without browsers. */
const sitDown = async (
  service: ConsoleService,
  path: string,
  names: readonly string[],
): Promise<void> => {
  const guest = createClient({ baseUrl: service.url });
  const roomId = path.split("/").at(-1) ?? "";
  for (const peerName of names) {
    await service.sit((await guest.joinRoom({ roomId, peerName })).ticket);
  }
};

/** Less often than `until`: each check reads all of a page's statistics. */
const settled = async (ready: () => Promise<boolean>): Promise<void> => {
  const begun = performance.now();
  while (!(await ready())) {
    if (performance.now() - begun > LONG_MS) throw new Error("Waited in vain for a page");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** A stream that continues gets more pictures, or packets of sound, than this in a round. */
const GROWTH: Streams = { video: 4, audio: 10 };
/** After this many rounds, data that was under way when something was switched off has arrived. */
const ROUNDS = 25;

/** Where a person's tabs come from, and what becomes of them. */
type Tabs = Pick<Person, "tab" | "leave">;

const personOf = (page: Page, tabs: Tabs): Person => {
  const context = page.context();
  const received = () => page.evaluate<Received>(RECEIVED);
  const streams = () => page.evaluate<readonly Stream[]>(STREAMS);
  /** How many streams of each kind have grown by more than this since then. */
  const grown = async (since: ReadonlyMap<string, number>, by: Streams): Promise<Streams> => {
    const more = ({ id, count }: Stream) => count - (since.get(id) ?? 0);
    const now = (await streams()).filter((stream) => more(stream) > by[stream.kind]);
    const of = (wanted: string) => now.filter(({ kind }) => kind === wanted).length;
    return { video: of("video"), audio: of("audio") };
  };
  return {
    ...tabs,
    page,
    context,
    cut: async () => {
      // While it is online: offline, a browser also withholds the closing of its sockets.
      await page.evaluate(
        "globalThis.isCut = true; globalThis.sockets.forEach((socket) => socket.close())",
      );
      await context.setOffline(true);
      // A busy browser applies it later: connections opened before would stay open.
      await settled(() =>
        page.evaluate<boolean>("fetch('/', { cache: 'no-store' }).then(() => false, () => true)"),
      );
      await settled(() => page.getByText("The connection is lost").isVisible());
      await page.evaluate("globalThis.isCut = false");
    },
    received,
    receivesMore: (than, { frames = 4, energy = 0 } = {}) =>
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

/** Removes from a page's profile what its last user has left there, except for files. */
const empty = async (page: Page, origin: string): Promise<void> => {
  const context = page.context();
  await Promise.all([context.clearCookies(), context.setOffline(false)]);
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage" });
  await session.detach();
};

/** Waits until the person is inside. */
export const isInside = (person: Person): Promise<void> => person.button("Leave").waitFor();

/** Chooses an item of a menu, which a button of this name opens. */
export const choose = async (
  person: Person,
  menu: string | RegExp,
  item: string,
): Promise<void> => {
  await person.button(menu).click();
  await person.page.getByRole("menuitem", { name: item }).click();
};

/** Closes everything that these people have open. */
export const leaveAll = (...people: readonly Person[]) =>
  Promise.all(people.map((person) => person.leave()));

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
 * @param environment environment variables in addition to those of every test service
 * @param twin the broken service that runs instead of the real one
 */
export const startMeetings = async (
  environment: Readonly<Record<string, string>> = {},
  twin?: Twin,
): Promise<OwnMeetings> => {
  const service = await startConsoleService(environment, twin);
  after(() => service.stop());
  const sit: OwnMeetings["sit"] = (path, names) => sitDown(service, path, names);
  return { ...(await openMeetings(service)), service, sit };
};

/**
 * A browser for the meetings of a service.
 *
 * @param flags browser arguments in addition to those of every meeting
 * @param t the test that it is for; otherwise the file
 */
export const openMeetings = async (
  service: Host,
  flags: readonly string[] = [],
  t: Scope = test,
): Promise<Meetings> => {
  const browser = await openBrowser(t, [...DEVICES, ...flags]);

  // Used one after the other: a browser that has the files, compiled, opens a page for half of the effort.
  const profiles: BrowserContext[] = [];

  const open: Meetings["open"] = async (
    path,
    { asAdministrator = false, script = "", patched, ...special } = {},
  ) => {
    const isUsual = Object.keys(special).length === 0;
    const used = isUsual ? profiles.pop() : undefined;
    const context =
      used ??
      (await browser.newContext({
        viewport: { width: 1280, height: 800 },
        // Fewer pixels to draw, unless people are to look at the pictures.
        deviceScaleFactor: process.env.PARLEY_SCREENSHOTS === "1" ? 1 : 0.5,
        reducedMotion: "reduce",
        locale: "en-US",
        baseURL: service.url,
        ...special,
      }));
    context.setDefaultTimeout(LONG_MS);
    const signIn = asAdministrator ? `localStorage.setItem("parley-session", "open")` : "";
    const newPage = async (): Promise<Page> => {
      const page = await context.newPage();
      await page.addInitScript(`${WATCH};${SMALL};${script};${signIn}`);
      return page;
    };
    const page = await newPage();
    if (used !== undefined) await empty(page, service.url);
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
    // A modified page may break: it is not ours.
    if (patched === undefined) after(() => assert.deepEqual(broken, []));
    if (asAdministrator) {
      await page.request.post("/api/session", {
        data: { login: service.admin.email, password: service.admin.password },
      });
    }
    await page.goto(path);
    const leave = async (): Promise<void> => {
      if (!isUsual) return context.close();
      await Promise.all(context.pages().map((one) => one.close()));
      profiles.push(context);
    };
    const tab = async (): Promise<Person> => personOf(await newPage(), { tab, leave });
    return personOf(page, { tab, leave });
  };

  return {
    service,
    open,
    room: async (settings = {}) => {
      const { roomSetting } = await service.client.createRoom({
        name: "Quarterly review",
        roomOwnerId: service.adminId,
        noOfModerators: 2,
        noOfParticipants: 5,
        noOfViewers: 5,
        ...settings,
      });
      const { url } = await service.client.getRoomLink({ roomId: roomSetting.room });
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
