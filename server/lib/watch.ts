import { stat } from "node:fs/promises";

/*
 * Notices that something on which this service waits stands still, though it has not ended. The table in
 * docs/architecture.md ("What stands still") says how each is watched, and what follows.
 */

/** How long each may show no sign of going on, in milliseconds. */
export const STILL_MS = {
  /** The page that begins to capture a meeting: a busy machine starts a browser slowly. */
  start: 90_000,
  /** The page that captures a meeting. */
  page: 30_000,
  /** The ffmpeg that writes what is captured, in segments of four seconds. */
  writer: 30_000,
  /** The end of a capture: the last bytes of its page, and then the last segment. */
  end: 20_000,
  /** The ffmpeg that makes files of a recording. */
  maker: 60_000,
  /** The ffmpeg that repacks a live stream for its receiver. */
  repacker: 30_000,
  /** The speech engine, before moderators read that it does not respond; it may still do. */
  lateSpeech: 7_000,
  /** The speech engine, before a piece of speech is given up. */
  speech: 60_000,
  /** The media engine of this machine. */
  engine: 30_000,
  /** The store of recordings, while a file comes from it. */
  store: 30_000,
  /** A command to the hidden browser. */
  command: 60_000,
} as const;

/** How often a watch looks within its time. */
const LOOKS = 10;

export interface WatchOptions {
  readonly stillMs: number;
  /** Called once, when nothing has gone on for so long. */
  readonly onStill: () => void;
  /** What has been done so far: another text means that it goes on. Omitted: `goOn` is called instead. */
  readonly sign?: () => Promise<string>;
  /** Whether anything is to be done: otherwise a look does not count. Omitted: always. */
  readonly isDue?: () => boolean;
}

/**
 * Watches whether something goes on. It counts its looks, not the time: while this process itself stands
 * still, nothing counts.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #timer: NodeJS.Timeout;
  #looks = 0;
  #seen = "";
  #isReading = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.stillMs / LOOKS).unref();
  }

  /** It has done something. */
  goOn(): void {
    this.#looks = 0;
  }

  /** Whether it has done something lately. */
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

  /** One at a time: the sign itself may stand still, as on a disk that does. */
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

/** When a file or folder was written to, and its size; empty where there is none. */
export const markOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => "",
  );
