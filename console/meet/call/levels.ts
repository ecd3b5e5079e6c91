/** Measures how loud a microphone is. */
export interface LevelMeter {
  /** 0 to 1. */
  readonly level: () => number;
  readonly close: () => void;
}

let context: AudioContext | undefined;

const open = (track: MediaStreamTrack): LevelMeter => {
  // Nobody hears it: sound that comes in larger portions wakes the browser less often.
  context ??= new AudioContext({ latencyHint: "playback" });
  // Browsers start it only after the person did something, or while a device is open.
  void context.resume();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      const squares = samples.reduce((sum, sample) => sum + sample * sample, 0);
      return Math.min(1, Math.sqrt(squares / samples.length) * 3);
    },
    close: () => source.disconnect(),
  };
};

export const measure = (track: MediaStreamTrack): LevelMeter => {
  try {
    return open(track);
  } catch (failure) {
    // Firefox refuses a microphone whose sample rate is not that of the speakers. The meeting hears it anyway.
    console.warn("How loud the microphone is cannot be measured", failure);
    return { level: () => 0, close: () => {} };
  }
};
