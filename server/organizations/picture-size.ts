/*
 * The type and the size of a picture, from the beginning of its file: nothing is decoded, so a small file that
 * would become very many pixels costs nothing.
 */

interface Picture {
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/** PNG 1.2, 11.2.2: the first chunk has the size. */
const pngSize = (bytes: Buffer): readonly [width: number, height: number] | undefined =>
  bytes.length < 24 || bytes.toString("latin1", 12, 16) !== "IHDR"
    ? undefined
    : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

/** The segments of a JPEG that begin a frame (ITU T.81, table B.1): C0 to CF without C4, C8 and CC. */
const beginsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegSize = (bytes: Buffer): readonly [width: number, height: number] | undefined => {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes, and markers without content.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (beginsFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

/** RFC 9649: the first chunk has the size, in one of three ways. */
const webpSize = (bytes: Buffer): readonly [width: number, height: number] | undefined => {
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X" && bytes.length >= 30) {
    return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  }
  if (chunk === "VP8L" && bytes.length >= 25 && bytes[20] === 0x2f) {
    const sides = bytes.readUInt32LE(21);
    return [(sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1];
  }
  if (chunk === "VP8 " && bytes.length >= 30 && bytes.toString("hex", 23, 26) === "9d012a") {
    return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
  return undefined;
};

/** How each type of picture begins, in hexadecimal, and where its size is. No SVG: it may hold scripts. */
const types = [
  ["image/png", /^89504e470d0a1a0a/, pngSize],
  ["image/jpeg", /^ffd8ff/, jpegSize],
  ["image/webp", /^52494646.{8}57454250/, webpSize],
] as const;

/** The type and the size of a picture; undefined for anything but a PNG, JPEG or WebP picture with a size. */
export const pictureOf = (bytes: Buffer): Picture | undefined => {
  const beginning = bytes.toString("hex", 0, 12);
  const [type, , sizeOf] = types.find(([, begins]) => begins.test(beginning)) ?? [];
  const [width = 0, height = 0] = sizeOf?.(bytes) ?? [];
  return type === undefined || width === 0 || height === 0 ? undefined : { type, width, height };
};
