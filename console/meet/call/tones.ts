const TONES = [523, 659, 784];
const EACH = 0.35;

/** Plays three tones through a speaker; empty: the default one. @throws DOMException if it cannot */
export const playTones = async (speaker: string): Promise<void> => {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  const audio = new Audio();
  try {
    audio.srcObject = output.stream;
    if (speaker !== "" && "setSinkId" in audio) await audio.setSinkId(speaker);
    await context.resume();
    await audio.play();
    const start = context.currentTime + 0.1;
    for (const [index, frequency] of TONES.entries()) {
      const tone = new OscillatorNode(context, { frequency });
      const volume = new GainNode(context, { gain: 0 });
      const from = start + index * EACH;
      // Without a ramp it clicks.
      volume.gain.setTargetAtTime(0.2, from, 0.02);
      volume.gain.setTargetAtTime(0, from + EACH * 0.7, 0.05);
      tone.connect(volume).connect(output);
      tone.start(from);
      tone.stop(from + EACH);
    }
    await new Promise((resolve) => setTimeout(resolve, (0.4 + TONES.length * EACH) * 1000));
  } finally {
    audio.srcObject = null;
    await context.close();
  }
};
