import { VOICE_RATE } from "../../contract/meetings/capture-socket.ts";

/*
 * Runs on the audio thread (AudioWorklet, Web Audio API 1.32): collects a person's samples into pieces of
 * 16-bit numbers. A message ends it: the rest of the last piece follows.
 */

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** A quarter of a second. */
const PIECE = VOICE_RATE / 4;

class Voice extends AudioWorkletProcessor {
  samples = new Int16Array(PIECE);
  filled = 0;
  isOver = false;

  constructor() {
    super();
    this.port.onmessage = () => {
      this.isOver = true;
      this.send();
    };
  }

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    if (this.isOver) return false;
    const channels = input ?? [];
    const [first] = channels;
    for (let at = 0; first !== undefined && at < first.length; at += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[at] ?? 0;
      const value = Math.max(-1, Math.min(1, sum / channels.length));
      this.samples[this.filled] = Math.round(value * 32_767);
      this.filled += 1;
      if (this.filled === PIECE) this.send();
    }
    return true;
  }

  send(): void {
    const samples = this.samples.slice(0, this.filled).buffer;
    const ago = (this.filled / VOICE_RATE) * 1000;
    this.port.postMessage({ samples, ago, isLast: this.isOver }, [samples]);
    this.samples = new Int16Array(PIECE);
    this.filled = 0;
  }
}

registerProcessor("voice", Voice);
