/** Measures how loud a microphone is. */
export interface LevelMeter {
  /** 0 to 1. */
  readonly level: () => number;
  readonly close: () => void;
}

let context: AudioContext | undefined;

/** The track's source. Browsers start measuring only after the person did something, or while a device is open. */
const sourceOf = (track: MediaStreamTrack): MediaStreamAudioSourceNode => {
  // Nobody hears it: sound that comes in larger portions wakes the browser less often.
  context ??= new AudioContext({ latencyHint: "playback" });
  void context.resume();
  return context.createMediaStreamSource(new MediaStream([track]));
};

const analyse = (source: MediaStreamAudioSourceNode, fftSize: number) => {
  const analyser = source.context.createAnalyser();
  analyser.fftSize = fftSize;
  source.connect(analyser);
  const samples = new Float32Array(fftSize);
  return (): Float32Array => {
    analyser.getFloatTimeDomainData(samples);
    return samples;
  };
};

const open = (track: MediaStreamTrack): LevelMeter => {
  const source = sourceOf(track);
  const read = analyse(source, 512);
  return {
    level: () => {
      const samples = read();
      const squares = samples.reduce((sum, sample) => sum + sample * sample, 0);
      return Math.min(1, Math.sqrt(squares / samples.length) * 3);
    },
    close: () => source.disconnect(),
  };
};

/** Firefox refuses a microphone whose sample rate is not that of the speakers. The meeting hears it anyway. */
const unmeasured = (failure: unknown): void =>
  console.warn("How loud the microphone is cannot be measured", failure);

export const measure = (track: MediaStreamTrack): LevelMeter => {
  try {
    return open(track);
  } catch (failure) {
    unmeasured(failure);
    return { level: () => 0, close: () => {} };
  }
};

/** Detects a microphone that gives nothing at all. */
export interface EmptyMeter {
  /** Returns whether there was nothing but zeros for the last moment; undefined: the browser does not measure. */
  readonly isEmpty: () => boolean | undefined;
  readonly close: () => void;
}

/** Two thirds of a second of sound, the most that an analyser keeps. */
const MOMENT = 32_768;

export const measureEmpty = (track: MediaStreamTrack): EmptyMeter => {
  try {
    const source = sourceOf(track);
    const read = analyse(source, MOMENT);
    return {
      isEmpty: () =>
        source.context.state === "running" ? read().every((sample) => sample === 0) : undefined,
      close: () => source.disconnect(),
    };
  } catch (failure) {
    unmeasured(failure);
    return { isEmpty: () => undefined, close: () => {} };
  }
};
