import type { Logger } from "pino";
import type { Capture } from "../capture/capture.ts";
import type { Captures } from "../capture/captures.ts";
import type { RunRow } from "../db/live-tables.ts";
import type { Database } from "../db/open.ts";
import { STILL_MS, Watchdog } from "../lib/watch.ts";
import { type Broken, breakOf, broken, captureAgain } from "../live/again.ts";
import type { Running } from "../live/runner.ts";
import type { Followable } from "../meetings/state/snapshot.ts";
import { followKeeping, type Keeping } from "./keeping.ts";
import type { Recognizer } from "./recognize.ts";
import { openSegmenter, type Segmenter, type SpeechSegment, wavOf } from "./segments.ts";
import { type Said, writeDown } from "./write-down.ts";

/** The parts of the service that a transcription uses. */
export interface TranscriptionParts {
  readonly database: Database;
  readonly hub: Followable;
  readonly captures: Pick<Captures, "start">;
  readonly recognize: Recognizer;
  readonly log: Pick<Logger, "warn">;
}

/** How many segments of a meeting the speech engine gets at a time. */
const AT_ONCE = 2;
/**
 * How many may wait: beyond that the oldest are dropped, because captions must not lag ever
 * further.
 */
const MOST_WAITING = 40;
/** How long the last segments may take after the end. */
const LAST_MS = 20_000;
/** How often it checks whose sound has stopped. */
const LOOK_MS = 500;
/** How many checks without sound end a segment: a person who mutes or leaves sends no silence. */
const MOST_LOOKS = 2;

/** A segment, and its speaker. */
type Heard = Said & SpeechSegment;

/** Knows whether the speech engine answers each segment with words, in time. */
const openEngineHealth = (onChange: (isWell: boolean) => void) => {
  let isWell = true;
  const set = (now: boolean): void => {
    if (now === isWell) return;
    isWell = now;
    onChange(now);
  };
  /** Asks it for something. */
  return async <T>(ask: () => Promise<T>): Promise<T> => {
    let isLate = false;
    const watch = new Watchdog({
      stillMs: STILL_MS.lateSpeech,
      onStill: () => {
        isLate = true;
        set(false);
      },
    });
    try {
      const answer = await ask();
      // An engine that is always late does not count as working, although it answers.
      if (!isLate) set(true);
      return answer;
    } catch (error) {
      set(false);
      throw error;
    } finally {
      watch.stop();
    }
  };
};

/**
 * Sends segments to the speech engine, a few at a time, and stores their text.
 *
 * @param onHealth called when the engine fails, and when it works again
 */
const openQueue = (parts: TranscriptionParts, run: RunRow, onHealth: (isWell: boolean) => void) => {
  const asked = openEngineHealth(onHealth);
  const waiting: Heard[] = [];
  const busy = new Set<Promise<void>>();
  const over = new AbortController();

  const recognize = async (said: Heard): Promise<void> => {
    const chosen = run.language ?? undefined;
    const { text, language } = await asked(() => parts.recognize(wavOf(said), over.signal, chosen));
    if (text === "") return;
    await writeDown(parts.database, run, said, { text, language: chosen ?? language });
  };
  const fill = (): void => {
    while (busy.size < AT_ONCE) {
      const said = waiting.shift();
      if (said === undefined) return;
      const work: Promise<void> = recognize(said)
        .catch((err: unknown) => parts.log.warn({ err }, "something said was not transcribed"))
        .finally(() => {
          busy.delete(work);
          fill();
        });
      busy.add(work);
    }
  };
  return {
    add(said: Heard): void {
      waiting.push(said);
      if (waiting.length > MOST_WAITING) waiting.shift();
      fill();
    },
    /** Waits for the last segments, at most `LAST_MS`. */
    async end(): Promise<void> {
      const late = setTimeout(() => {
        waiting.length = 0;
        over.abort();
      }, LAST_MS);
      while (busy.size > 0) await Promise.race(busy);
      clearTimeout(late);
    },
  };
};

/**
 * Cuts the sound of each person into segments of speech.
 *
 * @param onSegment gets each segment once it has ended
 */
const openSpeakers = (onSegment: (seatId: string, segment: SpeechSegment) => void) => {
  const speakers = new Map<string, { readonly segmenter: Segmenter; looks: number }>();
  const end = (seatId: string): void => {
    for (const segment of speakers.get(seatId)?.segmenter.end() ?? []) onSegment(seatId, segment);
    speakers.delete(seatId);
  };
  // Counted in checks, not in time: while this process stands still, sound waits to be read.
  const looking = setInterval(() => {
    for (const [seatId, speaker] of speakers) {
      speaker.looks += 1;
      if (speaker.looks > MOST_LOOKS) end(seatId);
    }
  }, LOOK_MS).unref();
  return {
    hear(seatId: string, samples: Int16Array, atMs: number): void {
      const segmenter = speakers.get(seatId)?.segmenter ?? openSegmenter();
      speakers.set(seatId, { segmenter, looks: 0 });
      for (const segment of segmenter.push(samples, atMs)) onSegment(seatId, segment);
    },
    /** Ends everybody's segments. */
    end(): void {
      clearInterval(looking);
      for (const seatId of [...speakers.keys()]) end(seatId);
    },
  };
};

/** Captures a meeting's sound once. @returns why it ended; null if it ended as intended */
const transcribeOnce = async (
  parts: TranscriptionParts,
  { run, signal, tell }: Running,
  keeping: Keeping,
): Promise<Broken | null> => {
  const { captures, log } = parts;
  const queue = openQueue(parts, run, (isWell) => {
    tell("live", isWell ? null : "speech").catch((err: unknown) =>
      log.warn({ err }, "the state of a transcription is written later"),
    );
  });
  const speakers = openSpeakers((seatId, segment) =>
    queue.add({ ...segment, seatId, kept: keeping.keeps(seatId, segment) }),
  );
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
    if (signal.aborted) resolve(null);
  });
  let capture: Capture | undefined;
  try {
    capture = await captures.start({
      organizationId: run.organization_id,
      meetingId: run.meeting_id,
      purpose: "transcribe",
      picture: null,
      onSound: (seatId, _name, samples, atMs) => speakers.hear(seatId, samples, atMs),
    });
    await tell("live");
    return await Promise.race([aborted, capture.ended.then(() => broken)]);
  } finally {
    await capture?.stop();
    speakers.end();
    await queue.end();
  }
};

/**
 * Carries out a transcription until its signal aborts, again after the capture broke off.
 *
 * @returns why it ended by itself; null if it ended as intended
 */
export const carryOutTranscription =
  (parts: TranscriptionParts) =>
  async (running: Running): Promise<string | null> => {
    const keeping = followKeeping(parts.hub, running.run.meeting_id);
    try {
      return await captureAgain(running, () =>
        transcribeOnce(parts, running, keeping).catch((error: unknown) => {
          parts.log.warn({ err: error }, "a transcription broke off");
          return breakOf(error);
        }),
      );
    } finally {
      keeping.stop();
    }
  };
