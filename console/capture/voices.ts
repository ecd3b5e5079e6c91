import { VOICE_RATE, type VoiceHeader } from "../../contract/capture-socket.ts";
import type { Reception } from "./receive.ts";
import { soundInto } from "./sound-node.ts";
import { follow, sounds } from "./tracks.ts";
import processor from "./voice-processor.ts?worker&url";

const messageOf = (header: VoiceHeader, samples: ArrayBuffer): ArrayBuffer => {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(2 + text.length + samples.byteLength);
  new DataView(bytes.buffer).setUint16(0, text.length);
  bytes.set(text, 2);
  bytes.set(new Uint8Array(samples), 2 + text.length);
  return bytes.buffer;
};

/** Sends the sound of each person by itself. */
export const openVoices = (meeting: Reception, send: (bytes: ArrayBuffer) => void) => {
  const context = new AudioContext({ sampleRate: VOICE_RATE });
  const ready = context.audioWorklet.addModule(processor);
  const kept = follow(
    ({ peerId, peerName, attach }) => {
      const node = new AudioWorkletNode(context, "voice", { numberOfOutputs: 0 });
      node.port.onmessage = ({ data: { samples, ago } }) => {
        send(messageOf({ peerId, peerName, at: Date.now() - ago }, samples));
      };
      return soundInto(context, attach, node);
    },
    (end) => end(),
  );
  // What is heard with a shared screen is nobody's voice.
  const settle = (): void =>
    kept.settle(sounds(meeting.get()).filter(({ source }) => source === "audio"));
  void ready.then(() => {
    meeting.subscribe(settle);
    settle();
  });
  return { close: () => void context.close() };
};
