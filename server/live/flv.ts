import { TYPE } from "./chunks.ts";

/*
 * FLV, as ffmpeg writes it (Adobe, "Video File Format Specification", version 10, annex E). A tag's
 * body is that of an RTMP message.
 */

export interface FlvTag {
  /** An RTMP message type: audio, video or data. */
  readonly type: number;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

/** The header, and the length of the tag before the first, which is 0. */
const HEADER = 9 + 4;
const TAG_HEADER = 11;
/** The length of a tag is repeated after it. */
const AFTER = 4;

const known: readonly number[] = [TYPE.audio, TYPE.video, TYPE.data];

/** @throws Error for a stream that is not FLV */
export async function* readTags(stream: AsyncIterable<Buffer>): AsyncGenerator<FlvTag> {
  let rest = Buffer.alloc(0);
  let isBegun = false;
  for await (const bytes of stream) {
    rest = Buffer.concat([rest, bytes]);
    if (!isBegun) {
      if (rest.length < HEADER) continue;
      if (rest.toString("latin1", 0, 3) !== "FLV") throw new Error("This is not FLV.");
      rest = rest.subarray(HEADER);
      isBegun = true;
    }
    while (rest.length >= TAG_HEADER) {
      const end = TAG_HEADER + rest.readUIntBE(1, 3);
      if (rest.length < end + AFTER) break;
      const type = (rest[0] ?? 0) & 0x1f;
      const timestamp = rest.readUIntBE(4, 3) + (rest[7] ?? 0) * 0x1_00_00_00;
      if (known.includes(type)) yield { type, timestamp, body: rest.subarray(TAG_HEADER, end) };
      rest = rest.subarray(end + AFTER);
    }
  }
}
