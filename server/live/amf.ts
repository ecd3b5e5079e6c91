/*
 * AMF 0, in which RTMP writes commands (Adobe, "Action Message Format -- AMF 0"): the parts that a
 * publisher sends and receives.
 */

export type AmfValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly AmfValue[]
  | { readonly [key: string]: AmfValue };

/** The markers of section 2.1. */
const NUMBER = 0x00;
const BOOLEAN = 0x01;
const STRING = 0x02;
const OBJECT = 0x03;
const NULL = 0x05;
const UNDEFINED = 0x06;
const ECMA_ARRAY = 0x08;
const OBJECT_END = 0x09;
const STRICT_ARRAY = 0x0a;
const DATE = 0x0b;
const LONG_STRING = 0x0c;

const LONGEST_NAME = 0xffff;

const nameOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length > LONGEST_NAME) throw new RangeError("A text is too long for AMF.");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const encodeOne = (value: AmfValue): Buffer => {
  if (typeof value === "number") {
    const bytes = Buffer.alloc(9);
    bytes[0] = NUMBER;
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === "boolean") return Buffer.from([BOOLEAN, value ? 1 : 0]);
  if (typeof value === "string") return Buffer.concat([Buffer.from([STRING]), nameOf(value)]);
  if (value === undefined) return Buffer.from([UNDEFINED]);
  if (value === null || Array.isArray(value)) return Buffer.from([NULL]);
  const fields = Object.entries(value).flatMap(([key, one]) => [nameOf(key), encodeOne(one)]);
  return Buffer.concat([Buffer.from([OBJECT]), ...fields, Buffer.from([0, 0, OBJECT_END])]);
};

/** The values one after the other. A publisher sends no arrays; they are written as null. */
export const encodeAmf = (...values: readonly AmfValue[]): Buffer =>
  Buffer.concat(values.map(encodeOne));

/**
 * The values of a message. Those after an unknown one are skipped.
 *
 * @throws RangeError if the message ends too early
 */
export const decodeAmf = (bytes: Buffer): readonly AmfValue[] => {
  let at = 0;
  const take = (length: number): number => {
    const from = at;
    at += length;
    if (at > bytes.length) throw new RangeError("An AMF message ends too early.");
    return from;
  };
  const text = (length: number): string => bytes.toString("utf8", take(length), at);
  const name = (): string => text(bytes.readUInt16BE(take(2)));
  const fields = (): AmfValue => {
    const found: Record<string, AmfValue> = {};
    for (;;) {
      const key = name();
      if (bytes[at] === OBJECT_END) {
        take(1);
        return found;
      }
      found[key] = one();
    }
  };
  const one = (): AmfValue => {
    const marker = bytes[take(1)];
    switch (marker) {
      case NUMBER:
        return bytes.readDoubleBE(take(8));
      case BOOLEAN:
        return bytes[take(1)] !== 0;
      case STRING:
        return name();
      case OBJECT:
        return fields();
      case NULL:
        return null;
      case ECMA_ARRAY:
        take(4);
        return fields();
      case STRICT_ARRAY:
        return Array.from({ length: bytes.readUInt32BE(take(4)) }, one);
      case DATE:
        return bytes.readDoubleBE(take(10));
      case LONG_STRING:
        return text(bytes.readUInt32BE(take(4)));
      default:
        // The length of a value of an unknown type is not known.
        at = bytes.length;
        return undefined;
    }
  };
  const values: AmfValue[] = [];
  while (at < bytes.length) values.push(one());
  return values;
};
