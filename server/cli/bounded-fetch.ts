import { readAtMost } from "../lib/bounded-text.ts";
import { CommandError } from "./command.ts";

/** The limits of an answer's size and time. */
export interface Bounds {
  readonly bytes: number;
  /** The longest time without a byte. */
  readonly silentMs: number;
  /** The longest time until an answer is complete: one that drips is not silent. */
  readonly wholeMs: number;
}

const usual: Bounds = { bytes: 64 * 1024 ** 2, silentMs: 60_000, wholeMs: 300_000 };

/** Statuses whose answers have no body. */
const BODILESS = new Set([204, 205, 304]);

/** The pieces as they come, each after a call of `onPiece`. */
async function* heard(
  pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  onPiece: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}

/**
 * `fetch` for services that may answer anything: an answer ends, and its kept part is limited.
 * Follows no redirect, which could carry an access key to another host.
 *
 * @throws CommandError for an answer beyond the limits
 */
export const boundedFetch =
  ({ bytes, silentMs, wholeMs }: Bounds = usual): typeof fetch =>
  async (input, init = {}) => {
    const over = new AbortController();
    const { signal = null, ...more } = init;
    const late = (): void =>
      over.abort(new CommandError("The service began an answer, or none, and did not go on."));
    const whole = setTimeout(late, wholeMs);
    const silent = setTimeout(late, silentMs);
    try {
      const response = await fetch(input, {
        ...more,
        redirect: "manual",
        signal: signal === null ? over.signal : AbortSignal.any([signal, over.signal]),
      });
      if (response.status >= 300 && response.status < 400 && response.status !== 304) {
        await response.body?.cancel();
        throw new CommandError(
          "The service answers with a redirect. Give the address to which it leads.",
        );
      }
      const read = await readAtMost(
        heard(response.body ?? [], () => silent.refresh()),
        bytes,
      );
      if (read.broken !== undefined) throw read.broken;
      if (!read.isWhole) {
        throw new CommandError(
          `The service answers with more than ${Math.floor(bytes / 1024 ** 2)} MB at once.`,
        );
      }
      const { status, statusText, headers } = response;
      const body = BODILESS.has(status) ? null : read.bytes;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      throw over.signal.aborted ? over.signal.reason : error;
    } finally {
      clearTimeout(whole);
      clearTimeout(silent);
    }
  };
