import { STILL_MS, Watchdog } from "../lib/watch.ts";
import type { Writer } from "./ffmpeg.ts";

/** The part of a capture that stands still: its page, or the ffmpeg that writes. */
export type Still = "silent" | "writer_silent";

/** Watches what a capture's page sends, and what is written. */
export class CaptureWatch {
  readonly #onStill: (still: Still) => void;
  #page: Watchdog;
  #output: Watchdog | undefined;

  /** From now on the page has the time that a busy machine needs to start it. */
  constructor(onStill: (still: Still) => void) {
    this.#onStill = onStill;
    this.#page = this.#watchPage(STILL_MS.start);
  }

  /** The page has begun: from now on both must make progress. */
  begin(writer: Writer | undefined): void {
    this.stop();
    this.#page = this.#watchPage(STILL_MS.page);
    this.#output =
      writer &&
      new Watchdog({
        stillMs: STILL_MS.writer,
        sign: writer.mark,
        // With nothing to write, the writer is not to blame.
        isDue: () => this.#page.goes,
        onStill: () => this.#onStill("writer_silent"),
      });
  }

  /** The page has sent something. */
  goOn(): void {
    this.#page.goOn();
  }

  stop(): void {
    this.#page.stop();
    this.#output?.stop();
  }

  #watchPage(stillMs: number): Watchdog {
    return new Watchdog({ stillMs, onStill: () => this.#onStill("silent") });
  }
}
