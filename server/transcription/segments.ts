/*
 * Cuts one person's sound into stretches of speech, at longer pauses. Speech differs from silence
 * by its energy, with hysteresis: it begins above one threshold and ends below a lower one.
 */

/** Samples per second, as speech engines expect. */
export const RATE = 16_000;

/** The words of one person without a longer pause. */
export interface SpeechSegment {
  /** When it began, in milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** 16-bit samples, one channel, `RATE` a second. */
  readonly samples: Int16Array;
}

/** The samples that are judged together: 20 ms. */
const FRAME = RATE / 50;
const FRAME_MS = 20;
/** Speech begins at the first energy and continues above the second, in decibels relative to full scale. */
const BEGIN_DB = -42;
const GO_ON_DB = -50;
/** How many of the last frames must be loud, so that a click does not count as speech. */
const LOUD_OF_LAST = { loud: 3, last: 5 };
/** The pause that ends a segment: pauses between words are shorter. */
const PAUSE_FRAMES = 700 / FRAME_MS;
/** Kept before the first loud frame, because a word often begins softly. */
const BEFORE_FRAMES = 300 / FRAME_MS;
/** The longest segment: a longer one's text would be late for a caption. */
const MOST_FRAMES = 15_000 / FRAME_MS;
/** The last part of a too long segment, which is cut where it is quietest. */
const CUT_FRAMES = 4_000 / FRAME_MS;
/** The least volume of a segment that is speech. */
const LEAST_LOUD = 200 / FRAME_MS;
/** Sound after a gap of this length begins a new segment. */
const GAP_MS = 500;

interface Frame {
  readonly samples: Int16Array;
  readonly atMs: number;
  readonly db: number;
}

const decibels = (samples: Int16Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return 10 * Math.log10(sum / samples.length / 32_768 ** 2 + 1e-10);
};

const join = (frames: readonly Frame[]): SpeechSegment => {
  const samples = new Int16Array(frames.length * FRAME);
  for (const [n, frame] of frames.entries()) samples.set(frame.samples, n * FRAME);
  const startMs = frames[0]?.atMs ?? 0;
  return { startMs, endMs: startMs + frames.length * FRAME_MS, samples };
};

/** Cuts the sound of one person. */
export interface Segmenter {
  /** Takes samples that begin at a time, in milliseconds since 1970. @returns the segments they complete */
  push(samples: Int16Array, atMs: number): readonly SpeechSegment[];
  /** Ends the sound. @returns the last segment, if there is one */
  end(): readonly SpeechSegment[];
}

export const openSegmenter = (): Segmenter => {
  /** Samples of an incomplete frame, and the time of the first one. */
  let rest = new Int16Array(0);
  let restMs = 0;
  /** Between segments: the last frames. Within one: the segment. */
  let frames: Frame[] = [];
  let isSpeaking = false;
  let quiet = 0;

  const isLoud = ({ db }: Frame): boolean => db >= BEGIN_DB;
  const finish = (kept: readonly Frame[]): readonly SpeechSegment[] =>
    kept.filter(isLoud).length >= LEAST_LOUD ? [join(kept)] : [];

  const stop = (): readonly SpeechSegment[] => {
    const done = isSpeaking ? finish(frames) : [];
    frames = [];
    isSpeaking = false;
    quiet = 0;
    return done;
  };

  /** Cuts a too long segment, at the quietest moment of its last part. */
  const cut = (): readonly SpeechSegment[] => {
    const from = frames.length - CUT_FRAMES;
    let at = from;
    for (let n = from; n < frames.length; n += 1) {
      if ((frames[n]?.db ?? 0) <= (frames[at]?.db ?? 0)) at = n;
    }
    const done = finish(frames.slice(0, at + 1));
    frames = frames.slice(at + 1);
    return done;
  };

  const take = (frame: Frame): readonly SpeechSegment[] => {
    frames.push(frame);
    if (!isSpeaking) {
      const loud = frames.slice(-LOUD_OF_LAST.last).filter(isLoud).length;
      isSpeaking = loud >= LOUD_OF_LAST.loud;
      if (!isSpeaking) frames = frames.slice(-BEFORE_FRAMES);
      return [];
    }
    quiet = frame.db >= GO_ON_DB ? 0 : quiet + 1;
    if (quiet >= PAUSE_FRAMES) return stop();
    return frames.length >= MOST_FRAMES ? cut() : [];
  };

  return {
    push(samples, atMs) {
      const found: SpeechSegment[] = [];
      const expected = restMs + (rest.length / RATE) * 1000;
      if (Math.abs(atMs - expected) > GAP_MS) {
        if (frames.length > 0) found.push(...stop());
        rest = new Int16Array(0);
      }
      if (rest.length === 0) restMs = atMs;
      const all = new Int16Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      for (; at + FRAME <= all.length; at += FRAME) {
        const frame = all.slice(at, at + FRAME);
        found.push(
          ...take({ samples: frame, atMs: restMs + (at / RATE) * 1000, db: decibels(frame) }),
        );
      }
      rest = all.slice(at);
      restMs += (at / RATE) * 1000;
      return found;
    },
    end: stop,
  };
};

/** A segment as a WAV file. */
export const wavOf = ({ samples }: Pick<SpeechSegment, "samples">): Buffer => {
  const header = Buffer.alloc(44);
  const bytes = samples.length * 2;
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  const body = Buffer.alloc(bytes);
  for (const [n, sample] of samples.entries()) body.writeInt16LE(sample, n * 2);
  return Buffer.concat([header, body]);
};
