import {
  connectMeeting,
  type MeetingConnection,
  type MeetingOptions,
} from "../../../contract/meeting-client.ts";

/** The pauses before the first tries, in milliseconds. */
const PAUSES = [5_000, 10_000, 20_000, 40_000] as const;
const LAST_PAUSE = 60_000;
/** A try without an answer for so long has failed, in milliseconds. */
const LONGEST_TRY = 15_000;
/** For so long it is tried at intervals, in milliseconds. */
const AT_INTERVALS = 10 * 60_000;
/** For so long it is tried when something happens: after that the person is asked. */
const ON_EVENTS = 60 * 60_000;

/** Since when it is tried, and how often it was. */
export interface Tries {
  readonly since: number;
  readonly count: number;
}

/** The pause before the next try, in milliseconds; undefined: it has been tried for long enough. */
export const pauseBefore = (
  { since, count }: Tries,
  time: number,
  pauses: readonly number[] = PAUSES,
): number | undefined => {
  const pause = pauses[count] ?? LAST_PAUSE;
  return time - since + pause <= AT_INTERVALS ? pause : undefined;
};

/** Returns whether it is still tried when the network is back, or the page is seen again. */
export const mayHurry = ({ since }: Tries, time: number): boolean => time - since <= ON_EVENTS;

/**
 * Calls back when a try is worthwhile: the network is back, or the page is seen again, as after a sleep.
 *
 * @returns a function that ends this
 */
export const onAwake = (listener: () => void): (() => void) => {
  const look = (): void => {
    if (document.visibilityState === "visible") listener();
  };
  addEventListener("online", listener);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("pageshow", look);
    document.removeEventListener("visibilitychange", look);
  };
};

/**
 * Tries something again and again: for some minutes after growing pauses, and for an hour when the network is
 * back or the page is seen again.
 */
export class Again {
  readonly #attempt: (signal: AbortSignal) => Promise<boolean>;
  readonly #pauses: readonly number[];
  #tries: Tries | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unlisten: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #giveUp = (): void => {};

  /**
   * @param attempt returns whether there is nothing left to try
   * @param pauses before the first tries, in milliseconds
   */
  constructor(
    attempt: (signal: AbortSignal) => Promise<boolean>,
    pauses: readonly number[] = PAUSES,
  ) {
    this.#attempt = attempt;
    this.#pauses = pauses;
  }

  /** Begins, or goes on where it has stopped: the pauses stay as long as they have become. */
  start(): void {
    // By the clock of the day: others may stand still while the machine sleeps.
    this.#tries ??= { since: Date.now(), count: 0 };
    this.#unlisten ??= onAwake(() => this.#hurry());
    this.#plan();
  }

  /** Tries at once, as somebody has asked for. Returns when the try is over. */
  async now(): Promise<void> {
    this.#giveUp();
    await this.#running;
    this.#run();
    await this.#running;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#giveUp();
  }

  /** It is not needed any more: the next start begins with the first pause. */
  reset(): void {
    this.#tries = undefined;
    this.stop();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const pause = this.#tries && pauseBefore(this.#tries, Date.now(), this.#pauses);
    if (pause === undefined) return;
    // Other pages have begun at the same moment, when the service went away.
    this.#timer = setTimeout(() => this.#run(), pause * (1 - Math.random() / 4));
  }

  #hurry(): void {
    if (this.#tries && mayHurry(this.#tries, Date.now())) this.#run();
  }

  #run(): void {
    this.#running ??= this.#tryOnce().finally(() => {
      this.#running = undefined;
    });
  }

  async #tryOnce(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#tries) this.#tries = { ...this.#tries, count: this.#tries.count + 1 };
    const controller = new AbortController();
    this.#giveUp = () => controller.abort();
    const late = setTimeout(this.#giveUp, LONGEST_TRY);
    const isOver = await this.#attempt(controller.signal);
    clearTimeout(late);
    if (this.#unlisten === undefined) return;
    if (isOver) this.stop();
    else this.#plan();
  }
}

/** Opens the meeting socket of a ticket, which also tries again when the page wakes up. */
export const openSocket = (options: MeetingOptions): MeetingConnection => {
  const connection = connectMeeting(options);
  void connection.ended.then(onAwake(connection.wake));
  return connection;
};
