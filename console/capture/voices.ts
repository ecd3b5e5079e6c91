import { VOICE_RATE, type VoiceHeader } from "../../contract/meetings/capture-socket.ts";
import type { Reception } from "./receive.ts";
import { follow, soundInto, sounds } from "./tracks.ts";
import processor from "./voice-processor.ts?worker&url";

/** How long the last piece of sound may take, in milliseconds. */
const LAST_MS = 1_000;

const messageOf = (header: VoiceHeader, samples: ArrayBuffer): ArrayBuffer => {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(2 + text.length + samples.byteLength);
  new DataView(bytes.buffer).setUint16(0, text.length);
  bytes.set(text, 2);
  bytes.set(new Uint8Array(samples), 2 + text.length);
  return bytes.buffer;
};

/** Sends the sound of each person separately. */
export const openVoices = (meeting: Reception, send: (bytes: ArrayBuffer) => void) => {
  const context = new AudioContext({ sampleRate: VOICE_RATE });
  const ready = context.audioWorklet.addModule(processor);
  /** The last pieces of people who are silent now, still on their way. */
  const ending = new Set<Promise<void>>();
  const kept = follow(
    ({ peerId, peerName, attach }) => {
      const node = new AudioWorkletNode(context, "voice", { numberOfOutputs: 0 });
      const sent = Promise.withResolvers<void>();
      node.port.onmessage = ({ data: { samples, ago, isLast } }) => {
        const at = Date.now() - ago;
        if (samples.byteLength > 0) send(messageOf({ peerId, peerName, at }, samples));
        if (isLast) sent.resolve();
      };
      const silence = soundInto(context, attach, node);
      return () => {
        silence();
        node.port.postMessage("end");
        ending.add(sent.promise);
        void sent.promise.then(() => ending.delete(sent.promise));
      };
    },
    (end) => end(),
  );
  // The sound of a shared screen is not a voice.
  const settle = (): void =>
    kept.settle(sounds(meeting.get()).filter(({ source }) => source === "audio"));
  let unsubscribe = (): void => {};
  let isOver = false;
  void ready.then(() => {
    if (isOver) return;
    unsubscribe = meeting.subscribe(settle);
    settle();
  });
  return {
    /** Ends all of them. Resolves once their last pieces are sent. */
    async close() {
      isOver = true;
      unsubscribe();
      kept.settle([]);
      await Promise.race([
        Promise.all(ending),
        new Promise((resolve) => setTimeout(resolve, LAST_MS)),
      ]);
      await context.close();
    },
  };
};
