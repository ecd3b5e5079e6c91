import type { VoiceHeader } from "../../contract/meetings/capture-socket.ts";

/**
 * Receives a person's sound.
 *
 * @param seatId the peerId
 * @param samples 16 bits each, 16 kHz, one channel
 * @param atMs when the first one was heard, in milliseconds since 1970
 */
export type OnSound = (seatId: string, peerName: string, samples: Int16Array, atMs: number) => void;

/** Reads a message of the page (contract/meetings/capture-socket.ts). */
export const readVoice = (message: Buffer, onSound: OnSound): void => {
  const start = 2 + message.readUInt16BE(0);
  const header = JSON.parse(message.toString("utf8", 2, start)) as VoiceHeader;
  // A copy, because the samples must begin at an even address.
  const bytes = Uint8Array.from(message.subarray(start));
  const samples = new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2));
  onSound(header.peerId, header.peerName, samples, header.at);
};
