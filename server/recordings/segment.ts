import { readFile } from "node:fs/promises";

/** The duration in a segment index (ISO/IEC 14496-12, 8.16.3: `sidx`), in seconds. */
const secondsOf = (box: Buffer): number => {
  const timescale = box.readUInt32BE(8);
  // Version 1 has two fields of 64 bits: the earliest time, and the offset of the first part.
  const count = box[0] === 0 ? 22 : 30;
  let units = 0;
  for (let n = 0; n < box.readUInt16BE(count); n += 1) {
    units += box.readUInt32BE(count + 2 + n * 12 + 4);
  }
  return units / timescale;
};

/** A segment's own information. */
export interface SegmentFacts {
  /** True if it is complete, which it is not after a full disk. */
  readonly isWhole: boolean;
  /** Its duration in seconds: that of its longest stream. Undefined if it has no index. */
  readonly seconds: number | undefined;
}

export const readSegment = async (path: string): Promise<SegmentFacts> => {
  const bytes = await readFile(path);
  const found: number[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) break;
    if (bytes.toString("latin1", at + 4, at + 8) === "sidx") {
      found.push(secondsOf(bytes.subarray(at + 8, at + size)));
    }
    at += size;
  }
  const isWhole = at > 0 && at === bytes.length;
  return { isWhole, seconds: found.length === 0 ? undefined : Math.max(...found) };
};
