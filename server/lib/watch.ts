import { stat } from "node:fs/promises";

/*
 * Notices that a program for which this service waits makes no progress, although it has not ended.
 */

/** How long a program may show no progress before it counts as stuck; each comment names the sign of progress. */
export const STILL_MS = {
  /** The page that begins to capture a meeting: a busy machine starts a browser slowly. */
  start: 90_000,
  /** The page that captures a meeting: its bytes, twice a second; if it only listens, a word every two seconds. */
  page: 30_000,
  /** The ffmpeg that writes what is captured: a segment every four seconds, as long as bytes come. */
  writer: 30_000,
  /** The end of a capture: the last bytes of its page, and then the last segment. */
  end: 20_000,
  /** The ffmpeg that makes files of a recording: what it writes, or that it waits for a processor. */
  maker: 60_000,
  /** The ffmpeg that repacks a live stream for its receiver: what it prints. */
  repacker: 30_000,
  /** The speech engine, before moderators read that it does not respond; it may still do. */
  lateSpeech: 7_000,
  /** The speech engine, before a piece of speech is given up. */
  speech: 60_000,
  /** The media engine of this machine: an answer of its API, every three seconds. */
  engine: 30_000,
  /** The store of recordings, while a file comes from it: bytes. */
  store: 30_000,
  /** A command to the hidden browser. */
  command: 60_000,
} as const;

/** How often a watch looks within its time. */
const LOOKS = 10;

export interface WatchOptions {
  readonly stillMs: number;
  /** Called once, after this time without progress. */
  readonly onStill: () => void;
  /** The progress so far: a different text is progress. If omitted, `goOn` is called instead. */
  readonly sign?: () => Promise<string>;
  /** Returns whether there is work: otherwise a look does not count. Default: always. */
  readonly isDue?: () => boolean;
}

/**
 * Watches for progress. It counts looks instead of time: while this process itself stands still,
 * nothing counts.
 */
export class Watchdog {
  readonly #options: WatchOptions;
  readonly #timer: NodeJS.Timeout;
  #looks = 0;
  #seen = "";
  #isReading = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.stillMs / LOOKS).unref();
  }

  /** Reports progress. */
  goOn(): void {
    this.#looks = 0;
  }

  /** True if there was progress lately. */
  get goes(): boolean {
    return this.#looks <= 2;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { isDue = () => true, onStill } = this.#options;
    if (!isDue()) return;
    this.#looks += 1;
    if (this.#looks > LOOKS) {
      this.stop();
      onStill();
    } else void this.#read();
  }

  /** One at a time: the sign itself may stand still, as on a stuck disk. */
  async #read(): Promise<void> {
    const { sign } = this.#options;
    if (sign === undefined || this.#isReading) return;
    this.#isReading = true;
    const read = await sign().catch(() => this.#seen);
    this.#isReading = false;
    if (read === this.#seen) return;
    this.#seen = read;
    this.goOn();
  }
}

/** The modification time and size of a file or folder; empty if there is none. */
export const markOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => "",
  );
