import { randomBytes } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * A new UUID version 7 (RFC 9562, 5.7): 48 bits of time, a 12-bit counter that starts at a random
 * value each millisecond (6.2, method 1), and 62 random bits. A process's IDs sort in the order in
 * which they were made, even when the clock is set back.
 */
export const uuid7 = (): string => {
  const bytes = randomBytes(16);
  const time = Date.now();
  if (time > lastTime) {
    lastTime = time;
    // Leaves half of the counter's range for more IDs in the same millisecond.
    counter = bytes.readUInt16BE(6) & 0x7ff;
  } else if (counter < 0xfff) {
    counter += 1;
  } else {
    lastTime += 1;
    counter = bytes.readUInt16BE(6) & 0x7ff;
  }
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return uuidOf(bytes.toString("hex"));
};

/** The usual notation of the 32 digits of a UUID (RFC 9562, 4). */
const uuidOf = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");

/** The smallest version 7 ID of a time. IDs sort by time. */
export const firstIdAt = (time: number): string => {
  const digits = time.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
};
